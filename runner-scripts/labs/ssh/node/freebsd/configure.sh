#!/bin/sh
# Make this node forward: its two ports, the networks behind the sender and the receiver, their Ethernet addresses.
#
#   freebsd/configure.sh FAMILY IN_PORT IN_ADDRESS OUT_PORT OUT_ADDRESS SOURCE_NET SENDER SENDER_MAC SINK_NET RECEIVER RECEIVER_MAC
#
# '-' for a network that is reached otherwise. A router neither merges frames nor cuts them.

. ./say.sh
family=$1 in_port=$2 in_address=$3 out_port=$4 out_address=$5
source_net=$6 sender=$7 sender_mac=$8 sink_net=$9
shift 9
receiver=$1 receiver_mac=$2

port() { # interface address
	ifconfig "$1" | awk '$1 ~ /^inet6?$/ && $2 !~ /^fe80:/ { print $1, $2 }' >state/addresses
	while read -r kind address; do
		ifconfig "$1" "$kind" "$address" -alias || give_up "interface '$1' keeps its address $address"
	done <state/addresses
	ifconfig "$1" -tso -lro up || give_up "interface '$1' cannot be set up"
	[ "$family" = inet ] || ifconfig "$1" inet6 -ifdisabled -accept_rtadv auto_linklocal ||
		give_up "interface '$1' takes no IPv6"
	ifconfig "$1" "$family" "$2" alias || give_up "interface '$1' takes no address $2"
}

neighbour() { # address mac
	case $family in
	inet) arp -S "$1" "$2" ;;
	*) ndp -s "$1" "$2" ;;
	esac >state/neighbour 2>&1 || give_up "no neighbour $1 can be set ($(last_words state/neighbour))"
}

route_to() { # network via
	[ "$1" != - ] || return 0
	route -q -n delete "-$family" -net "$1" >/dev/null 2>&1
	route -q -n add "-$family" -net "$1" "$2" >state/route 2>&1 ||
		give_up "no route to $1 by $2 can be set ($(last_words state/route))"
}

/bin/sh freebsd/no-firewall.sh
ifconfig fwdlab0 destroy 2>/dev/null || true # a tunnel of an earlier case
case $family in
inet) forwarding=net.inet.ip.forwarding ;;
*) forwarding=net.inet6.ip6.forwarding && sysctl net.inet6.ip6.dad_count=0 >/dev/null ;;
esac
port "$in_port" "$in_address"
port "$out_port" "$out_address"
sysctl "$forwarding=1" >/dev/null || give_up "'$forwarding' cannot be set"
neighbour "$sender" "$sender_mac"
neighbour "$receiver" "$receiver_mac"
route_to "$source_net" "$sender"
route_to "$sink_net" "$receiver"
