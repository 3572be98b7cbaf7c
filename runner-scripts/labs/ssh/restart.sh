# Starting the DUT anew, and waiting until it is there again. Sourced.

RESTART_S=${FWDLAB_RESTART_DEADLINE_S:-600}
case $RESTART_S in '' | *[!0-9]*) refuse "FWDLAB_RESTART_DEADLINE_S: '$RESTART_S' is not a whole number of seconds" ;; esac

restart_dut() { # folder [once]
	before=$(field booted 1)
	begun=$(date +%s) panics_before=$(panics | grep -c . || true)
	on dut 30 "$dut_os/restart.sh" "${2:-}"
	forget_node dut
	until came_back "$before"; do
		tell_panic
		[ $(($(date +%s) - begun)) -lt "$RESTART_S" ] || {
			fell_silent dut
			give_up "$(host_of dut): not back $RESTART_S s after it was started anew; look at its console, power-cycle it"
		}
		forget_node dut
		sleep 1
	done
	rm -f "$ssh_folder/dut.silent"
	fact "$1/facts" boot_s "$(($(date +%s) - begun))"
	keep_node dut
}

# Does it answer, and is it another boot? Its scripts have to be brought again: a node may lose its temporary files.
came_back() { # boot before
	connect_node dut
	connected dut || return 1
	(settle_node dut && look_at_dut) 2>"$ssh_folder/dut.restart" || return 1
	[ "$(field booted 1)" != "$1" ]
}

# Nothing comes back of that, so nobody waits for it. What the console shows of earlier ones counts not.
tell_panic() {
	[ "$(panics | grep -c . || true)" -gt "$panics_before" ] || return 0
	fell_silent dut
	give_up "$(host_of dut): panicked when it was started anew ($(panics | tail -n 1)); read its console, mend the kernel or what it was told"
}

panics() {
	cat "$ssh_folder/console/older" "$ssh_folder/console/newer" 2>/dev/null | tr -cd '\n -~' |
		sed -n 's/.*\(Kernel panic - not syncing.*\)/\1/p' | cut -c 1-200
}
