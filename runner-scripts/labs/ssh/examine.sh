# Examining real machines, from the controller: each node, its clock, each port of the path; then what spare.sh has. Sourced.

CLOCK_S=2 # more between controller and node, and logs of both cannot be laid side by side
CONTROLLER_MIB=256
NODE_MIB=16

. "$scripts/labs/ssh/spare.sh"

lab_examine() { # firewall...
	roles=$(roles_of "$(case_value hardware.topology)")
	generator=$(case_value hardware.generator)
	flow_addresses "$(case_value traffic.family)"
	controller=$(uname -n)
	check "$controller" has_tools ssh openssh-client flock util-linux || return 0
	check "$controller" has_key || return 0
	check "$controller" has_space "$cache" "$CONTROLLER_MIB" || true
	new_ssh_folder
	ssh_configuration >"$ssh_folder/config"
	take_leases
	make_bundle
	for role in $roles; do connect_node "$role"; done
	for examined in $roles; do examine_node "$examined" "$@"; done
	examine_power
	examine_console
	if [ "$faults" -eq 0 ]; then
		check "$(host_of sender)" offers_alone || true
	else
		echo "       $(host_of sender): its load was not tried, since there are faults"
	fi
	for role in $roles; do (clear_node "$role") 2>/dev/null || true; done
	lab_close
}

has_key() {
	usable_key
	echo "has the key '$(case_value access.identity)'"
}

# Only the shell that began a connection sees its end.
examine_node() { # role firewall...
	connected "$1" || true
	check "$(host_of "$1")" reach "$1" || return 0
	keep_node "$1"
	begun=$(date +%s)
	check "$(host_of "$1")" look_at_node "$@" || return 0
	ended=$(date +%s)
	tell_node "$(host_of "$1")" <"$ssh_folder/$1.examined"
	for port in $(ports_of "$1"); do
		check "$(host_of "$1")" look_at_port "$1" "$port" || true
	done
}

reach() { # role
	[ -S "$ssh_folder/$1" ] || blame_ssh "$1" "$ssh_folder/$1.said"
	settle_node "$1"
	echo "answers; its key is the pinned one, ours is accepted"
}

look_at_node() { # role firewall...
	role=$1
	shift
	set -- system.sh "$(os_of "$role")" -- examine.sh "$NODE_MIB" "$role" "$generator" "$@"
	on "$role" 30 "$@" >"$ssh_folder/$role.examined"
	echo "runs $(os_of "$role"), and we may change it"
}

tell_node() { # where; lines of node/examine.sh
	while IFS='	' read -r kind text; do
		case $kind in
		ok) fine "$1" "$text" ;;
		fault) fault "$1: $text" ;;
		clock) check "$1" same_clock "$text" "$1" || true ;;
		esac
	done
}

# The node said its time somewhere between these two of ours.
same_clock() { # seconds where
	if [ "$1" -lt $((begun - CLOCK_S)) ] || [ "$1" -gt $((ended + CLOCK_S)) ]; then
		give_up "$2: its clock is $(($1 - ended)) s from this host's; set it, and see that NTP keeps both"
	fi
	echo "its clock is this host's, within $((CLOCK_S + ended - begun)) s"
}

look_at_port() { # role port
	interface=$(interface_of "$1.$2") rate=$(($(case_value hardware.line_rate_bps) / 1000000))
	on "$1" 30 "$(stack_of "$1")/port.sh" "$1.$2" "$interface" "$(case_value "hardware.$1.$2.mac" -)" -- \
		speed.sh "$interface" "$rate" >"$ssh_folder/$1.$2.port"
	sed -n 1p "$ssh_folder/$1.$2.port" >>"$ssh_folder/ports"
	echo "$2 '$interface' has a link, $(sed -n 2p "$ssh_folder/$1.$2.port")"
}
