# The load: one end at the sender, the other at the receiver, by the generator of the machine. Sourced.
#
# node/generators/NAME.sh has the verbs start, ready, stop and read for both ends, sample and describe for the sender.

start_receiver() {
	ends=generators/$generator.sh
	on receiver 30 "$ends" start receive "$(interface_of receiver.ingress)" -- "$ends" ready receive
}

stop_receiver() {
	on receiver 30 "$ends" stop receive
}

# One blast, sampled where it leaves the sender. It ends by itself soon after its time, whatever becomes of us.
blast() { # phase samples milliseconds
	on sender $((30 + $2 * $3 / 1000)) "$ends" start send "$(interface_of sender.egress)" "$(mac_of sender.egress)" \
		"$(mac_of dut.ingress)" "$source_ip" "$sink_ip" "$(case_value traffic.frame_size)" \
		"$(case_value traffic.flows)" "$(intended)" $((10000 + $2 * $3)) \
		"$(case_value traffic.sources 1)" "$(case_value traffic.sinks 1)" -- \
		"$ends" ready send -- "$ends" sample "$1" "$2" "$3" "$(interface_of sender.egress)" -- "$ends" stop send
}

intended() { # packets a second; 0 for the most there is
	load=$(case_value traffic.load)
	[ "$load" = max ] && echo 0 || echo "$load"
}

# Less than the intended load says nothing about the DUT: the record is marked, and the lab keeper is told why.
tell_low_load() { # result
	[ "$(intended)" -gt 0 ] || return 0
	awk -F '\t' -v intended="$(intended)" -v host="$(host_of sender)" '
		$1 == "sample" && $2 == "measured" { sent += $3; us += $5 }
		END { if (sent * 1e8 < intended * 99 * us)
			printf "%s: offered %.0f pps of %d intended; look at its processor and link, or intend less\n", host, sent * 1e6 / us, intended }' \
		"$1" >&2
}
