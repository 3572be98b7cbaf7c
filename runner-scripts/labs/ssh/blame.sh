# What went wrong on a node or on the way to it, as one sentence that names the host and the cure. Sourced.

host_of() { # role
	echo "$1 $(case_value "access.$1.host")"
}

# The end of a command on a node. What its script said comes first: 92 is the change's fault, 3 the lab's.
blame() { # role status script seconds
	said=$ssh_folder/$1.said
	cat "$said" >&2
	! grep -q 'No space left' "$said" || give_up "$(host_of "$1"): no space left for $3; free some in /var/tmp there"
	last=$(printable "$said" | tail -n 1)
	case $2 in
	"$REFUSED") refuse "$(host_of "$1"): $last" ;;
	3) give_up "$(host_of "$1"): $last" ;;
	124 | 137)
		fell_silent "$1"
		give_up "$(host_of "$1"): $3 was not done after $4 s; look at its console, power-cycle it if it hangs"
		;;
	255) blame_ssh "$1" "$said" ;;
	*) give_up "$(host_of "$1"): $3 ended with status $2 ($last); mend that and run again" ;;
	esac
}

# What ssh said of a connection that did not come about, or broke.
blame_ssh() { # role file
	cat "$2" >&2
	case $(printable "$2") in
	*"HOST IDENTIFICATION HAS CHANGED"*)
		cure="another host key than the pinned one; where it was set up anew, compare the key on its console and mend '$(case_value access.known_hosts)'"
		;;
	*"host key is known for"* | *"Host key verification failed"*)
		cure="no host key of it is pinned; compare the one of ssh-keyscan with its console and add it to '$(case_value access.known_hosts)'"
		;;
	*"Permission denied"*)
		cure="key '$(case_value access.identity)' is refused for user '$(case_value "access.$1.user")'; add its public half to the authorized_keys there"
		[ "$(case_value "access.$1.user")" != root ] || cure="$cure, and 'PermitRootLogin prohibit-password' to its sshd_config"
		;;
	*"Connection refused"*)
		fell_silent "$1"
		cure="nobody listens on port $(case_value "access.$1.port"); start its sshd, or mend 'port' in the matrix"
		;;
	*"Could not resolve"*) cure="name is not known; mend 'host' in the matrix, or the name service" ;;
	*"timed out"* | *"No route to host"* | *"unreachable"*)
		fell_silent "$1"
		cure="no answer within $CONNECT_S s; look at its power and at the cable of the admin network"
		;;
	*"Broken pipe"* | *"closed by"* | *"reset by peer"* | *"not responding"* | *"mux_client"* | *"Control socket"* | '')
		fell_silent "$1"
		cure="the connection broke; look at its console and at the cable of the admin network"
		;;
	*) cure="no connection ($(printable "$2" | tail -n 1)); try 'ssh $(case_value "access.$1.host")' by hand" ;;
	esac
	give_up "$(host_of "$1"): $cure"
}

# What a node wrote, without what would move a terminal's cursor.
printable() { # file
	tr -cd '\n -~' <"$1"
}
