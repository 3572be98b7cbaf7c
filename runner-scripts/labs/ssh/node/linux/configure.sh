#!/bin/sh
# Make this node forward: its two ports, the networks behind the sender and the receiver, their Ethernet addresses.
#
#   linux/configure.sh FAMILY IN_PORT IN_ADDRESS OUT_PORT OUT_ADDRESS SOURCE_NET SENDER SENDER_MAC SINK_NET RECEIVER RECEIVER_MAC
#
# '-' for a network that is reached otherwise. Nothing but the load may cross the path: no neighbour discovery, no router
# solicitation.

. ./say.sh
need ip iproute2
family=$1 in_port=$2 in_address=$3 out_port=$4 out_address=$5
source_net=$6 sender=$7 sender_mac=$8 sink_net=$9
shift 9
receiver=$1 receiver_mac=$2

port() { # interface address
	[ "$family" = inet6 ] && mute=0 || mute=1
	for setting in "disable_ipv6=$mute" accept_ra=0 accept_dad=0 router_solicitations=0 autoconf=0; do
		/bin/sh linux/settings.sh "net/ipv6/conf/$1/$setting"
	done
	/sbin/ip address flush dev "$1" || exit
	{ /sbin/ip link set "$1" up && /sbin/ip address add "$2" dev "$1"; } || give_up "interface '$1' takes no address $2"
}

route() { # network via interface mac
	/sbin/ip neighbour replace "$2" lladdr "$4" dev "$3" nud permanent || give_up "no neighbour $2 on '$3' can be set"
	[ "$1" = - ] || /sbin/ip route replace "$1" via "$2" dev "$3" ||
		give_up "no route to $1 by $2 on '$3' can be set"
}

/bin/sh firewalls/none.sh load
/sbin/ip link delete fwdlab0 2>/dev/null || true # a tunnel of an earlier case
port "$in_port" "$in_address"
port "$out_port" "$out_address"
case $family in
inet) forwarding=net/ipv4/ip_forward ;;
*) forwarding=net/ipv6/conf/all/forwarding ;;
esac
/bin/sh linux/settings.sh "$forwarding=1" "net/ipv4/conf/all/rp_filter=0" "net/ipv4/conf/$in_port/rp_filter=0"
route "$source_net" "$sender" "$in_port" "$sender_mac"
route "$sink_net" "$receiver" "$out_port" "$receiver_mac"
