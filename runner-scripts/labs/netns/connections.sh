# An elementary test of the firewall's state table (RFC 9693): make connections, then see by answers which are there.
# Sourced by trial.sh.
#
#   sender s0 ---- make ----> [ DUT ] ----> r0 receiver       phase 1: N frames, each of a new connection, at the load
#          s0 <------------- [ DUT ] <---- answer  r0         validation: one answer each, which needs its state to pass

. "$here/tested.sh"

test_table() {
	total=$(case_value traffic.flows)
	sender nft -f "$here/answers.nft"
	table keep
	table empty "$tools/forget"
	connect answer "$STRAY" "$(first_stray)" "$STRAY_RATE"
	refuse_strays "$(answers_seen)"
	count_both before
	connect make "$total" 0 "${intended#max}"
	say sample measured "$frames" 0 "$microseconds"
	table read after
	connect answer "$total" 0 "$(answers_rate "$frames" "$microseconds")"
	say sample validation "$frames" 0 "$microseconds"
	count_both after
}

connect() { # make|answer count first rate
	case $1 in
	make) set -- "$@" sender s0 "$source_ip" "$sink_ip" 02:00:00:00:00:02 02:00:00:00:00:01 ;;
	*) set -- "$@" receiver r0 "$sink_ip" "$source_ip" 02:00:00:00:00:03 02:00:00:00:00:04 ;;
	esac
	patience_ms=$(case_value trial.patience_ms)
	pinned "$5" "$tools/connections" "$6" "$7" "$8" "$(case_value traffic.frame_size)" "$2" "$patience_ms" \
		"${4:-0}" "$9" "${10}" "$1" "$3" >/run/connected 2>/run/sender.log ||
		fail give_up "not all connections were offered within $patience_ms ms ($(tail -n 1 /run/sender.log))"
	read -r frames microseconds </run/connected
}

# On the processor under test, as all senders are.
pinned() { # node command...
	node=$1
	shift
	[ -z "$realtime" ] || set -- chrt -f 1 "$@"
	/sbin/ip netns exec "$node" taskset -c "$processor" "$@"
}
