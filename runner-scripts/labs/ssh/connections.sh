# An elementary test of the DUT's state table (RFC 9693): make connections, then see by answers which are there. Sourced.
#
#   sender s0 ---- make ----> d0 [ DUT ] d1 ----> r0 receiver       phase 1: N frames, each of a new connection
#          s0 <------------- d0 [ DUT ] d1 <---- answer  r0         validation: one answer each, which needs its state

. "$scripts/lib/path/validate.sh"

test_table() {
	connections=generators/connections.sh total=$(case_value traffic.flows)
	on sender 30 "$connections" open "$(interface_of sender.egress)"
	on dut 60 linux/table.sh keep -- linux/table.sh empty tools/forget
	connect answer "$STRAY" "$(first_stray)" "$STRAY_RATE" stray
	came=$(on sender 20 "$connections" seen)
	refuse_strays "$came"
	count_both before
	connect make "$total" 0 "$(rate "$(case_value traffic.load)")" measured
	cat "$ssh_folder/connected"
	on dut 20 linux/table.sh read after
	connect answer "$total" 0 "$(answers_rate "$(cut -f 3 "$ssh_folder/connected")" "$(cut -f 5 "$ssh_folder/connected")")" validation
	cat "$ssh_folder/connected"
	count_both after
	on sender 20 "$connections" close -- "$ends" describe
}

# Both sides of the path have a port each, and the DUT's there is where frames go.
connect() { # make|answer count first rate phase
	case $1 in
	make) set -- "$@" sender sender.egress dut.ingress "$source_ip" "$sink_ip" ;;
	*) set -- "$@" receiver receiver.ingress dut.egress "$sink_ip" "$source_ip" ;;
	esac
	patience_ms=$(case_value trial.patience_ms)
	on "$6" $((30 + patience_ms / 1000)) "$connections" "$1" "$(interface_of "$7")" "$(mac_of "$7")" "$(mac_of "$8")" \
		"$9" "${10}" "$(case_value traffic.frame_size)" "$2" "$3" "$4" "$patience_ms" "$5" >"$ssh_folder/connected"
	sleep "$SETTLE_S"
}

count_both() { # moment
	count_hops "$1"
	[ "$1" = after ] || on dut 20 linux/table.sh read before
	came=$(on sender 20 "$connections" seen)
	printf 'counter\t%s\tsender:sink\trx_packets\t%s\n' "$1" "$came"
}
