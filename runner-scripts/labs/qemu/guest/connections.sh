# An elementary test of the firewall's state table (RFC 9693): make connections, then see by answers which are there.
# Sourced by trial.sh.
#
#   sender s0 ---- pktgen ---> [ DUT ] ----> r0 receiver      phase 1: N frames, each of a new connection, at the load
#          s0 <--------------- [ DUT ] <---- pktgen  r0       validation: one answer each, which needs its state to pass
#
# A boot has an empty table. pktgen goes to the next port and to the next address with every frame; their numbers have no
# common divisor, so a pair comes again after 251 x 40000 frames and no earlier. It begins anew whenever it is started, so
# the receiver answers in the order in which the connections were made.

. "$here/tested.sh"

ADDRESSES=251 # of IPv4; pktgen has no order for those of IPv6
PORTS=10000   # the first of them, and
MOST_PORTS=40000

prepare_connections() { # family frame_size count
	[ "$1 $(($3 > MOST_PORTS))" != "inet6 1" ] ||
		fail refuse "$3 connections are more than the $MOST_PORTS that pktgen tells apart over IPv6; write fewer 'flows'"
	tell_connections sender s0 02:00:00:00:00:02 src dst "$2"
	tell_connections receiver r0 02:00:00:00:00:03 dst src "$2"
	case $1 in
	inet)
		last=${source_ip%.*}.$ADDRESSES
		tell_pktgen sender s0 "src_min $source_ip" "src_max $last" "dst $sink_ip"
		tell_pktgen receiver r0 "src_min $sink_ip" "src_max $sink_ip" "dst_min $source_ip" "dst_max $last"
		;;
	*)
		tell_pktgen sender s0 "src6 $source_ip" "dst6 $sink_ip"
		tell_pktgen receiver r0 "src6 $sink_ip" "dst6 $source_ip"
		;;
	esac
}

tell_connections() { # node interface mac stepped fixed frame_size
	add_pktgen "$1" "$2"
	tell_pktgen "$1" "$2" "clone_skb 0" "delay 0" "pkt_size $(($6 - 4))" "dst_mac $3" "udp_$4_min $PORTS" \
		"udp_$4_max $((PORTS + MOST_PORTS))" "udp_$5_min 9" "udp_$5_max 9"
}

test_table() { # load count
	sender nft -f "$here/answers.nft"
	table keep
	table empty true
	connect receiver r0 strays "$STRAY" "$STRAY_RATE"
	refuse_strays "$(answers_seen)"
	count_both before
	connect sender s0 measured "$2" "$1"
	cat /tmp/offered
	table read after
	connect receiver r0 validation "$2" "$(answers_rate "$frames" "$microseconds")"
	cat /tmp/offered
	count_both after
}

connect() { # node interface phase frames rate
	[ "$5" = max ] || tell_pktgen "$1" "$2" "ratep $5"
	"$1" sh /guest/offer.sh "$3" "$4" 1 "$2" >/tmp/offered || fail give_up "pktgen stopped in phase '$3'"
	read -r _ _ frames _ microseconds </tmp/offered
}
