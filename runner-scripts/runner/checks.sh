# What can be wrong with a runner and its host. Sourced by health.sh, which has opened the machine.

FREE_KIB=$((5 * 1024 * 1024)) # a kernel's source, its build, and the packages of a case
CLOCK_S=5                     # GitLab says whole seconds, and takes a moment to say them

fault() { # status message
	printf '%s\n' "$2" >&2
	[ "$status" -eq 3 ] || status=$1
}

check_config() {
	[ -z "$(find "$config" ! -user "$job_user")" ] || fault 3 "$config: is not of '$job_user', who cannot read it; register it again"
	[ -z "$(find "$config" ! -perm 600)" ] || fault 2 "$config: others may read the token; chmod 600 it, and register it with a new token"
	[ -n "$(config_value "$config" token)" ] || fault 2 "$config: has no token; register the runner"
}

check_runner() {
	running=$(daemons "$config" | paste -s -d ' ' -)
	case $running in
	'') fault 3 "$machine: no runner is at work; start its service, and read its log if it ends" ;;
	*' '*) fault 3 "$machine: more than one runner is at work (processes $running), so jobs may run side by side; stop all but the service's" ;;
	esac
}

check_answer() {
	[ -n "$(config_value "$config" token)" ] || return 0
	url=$(config_value "$config" url)
	answer=$(verified "$config")
	case $answer in
	valid) check_clock "$url" ;;
	refused) fault 2 "$config: GitLab at $url does not know the token any more; make a new runner there, and register it" ;;
	*) fault 3 "$url: does not answer the runner (${answer:-nothing in 60 s}); look at the network, the proxy and the certificate" ;;
	esac
}

# Seconds since 1970 of the Date in an HTTP answer's head.
epoch() {
	tr -d '\r' | awk 'tolower($1) == "date:" && NF == 7 {
		month = (index("JanFebMarAprMayJunJulAugSepOctNovDec", $4) + 2) / 3
		year = $5 - (month < 3)
		days = 365 * year + int(year / 4) - int(year / 100) + int(year / 400) + int((153 * ((month + 9) % 12) + 2) / 5) + $3 - 719469
		split($6, time, ":")
		print days * 86400 + time[1] * 3600 + time[2] * 60 + time[3]
		exit
	}'
}

check_clock() { # url
	theirs=$(curl -sI -m 20 "$1" </dev/null | epoch)
	[ -n "$theirs" ] || return 0 # a server need not say
	off=$(($(date -u +%s) - theirs))
	[ "$off" -le "$CLOCK_S" ] && [ "$off" -ge "-$CLOCK_S" ] || fault 3 "$(uname -n): the clock is $off s from GitLab's; set it, and see that NTP keeps it"
}

check_folder() { # folder
	if [ ! -d "$1" ] || ! id "$job_user" >/dev/null 2>&1; then
		fault 3 "$1: is not there, or user '$job_user' is not; run install.sh for this machine"
	elif [ -n "$(find "$1" -prune \( ! -user "$job_user" -o ! -perm -700 \))" ]; then
		fault 3 "$1: jobs may not write there; give it to '$job_user', and chmod u+rwx it"
	elif ! (: >"$1/.health") 2>/dev/null; then
		fault 3 "$1: cannot be written to; look whether the disk is full or mounted to read alone"
	fi
	rm -f "$1/.health" 2>/dev/null || true
}

check_space() { # folder
	free=$(df -Pk "$1" 2>/dev/null | awk 'NR == 2 { print $4 }')
	[ -z "$free" ] || [ "$free" -ge "$FREE_KIB" ] ||
		fault 3 "$1: only $((free / 1024)) MiB are free, $((FREE_KIB / 1024)) are needed; delete old checkouts below builds/"
}

# Processes of jobs' user that no runner is above.
check_leftovers() {
	left=$(ps axww -o pid= -o ppid= -o user= -o args= | mine=$job_user awk '
		$4 ~ /(^|\/)gitlab-runner$/ { runner[$1] = 1 }
		{ parent[$1] = $2; if ($3 == ENVIRON["mine"] && $NF != "<defunct>") ours[$1] = 1 }
		END {
			for (process in ours) {
				for (up = process; up > 1 && !(up in runner); up = parent[up]) continue
				if (!(up in runner)) print process
			}
		}' | sort -n | paste -s -d ' ' -)
	[ -z "$left" ] || fault 3 "$(uname -n): processes of '$job_user' outlived their jobs ($left); look what they are, then kill them"
}

# A host that waits for a job has nothing else to do.
check_load() {
	[ -n "$running" ] && [ -z "$(jobs_below "$running")" ] || return 0
	load=$(uptime | sed 's/.*load averages*: *//' | cut -d ' ' -f 1 | tr -d ,)
	awk -v load="$load" 'BEGIN { exit !(load > 1) }' || return 0
	fault 3 "$(uname -n): the load is $load and no job is at work; see what else runs here, since it disturbs trials"
}
