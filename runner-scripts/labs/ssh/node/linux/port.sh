#!/bin/sh
# What an interface of this node is, once it has a link: the port, its interface, Ethernet address and driver.
#
#   linux/port.sh PORT INTERFACE MAC      PORT as the path calls it; MAC as the matrix has it, or '-'

. ./say.sh
port=$1
shift
at=/sys/class/net/$1
[ -e "$at" ] ||
	refuse "there is no interface '$1'; name one of $(cd /sys/class/net && echo * | sed 's/ /, /g') in the nodes of the matrix"
mac=$(cat "$at/address")
[ "$2" = - ] || [ "$2" = "$mac" ] ||
	give_up "interface '$1' has address $mac, the matrix says $2; look at what is cabled where, or mend the matrix"
# An end of the path needs no address, and so says nothing by itself.
case $port in
dut.* | reference.*) ;;
*) /bin/sh linux/settings.sh "net/ipv6/conf/$1/disable_ipv6=1" ;;
esac
[ $(($(cat "$at/flags") & 1)) -eq 1 ] || /sbin/ip link set "$1" up || give_up "interface '$1' cannot be set up"
has_link() { [ "$(cat "$at/carrier" 2>/dev/null)" = 1 ]; }
wait_until 20 "link of interface '$1' (look at its cable and the other end)" has_link
driver=$(readlink "$at/device/driver" 2>/dev/null) || driver=virtual
printf '%s\t%s\t%s\t%s\n' "$port" "$1" "$mac" "${driver##*/}"
