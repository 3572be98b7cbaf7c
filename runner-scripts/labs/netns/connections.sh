# An elementary test of the firewall's state table (RFC 9693): make connections, then see by answers which are there.
# Sourced by trial.sh.
#
#   sender s0 ---- make ----> [ DUT ] ----> r0 receiver       phase 1: N frames, each of a new connection, at the load
#          s0 <------------- [ DUT ] <---- answer  r0         validation: one answer each, which needs its state to pass

STRAY=100 # answers that belong to no connection; the last of those the sender tells apart

is_elementary_test() { [ -n "$(case_value trial.answers '')" ]; }

test_table() {
	total=$(case_value traffic.flows)
	sender nft -f "$here/answers.nft"
	dut sh "$here/table.sh" keep || fail refuse "no rule asks for the state of a packet, so there is no state table; name a stateful firewall"
	empty_table
	refuse_strays
	count_both before
	connect make "$total" 0 "${intended#max}"
	say_connected measured
	dut sh "$here/table.sh" read after
	connect answer "$total" 0 "$(answers_rate)"
	say_connected validation
	count_both after
}

empty_table() {
	dut "$tools/forget" || fail give_up "the DUT's state table cannot be emptied; look at the trial's log"
	patience=200
	until [ "$(dut sh "$here/table.sh" entries)" -eq 0 ]; do
		patience=$((patience - 1))
		[ "$patience" -gt 0 ] || fail give_up "the DUT's state table is not empty after it was emptied; look at what else sends"
		sleep 0.05
	done
}

# What passes without a state says nothing of states.
refuse_strays() {
	connect answer "$STRAY" $((10040000 - STRAY)) 10000
	[ "$(answers_seen)" -eq 0 ] ||
		fail refuse "the rules let answers pass that belong to no connection; a state table is measured with a stateful firewall"
}

connect() { # make|answer count first rate
	case $1 in
	make) set -- "$@" sender s0 "$source_ip" "$sink_ip" 02:00:00:00:00:02 02:00:00:00:00:01 ;;
	*) set -- "$@" receiver r0 "$sink_ip" "$source_ip" 02:00:00:00:00:03 02:00:00:00:00:04 ;;
	esac
	pinned "$5" "$tools/connections" "$6" "$7" "$8" "$(case_value traffic.frame_size)" "$2" "$(case_value trial.patience_ms)" \
		"${4:-0}" "$9" "${10}" "$1" "$3" >/run/connected 2>/run/sender.log ||
		fail give_up "not all connections were offered within $(case_value trial.patience_ms) ms ($(tail -n 1 /run/sender.log))"
}

# On the processor under test, as all senders are.
pinned() { # node command...
	node=$1
	shift
	[ -z "$realtime" ] || set -- chrt -f 1 "$@"
	/sbin/ip netns exec "$node" taskset -c "$processor" "$@"
}

say_connected() { # phase
	read -r frames microseconds </run/connected
	say sample "$1" "$frames" 0 "$microseconds"
}

# Answers leave more slowly than the connections were made, so that only missing states lose them.
answers_rate() {
	awk -v share="$(case_value trial.answers)" '{ printf "%.0f", 1 + $1 * 1e6 / $2 * share }' /run/connected
}

count_both() { # moment
	count_hops "$1"
	[ "$1" = after ] || dut sh "$here/table.sh" read before
	say counter "$1" sender:sink rx_packets "$(answers_seen)"
}

answers_seen() { sender nft list table netdev answers | awk '/counter/ { print $(NF - 2) }'; }
