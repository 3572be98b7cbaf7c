#!/bin/sh
# Frames through a packet socket, and at the other end nftables that drops them at ingress.
#
#   generators/packets.sh VERB ...      see own.sh

sender=packets
. generators/own.sh

receive_on() { # interface attacking-network
	. generators/sink.sh
	sink_open "$1" "$2"
}

verb=$1
shift
case $verb:$1 in
start:send)
	check_flows "${11}" "${12}"
	own_start "$@"
	;;
start:*) own_start "$@" ;;
ready:receive | stop:receive)
	. generators/sink.sh
	"sink_$verb"
	;;
ready:*) own_ready "$@" ;;
stop:*) own_stop "$@" ;;
read:send) own_sent "$2" "${3:-sender}" ;;
read:receive)
	. generators/sink.sh
	sink_read "$2"
	;;
sample:*) own_sample "$@" ;;
describe:*) say fact generator "packet socket in batches of 64, dropped by nftables at ingress" ;;
*) refuse "generator 'packets' does not know '$verb'" ;;
esac
