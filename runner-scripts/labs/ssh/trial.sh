# One trial: make the path, offer the load, count at every hop before and after. Sourced.
#
#   sender s0 ------> d0 [ DUT ] d1 ------> r0 receiver      as counters call the ports, whatever their own names are:
#                                                            of an attacker a0, of a reference endpoint e0 and e1
#
# While the DUT is under load, nothing is asked of it: its counters are read before and after, when it is at rest.

SETTLE_S=0.2 # frames under way when the sender stops, in queues and rings

trial() { # measure|profile folder
	make_path >"$2/result"
	awk -F '\t' '{ printf "fact\t%s\t%s, %s\n", $1, $2, $4 }' "$ssh_folder/ports" >>"$2/result"
	start_receiver
	"${1}_load" "$2" >>"$2/result"
	stop_receiver
	on sender 60 "$ends" show send >"$2/sender.log"
	on receiver 60 "$ends" show receive >"$2/receiver.log"
	on dut 60 "$dut_os/report.sh" "$firewall" "$in_port" "$out_port" >"$2/dut.report"
	printf 'end\tok\n' >>"$2/result"
}

# What is set stays from one trial of a session to the next, and so does what was read back; links may not.
make_path() {
	check_ports
	[ -e "$ssh_folder/configured" ] || configure_path >"$ssh_folder/configuring"
	[ -e "$ssh_folder/configured" ] || mv "$ssh_folder/configuring" "$ssh_folder/configured"
	cat "$ssh_folder/configured"
}

measure_load() { # folder
	if is_elementary_test; then
		test_table
		return
	fi
	blast warmup 1 "$(case_value hardware.trial.warmup_ms)"
	sleep "$SETTLE_S"
	count_hops before
	samples=$(case_value hardware.trial.samples) slice_ms=$(case_value hardware.trial.slice_ms)
	if [ -n "$attack" ]; then set -- attack_during $((samples * slice_ms)); else set --; fi
	"$@" blast measured "$samples" "$slice_ms"
	sleep "$SETTLE_S"
	count_hops after
	on sender 20 "$ends" describe
	tell_mix
	tell_attack
}

count_hops() { # moment
	on sender 20 "$ends" read send "$1" -- "$(stack_of sender)/counters.sh" "$1" sender "$(interface_of sender.egress)" s0
	on dut 30 "$dut_os/counters.sh" "$1" dut "$in_port" d0 "$out_port" d1 -- "firewalls/$firewall.sh" counters "$1"
	on receiver 20 "$ends" read receive "$1" -- \
		"$(stack_of receiver)/counters.sh" "$1" receiver "$(interface_of receiver.ingress)" r0
	for role in $roles; do count_beside "$role" "$1"; done
}

count_beside() { # role moment
	case $1 in
	attacker)
		on attacker 20 "$ends" read send "$2" attacker -- \
			"$(os_of attacker)/counters.sh" "$2" attacker "$(interface_of attacker.egress)" a0
		;;
	reference)
		on reference 20 "$(os_of reference)/counters.sh" "$2" reference \
			"$(interface_of reference.ingress)" e0 "$(interface_of reference.egress)" e1
		;;
	esac
}

# The window lies inside the blast, which is under way when the sender is ready and goes on for some seconds more.
profile_load() { # folder
	blast warmup 1 "$(case_value hardware.trial.warmup_ms)"
	start_sender sender "$source_ip" "$(case_value traffic.load)" 20000
	do_all sender 30
	sleep 1
	on dut 60 "profilers/$(profiler).sh" take 1 >&2
	on sender 30 "$ends" stop send
	on dut 120 "profilers/$(profiler).sh" show >"$1/$(profile_file)"
	[ -s "$1/$(profile_file)" ] || printf '%s: no profile: %s\n' "$(case_slug)" "$(last_line "$1/messages")" >&2
}

# Each operating system has a profiler of its own, whose output has the name that 'fwdlab fold' knows it by.
profiler() { [ "$dut_os" = linux ] && echo perf || echo pmcstat; }
profile_file() { [ "$dut_os" = linux ] && echo perf.script || echo pmcstat.graph; }

last_line() { # file
	grep . "$1" | tail -n 1
}
