# After a step whose nodes did not answer: wait for those that do by themselves, and power-cycle a DUT that does not.
# Sourced.
#
#   lab_recover      true where the step is to be done once more; else $reason may say more than before

# What a node that did not answer leaves for this; called where it is blamed, in whatever shell.
fell_silent() { # role
	: >"$ssh_folder/$1.silent"
}

lab_recover() {
	[ -n "${ssh_folder:-}" ] && [ -n "${roles:-}" ] || return 1
	awake=
	for role in $roles; do
		[ ! -e "$ssh_folder/$role.silent" ] || { wake "$role" && awake=yes; } || return 1
	done
	[ -n "$awake" ] && [ -z "${FWDLAB_AGAIN:-}" ]
}

wake() { # role
	still_ours "$1" || return 1
	! answers "$1" || return 0
	[ "$1" = dut ] || return 1
	[ -z "${FWDLAB_AGAIN:-}" ] || { reason="$reason, though it was power-cycled before" && return 1; }
	before=$(host_of dut)
	if ! power cycle; then
		reason="$reason; $power_said"
		return 1
	fi
	echo "$before: does not answer and is power-cycled" >&2
	begun=$(date +%s)
	until answers dut; do
		if [ $(($(date +%s) - begun)) -ge "$RESTART_S" ]; then
			reason="$before: does not answer $RESTART_S s after it was power-cycled; look at its console, what it boots from and the cable of the admin network"
			return 1
		fi
		sleep 1
	done
	echo "$before: answers again after $(($(date +%s) - begun)) s" >&2
}

# By a connection of its own: an old one may be dead. Keys that are refused are an answer, and told at the next try.
answers() { # role
	probe "$1" && return
	case $(printable "$ssh_folder/$1.probe") in
	*"Permission denied"* | *"IDENTIFICATION HAS CHANGED"* | *"verification failed"*) return 0 ;;
	esac
	return 1
}

probe() { # role
	tether timeout -k 1 $((2 * CONNECT_S)) ssh -F "$ssh_folder/config" -o ControlPath=none "$1" true \
		>"$ssh_folder/$1.probe" 2>&1 </dev/null
}
