# The leases of a machine's hosts: who may work on them now. A file a host, on the controller; nothing is done on a host
# whose lease is another's. Sourced.
#
#   take_leases      afterwards all of them are ours, and are kept so while this script lives
#   still_ours ROLE  whether the lease of the role's host is
#   drop_leases      free for the next one
#
# A lease is lines of a key, a tab and a value, the holder's token first. It is only ever changed under the lock beside
# it. Who was killed is followed as soon as that is seen, on this host, or once the lease has expired.

. "$scripts/lib/machines.sh"
LEASE_S=${FWDLAB_LEASE_S:-60}
LEASE_WAIT_S=${FWDLAB_LEASE_WAIT_S:-900}

# In one order for everybody, so that two who want the same hosts do not wait for each other.
take_leases() {
	token=$(uname -n):$ssh_folder
	mkdir -p "$machines" 2>/dev/null || give_up "$machines: cannot be made; mend the rights, or set FWDLAB_MACHINES to another folder"
	for role in $roles; do case_value "access.$role.host"; done | sort -u >"$ssh_folder/hosts"
	while read -r machine; do
		lease=$machines/$machine.lease
		wait_for_lease
		echo "$lease" >>"$ssh_folder/leases"
	done <"$ssh_folder/hosts"
	become /bin/sh "$lab_folder/heartbeat.sh" "$ssh_folder/leases" "$token" "$LEASE_S" >/dev/null 2>&1 &
	echo $! >"$ssh_folder/heart"
}

wait_for_lease() {
	open_lock "$machine"
	waited=0 unchanged=0 seen=
	while :; do
		with_lock "$machines/$machine.lock" claim
		[ -z "$claimed" ] || return 0
		[ "$waited" -gt 0 ] || echo "$machine: is leased to $(holder_of "$lease"); waiting for it" >&2
		[ "$waited" -lt "$LEASE_WAIT_S" ] ||
			give_up "$machine: is still leased to $(holder_of "$lease") after $LEASE_WAIT_S s; look at what runs there, or wait for it"
		sleep 1
		waited=$((waited + 1)) unchanged=$((unchanged + 1))
	done
}

# Under the lock.
claim() {
	claimed=
	if [ -e "$lease" ]; then
		found=$(cat "$lease")
		[ "$found" = "$seen" ] || unchanged=0 seen=$found
		why=$(why_over "$lease") || exit
		[ -n "$why" ] || return 0
		echo "$machine: the lease of $(holder_of "$lease") is taken over: $why" >&2
	fi
	write_lease
	claimed=yes
}

# Why a lease is over, or nothing. A clock that jumps ends none: it must also have stayed as it is while we looked.
why_over() { # file
	expires=$(lease_value "$1" expires) now=$(date +%s)
	case $expires in '' | *[!0-9]*) give_up "$1: is no lease; see who works on the machine, then remove it" ;; esac
	if has_died "$(lease_value "$1" host)" "$(lease_value "$1" pid)"; then
		echo "that process is gone"
	elif [ "$unchanged" -ge "$LEASE_S" ]; then
		echo "it was not renewed for $unchanged s"
	elif [ "$now" -ge "$expires" ] && [ "$unchanged" -gt $((LEASE_S / 6 + 1)) ]; then
		echo "it expired $((now - expires)) s ago"
	fi
}

# Only a process of this host can be seen to be gone, and only by a kernel that shows everybody's.
has_died() { # host process
	[ "$1" = "$(uname -n)" ] && [ -e /proc/self ] && [ ! -e "/proc/$2" ]
}

write_lease() {
	{
		printf 'token\t%s\nowner\t%s\njob\t%s\n' "$token" "$(id -un)" "${CI_JOB_URL:-${run_folder:-none}}"
		printf 'host\t%s\npid\t%s\ntaken\t%s\n' "$(uname -n)" $$ "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
		printf 'expires\t%s\n' $(($(date +%s) + LEASE_S))
	} >"$lease.new" || give_up "$lease: cannot be written; free space or mend the rights"
	mv "$lease.new" "$lease"
}

lease_value() { # file key
	awk -F '\t' -v key="$2" '$1 == key { print $2; exit }' "$1" 2>/dev/null | tr -cd ' -~'
}

holder_of() { # file
	echo "$(lease_value "$1" owner) on $(lease_value "$1" host) (process $(lease_value "$1" pid), $(lease_value "$1" job), since $(lease_value "$1" taken))"
}

still_ours() { # role
	lease=$machines/$(case_value "access.$1.host").lease
	{ read -r _ holder <"$lease"; } 2>/dev/null && [ "$holder" = "$token" ]
}

# Before anything is done on a host.
hold_lease() { # role
	still_ours "$1" && return
	[ -e "$lease" ] || give_up "$(host_of "$1"): its lease is gone; see who removed $lease, then run again"
	give_up "$(host_of "$1"): its lease was taken by $(holder_of "$lease"); see what runs there, then run again"
}

drop_leases() {
	[ -s "$ssh_folder/leases" ] || return 0
	kill "$(cat "$ssh_folder/heart" 2>/dev/null)" 2>/dev/null || true
	while read -r lease; do
		(with_lock "${lease%.lease}.lock" drop_lease) || true
	done <"$ssh_folder/leases"
}

drop_lease() {
	{ read -r _ holder <"$lease"; } 2>/dev/null && [ "$holder" = "$token" ] || return 0
	rm -f "$lease"
}
