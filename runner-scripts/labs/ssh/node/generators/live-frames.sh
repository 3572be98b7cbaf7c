#!/bin/sh
# Frames that an XDP program makes, and at the other end one that drops them before there is a packet.
#
#   generators/live-frames.sh VERB ...      see own.sh

sender=live-frames
. generators/own.sh

dropping() { ! running receive || [ -s state/receive.out ]; }

receive_on() { # interface attacking-network
	[ "$2" = - ] || refuse "generator 'live-frames' cannot tell an attack from the load; write 'generator: packets'"
	echo "$1" >state/receive.interface
	need ethtool ethtool
	start receive tools/xdp-drop "$1"
	wait_until 5 "the XDP program of interface '$1'" dropping
}

read_received() { # moment
	interface=$(cat state/receive.interface)
	say counter "$1" receiver:sink rx_packets "$(ethtool -S "$interface" |
		awk '$1 ~ /^(rx_queue_[0-9]+_xdp_drops|rx_xdp_drop|xdp_drop):$/ { dropped += $2 } END { printf "%d", dropped }')"
}

verb=$1
shift
case $verb:$1 in
start:send)
	check_flows "${11}" "${12}"
	[ "$9" = 0 ] || refuse "generator 'live-frames' offers the most it can; write 'load: max', or 'generator: packets'"
	own_start "$@"
	;;
start:*) own_start "$@" ;;
ready:*) own_ready "$@" ;;
stop:*) own_stop "$@" ;;
read:send) own_sent "$2" "${3:-sender}" ;;
read:receive) read_received "$2" ;;
sample:*) own_sample "$@" ;;
describe:*) say fact generator "live frames of an XDP program in batches of 64, dropped by XDP" ;;
*) refuse "generator 'live-frames' does not know '$verb'" ;;
esac
