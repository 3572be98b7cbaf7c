# What the DUT's console shows while a step runs, kept with the step. Sourced.
#
#   start_console        begins to listen, where the matrix names a command that shows it
#   stop_console FOLDER  ends that; FOLDER/console has the end of what was shown, printable, at most 128 KiB

start_console() {
	[ -n "$(case_value access.console '')" ] || return 0
	mkdir "$ssh_folder/console"
	mkfifo "$ssh_folder/shown"
	become /bin/sh "$lab_folder/listen.sh" "$ssh_folder/console" <"$ssh_folder/shown" >/dev/null &
	echo $! >"$ssh_folder/console.listener"
	# Its input never ends and never has a word: most such commands end with their input.
	begin_console <>"$ssh_folder/hold" >"$ssh_folder/shown" 2>&1 &
	echo $! >"$ssh_folder/console.command"
}

# By IPMI a controller has one session, and one that was ended with its step is still there.
begin_console() {
	shows=$(case_value access.console)
	case $shows in
	*ipmitool\ *" sol activate") words_of "${shows% activate} deactivate" tether timeout -k 5 "$POWER_S" >/dev/null 2>&1 || true ;;
	esac
	words_of "$shows" show_console
}

# In the background, with whatever it starts in a session of its own: all of that ends with it.
show_console() { # command...
	exec 8<&-
	exec setsid -w setpriv --pdeathsig TERM "$scripts/lib/tethered.sh" $$ "$@"
}

stop_console() { # folder
	[ -e "$ssh_folder/console.command" ] || return 0
	kill "$(cat "$ssh_folder/console.command")" 2>/dev/null || true
	rm "$ssh_folder/console.command"
	listener=$(cat "$ssh_folder/console.listener") looks=0
	while kill -0 "$listener" 2>/dev/null && [ "$looks" -lt 40 ]; do
		looks=$((looks + 1))
		sleep 0.05
	done
	kill "$listener" 2>/dev/null || true
	[ ! -d "$1" ] || cat "$ssh_folder/console/older" "$ssh_folder/console/newer" 2>/dev/null >"$1/console" || true
}
