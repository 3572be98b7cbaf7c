# What is done on the nodes, over the connections that are open, a deadline for every command. Sourced.
#
#   on ROLE SECONDS SCRIPT [WORD...] [-- SCRIPT [WORD...]]...      run scripts of node/ there; their output is ours
#   later ROLE SCRIPT [WORD...]; do_all ROLE SECONDS               the same, put together bit by bit
#   on_every FUNCTION                                              call it with each role, side by side
#
# Only scripts run there, one after the other until one fails, each for at most so many seconds. Their words go through
# standard input, a line each: no shell on the way reads them.

on_every() { # function
	for role in $roles; do
		"$1" "$role" &
		echo $! >"$ssh_folder/$role.begun"
	done
	for role in $roles; do wait "$(cat "$ssh_folder/$role.begun")" || exit; done
}

# In the background: become that command, which then ends with this script, even killed. It holds no lock of ours, nor
# what we speak to: what it leaves would keep who listens there waiting.
become() { # command...
	exec 8<&- 3>&-
	! command -v setpriv >/dev/null 2>&1 || exec setpriv --pdeathsig KILL "$@"
	exec "$@"
}

# The outer deadline is for nodes that cannot keep their own. Where the connection broke no other is opened: what was
# begun over it is gone.
over_ssh() { # role fixed-command [seconds]
	tether timeout --foreground -k 5 "$((${3:-50} + CONNECT_S))" ssh -F "$ssh_folder/config" -o ProxyCommand=false "$1" "$2" 2>"$ssh_folder/$1.said"
}

on() { # role seconds script word... [-- script word...]...
	node=$1 seconds=$2 script=$3
	shift
	printf '%s\n' "$@" -- >"$ssh_folder/$node.words"
	call "$node" "$script" "$seconds"
}

later() { # role script word...
	role=$1
	shift
	printf '%s\n' "$@" -- >>"$ssh_folder/$role.later"
}

do_all() { # role seconds
	{ echo "$2" && cat "$ssh_folder/$1.later"; } >"$ssh_folder/$1.words"
	rm "$ssh_folder/$1.later"
	call "$1" "what is set there" "$2"
}

call() { # role what seconds
	hold_lease "$1"
	scripts_called=$(grep -cx -e -- "$ssh_folder/$1.words")
	over_ssh "$1" "/bin/sh $remote-$1/call" $(($3 * scripts_called)) <"$ssh_folder/$1.words" || blame "$1" $? "$2" "$3"
	cat "$ssh_folder/$1.said" >&2
}

os_of() { case_value "hardware.$1.os"; } # role
