# The load: one end at the sender, the other at the receiver, by the generator of the machine. Sourced.
#
# node/generators/NAME.sh has the verbs start, ready, stop and read for both ends, sample and describe for the sender.

# What an attack sends is counted apart: it comes from a network of its own.
start_receiver() {
	ends=generators/$generator.sh attack=$(case_value traffic.attack '')
	case ${attack:+$family} in
	'') attack_net=- ;;
	inet) attack_net=198.18.200.0/24 attack_ip=198.18.200.1 ;;
	*) attack_net=2001:2:0:c::/64 attack_ip=2001:2:0:c::1 ;;
	esac
	on receiver 30 "$ends" start receive "$(interface_of receiver.ingress)" "$attack_net" "$sink_ip" "$source_ip" \
		"$(mac_of "$(before_receiver).egress")" -- "$ends" ready receive
}

before_receiver() {
	case " $roles " in *" reference "*) echo reference ;; *) echo dut ;; esac
}

stop_receiver() {
	on receiver 30 "$ends" stop receive
}

# Whatever becomes of us, it ends by itself after so many milliseconds.
start_sender() { # role from load milliseconds
	later "$1" "$ends" start send "$(interface_of "$1.egress")" "$(mac_of "$1.egress")" "$(mac_of dut.ingress)" "$2" \
		"$sink_ip" "$(frame_sizes)" "$(case_value traffic.flows)" "$(rate "$3")" "$4" \
		"$(case_value traffic.sources 1)" "$(case_value traffic.sinks 1)"
	later "$1" "$ends" ready send
}

# One size, or the repeated sequence of a mix.
frame_sizes() {
	mix=$(case_value traffic.imix '')
	if [ -n "$mix" ]; then echo "$mix" | tr ' ' ,; else case_value traffic.frame_size; fi
}

tell_mix() {
	mix=$(case_value traffic.imix '')
	[ -z "$mix" ] || printf 'fact\timix\t%s\nfact\timix_order\trepeated\n' "$mix"
}

# An attack goes on at least as long as the load does, so it sends at least what is due in that time.
tell_attack() {
	[ -n "$attack" ] || return 0
	printf 'fact\tattack\t%s\n' "$attack"
	[ "$attack" = max ] || printf 'counter\t%s\tattacker:generator\tdue_packets\t%d\n' before 0 \
		after $((attack * samples * slice_ms / 1000))
}

# One blast, sampled where it leaves the sender.
blast() { # phase samples milliseconds
	start_sender sender "$source_ip" "$(case_value traffic.load)" $((10000 + $2 * $3))
	later sender "$ends" sample "$1" "$2" "$3" "$(interface_of sender.egress)"
	later sender "$ends" stop send
	do_all sender $((30 + $2 * $3 / 1000))
}

# The attack is under way before the load is, and after it.
attack_during() { # milliseconds command...
	start_sender attacker "$attack_ip" "$attack" $((20000 + $1))
	do_all attacker 30
	shift
	"$@"
	on attacker 30 "$ends" stop send
}

rate() { # load, in packets a second; 0 for the most there is
	[ "$1" = max ] && echo 0 || echo "$1"
}

# Less than the intended load says nothing about the DUT: the record is marked, and the lab keeper is told why.
tell_low_load() { # result
	intended=$(rate "$(case_value traffic.load)")
	[ "$intended" -gt 0 ] || return 0
	awk -F '\t' -v intended="$intended" -v host="$(host_of sender)" '
		$1 == "sample" && $2 == "measured" { sent += $3; us += $5 }
		END { if (sent * 1e8 < intended * 99 * us)
			printf "%s: offered %.0f pps of %d intended; look at its processor and link, or intend less\n", host, sent * 1e6 / us, intended }' \
		"$1" >&2
}
