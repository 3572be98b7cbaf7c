# Clocks that jump during a trial: what a generator reports by such a clock is of no time. Sourced.
#
#   note_clocks      before the load
#   steady_clocks    after it; ends the trial where a clock shows another time beyond this host's than before
#
# A node says its time somewhere between two of ours, so only what lies outside of both is a jump.

note_clocks() {
	moment=before
	on_every read_clock
}

steady_clocks() {
	moment=after jumped='' by=0
	on_every read_clock
	for role in $roles; do
		jump=$(jump_of "$role")
		[ "$jump" -eq 0 ] || jumped="$jumped $role" by=$jump
	done
	case ${jumped# } in
	'') return ;;
	"$roles") give_up "$(uname -n): its clock jumped by $((-by)) s during the trial; see that NTP keeps it, by small steps" ;;
	esac
	give_up "$(host_of "${jumped##* }"): its clock jumped by $by s during the trial; see that NTP keeps it, by small steps"
}

# By how much its clock is ahead of ours, at least and at most.
read_clock() { # role
	asked=$(date +%s)
	on "$1" 20 clock.sh >"$ssh_folder/$1.time"
	echo "$(($(cat "$ssh_folder/$1.time") - $(date +%s))) $(($(cat "$ssh_folder/$1.time") - asked))" >"$ssh_folder/$1.$moment"
}

jump_of() { # role
	read -r least most <"$ssh_folder/$1.before"
	read -r least_now most_now <"$ssh_folder/$1.after"
	if [ "$least_now" -gt $((most + 1)) ]; then
		echo $((least_now - most))
	elif [ "$most_now" -lt $((least - 1)) ]; then
		echo $((most_now - least))
	else
		echo 0
	fi
}
