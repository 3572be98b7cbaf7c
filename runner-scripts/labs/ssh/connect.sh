# Connecting to the nodes: one ssh configuration for the lab, a connection a node that is opened once, host keys pinned, no
# agent and no password. Sourced.

CONNECT_S=${FWDLAB_CONNECT_S:-10}
case $CONNECT_S in *[!0-9]* | 0 | 1) refuse "FWDLAB_CONNECT_S: '$CONNECT_S' is not a whole number of seconds above 1" ;; esac

# A folder for sockets, whose names must be short. What killed scripts left goes: nobody locks it, and either it was whole
# or it is old.
new_ssh_folder() {
	need flock util-linux
	for left in "${TMPDIR:-/tmp}"/fwdlab-ssh.*; do
		find "$left" -prune -user "$(id -u)" \( -mmin +1 -o -exec test -e '{}/hold' ';' \) \
			-exec flock -n {} rm -rf {} ';' 2>/dev/null || true # another was first
	done
	ssh_folder=$(mktemp -d "${TMPDIR:-/tmp}/fwdlab-ssh.XXXXXX") ||
		give_up "${TMPDIR:-/tmp}: cannot be written; free space, then run again"
	exec 7<"$ssh_folder"
	flock 7
	mkfifo "$ssh_folder/hold"
}

open_nodes() {
	for role in $roles; do connect_node "$role"; done
	for role in $roles; do connected "$role" || blame_ssh "$role" "$ssh_folder/$role.said"; done
	on_every settle_node
	for role in $roles; do keep_node "$role"; done
}

connect_node() { # role
	become ssh -F "$ssh_folder/config" -M -N "$1" </dev/null >/dev/null 2>"$ssh_folder/$1.said" &
	echo $! >"$ssh_folder/$1.master"
}

# Waits until the connection is there, or will not be: a node that hangs may take a connection and say no more.
connected() { # role
	looks=0
	until [ -S "$ssh_folder/$1" ]; do
		kill -0 "$(cat "$ssh_folder/$1.master")" 2>/dev/null || return 1
		looks=$((looks + 1))
		[ "$looks" -lt $((CONNECT_S * 100)) ] || { echo "timed out" >"$ssh_folder/$1.said" && return 1; }
		sleep 0.02
	done
}

forget_node() { # role
	for child in keeper master; do
		kill "$(cat "$ssh_folder/$1.$child" 2>/dev/null)" 2>/dev/null || true
		rm -f "$ssh_folder/$1.$child"
	done
	rm -f "$ssh_folder/$1"
}

ssh_configuration() {
	cat <<-END
		BatchMode yes
		StrictHostKeyChecking yes
		UserKnownHostsFile $(at_home "$(case_value access.known_hosts)")
		GlobalKnownHostsFile /dev/null
		UpdateHostKeys no
		CheckHostIP no
		IdentityFile $(at_home "$(case_value access.identity)")
		IdentitiesOnly yes
		IdentityAgent none
		PreferredAuthentications publickey
		ForwardAgent no
		ForwardX11 no
		RequestTTY no
		ConnectTimeout $CONNECT_S
		ServerAliveInterval $((CONNECT_S / 2))
		ServerAliveCountMax 3
		ControlPath $ssh_folder/%n
		LogLevel ERROR
	END
	for role in $roles; do
		printf 'Host %s\n\tHostName %s\n\tPort %s\n\tUser %s\n' "$role" "$(case_value "access.$role.host")" \
			"$(case_value "access.$role.port")" "$(case_value "access.$role.user")"
	done
}

# A folder of its own on the node, named for this session and for the node's role: one host may have two. The host is
# leased to us, so what another session left there is a dead one's, and goes first.
settle_node() { # role
	hold_lease "$1"
	over_ssh "$1" "for left in /var/tmp/fwdlab-*-$1; do
			[ ! -e \"\$left/keep\" ] || /bin/sh \"\$left/keep\" </dev/null
			rm -rf \"\$left\"
		done
		mkdir -p $remote-$1 && tar -x -f - -C $remote-$1" <"$ssh_folder/bundle.tar" || blame "$1" $? copying 60
}

# What a node's keeper ends and removes when this script is gone, however that came. Nothing is ever written to what it
# reads: it waits for the end.
keep_node() { # role
	become ssh -F "$ssh_folder/config" -o ProxyCommand=false "$1" "/bin/sh $remote-$1/keep" <>"$ssh_folder/hold" >/dev/null 2>&1 &
	echo $! >"$ssh_folder/$1.keeper"
}

close_nodes() {
	on_every clear_node
	lab_close
}

clear_node() { # role
	over_ssh "$1" "/bin/sh $remote-$1/keep" </dev/null || true
}

# Whatever has happened: where a node is still there, its keeper cleans up.
lab_close() {
	[ -n "${ssh_folder:-}" ] || return 0
	for role in ${roles:-}; do forget_node "$role"; done
	[ -z "${step:-}" ] || stop_console "$run_folder/$step.partial"
	drop_leases
	rm -rf "$ssh_folder"
	exec 7<&-
	ssh_folder=
}
