#!/bin/sh
# What an interface of this node is, once it has a link: the port, its interface, Ethernet address and driver.
#
#   freebsd/port.sh PORT INTERFACE MAC      PORT as the path calls it; MAC as the matrix has it, or '-'

. ./say.sh
port=$1
shift
ifconfig "$1" >state/port 2>/dev/null ||
	refuse "there is no interface '$1'; name one of $(ifconfig -l | sed 's/ /, /g') in the nodes of the matrix"
mac=$(awk '$1 == "ether" { print $2; exit }' state/port)
[ "$2" = - ] || [ "$2" = "$mac" ] ||
	give_up "interface '$1' has address $mac, the matrix says $2; look at what is cabled where, or mend the matrix"
# An end of the path needs no address, and so says nothing by itself.
case $port in
dut.* | reference.*) ;;
*) ifconfig "$1" inet6 ifdisabled -auto_linklocal 2>/dev/null ;;
esac
ifconfig "$1" up || give_up "interface '$1' cannot be set up"
has_link() { ifconfig "$1" | grep -q 'status: active'; }
wait_until 20 "link of interface '$1' (look at its cable and the other end)" has_link "$1"
printf '%s\t%s\t%s\t%s\n' "$port" "$1" "$mac" "${1%%[0-9]*}"
