# Examining what a lab of real machines needs in an emergency, and what its sender can offer while nobody takes it. Sourced.

examine_power() {
	if has_power; then
		check "$(host_of dut)" asks_power || true
	else
		fine "$(host_of dut)" "no 'power' is in the matrix: somebody has to come when it hangs"
	fi
}

asks_power() {
	power status || give_up "$(host_of dut): $power_said"
	grep . "$ssh_folder/power" | tail -n 1
}

examine_console() {
	[ -n "$(case_value access.console '')" ] || return 0
	start_console
	sleep 1
	check "$(host_of dut)" shows_console || true
	mkdir "$ssh_folder/kept"
	stop_console "$ssh_folder/kept"
}

shows_console() {
	shown=$(tail -n 1 "$ssh_folder/console/newer")
	kill -0 "$(cat "$ssh_folder/console.command")" 2>/dev/null ||
		give_up "$(host_of dut): the console command ended (${shown:-without a word}); look at the console server"
	echo "its console is shown"
}

# No topology has a cable from sender to receiver. So frames go to an address that nobody has: the DUT's card drops them.
offers_alone() {
	[ "$generator" != iperf3 ] || { echo "its load was not tried: iperf3 sends nothing without its other end" && return; }
	ends=generators/$generator.sh interface=$(interface_of sender.egress)
	later sender "$ends" start send "$interface" "$(mac_of sender.egress)" 02:00:00:00:00:01 "$source_ip" "$sink_ip" \
		"$(case_value traffic.frame_size)" 1 0 10000 1 1
	later sender "$ends" ready send
	later sender "$ends" sample alone 1 1000 "$interface"
	later sender "$ends" stop send
	do_all sender 30 >"$ssh_folder/alone"
	awk -F '\t' -v size="$(case_value traffic.frame_size)" -v bits="$(case_value hardware.line_rate_bps)" '
		$1 == "sample" { sent += $3; us += $5 }
		END {
			if (us > 0) printf "offers %.0f pps that nobody takes, of %.0f at line rate\n", sent * 1e6 / us, bits / 8 / (size + 20)
			exit !(us > 0 && sent > 0)
		}' "$ssh_folder/alone" || give_up "$(host_of sender): offers nothing; look at its link and its generator"
}
