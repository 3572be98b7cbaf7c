# Starting the DUT anew, and waiting until it is there again. Sourced.

RESTART_S=${FWDLAB_RESTART_DEADLINE_S:-600}
case $RESTART_S in '' | *[!0-9]*) refuse "FWDLAB_RESTART_DEADLINE_S: '$RESTART_S' is not a whole number of seconds" ;; esac

restart_dut() { # folder [once]
	before=$(field booted 1)
	begun=$(date +%s)
	on dut 30 "$dut_os/restart.sh" "${2:-}"
	forget_node dut
	until came_back "$before"; do
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
