# A command of a job that leaves nothing behind, however it ends. Sourced; expects $place.
#
# What a job begins is in a process group of its own. A process can leave its group, so each is marked as well, in the
# environment it is born with, by the job's place and process: that holds for children and theirs, until they end.

mark=FWDLAB_INSIDE=${CI_PROJECT_ID:-0}/$place@
group=

# What this job began, and what jobs of this place began that are gone themselves.
strays() {
	ps axeww -o pid= -o command= | wanted=$mark awk '
		{ for (word = 2; word <= NF; word++) if (index($word, ENVIRON["wanted"]) == 1) print $1, substr($word, length(ENVIRON["wanted"]) + 1) }' |
		while read -r stray job; do
			[ "$job" != $$ ] && lives "$job" || echo "$stray"
		done
}

# A job that was killed is there until its parent has asked for its status, and is none.
lives() { # process
	case $(ps -p "$1" -o stat= -o command=) in Z*) return 1 ;; *job.sh*) ;; *) return 1 ;; esac
	! adrift "$1"
}

# A job whose runner was killed goes on, and is nobody's: above it are its shells, and then the first of all processes.
adrift() { # process
	above=$1
	while [ "${above:-1}" -gt 1 ]; do
		case $(ps -p "$above" -o command=) in *job.sh* | sh | sh\ -* | bash | bash\ -* | */sh | */sh\ -* | */bash | */bash\ -*) ;; *) return 1 ;; esac
		above=$(ps -p "$above" -o ppid= | tr -d ' ')
	done
}

clean() {
	tries=0
	while left=$(strays) && [ -n "$left" ]; do
		[ "$tries" -gt 0 ] || echo "$place: outlived their job and are ended: processes $(echo "$left" | paste -s -d ' ' -)" >&2 || true
		[ "$tries" -lt 50 ] || give_up "$place: processes of a job cannot be ended; look at the machine"
		for stray in $left; do kill -s KILL "$stray" 2>/dev/null || true; done
		tries=$((tries + 1))
		sleep 0.1
	done
	[ -z "$group" ] || kill -s KILL -- "-$group" 2>/dev/null || true
	group=
}

# `timeout 0` waits for ever, and makes the group.
alone() { # command...
	env "$mark$$" timeout 0 "$@" </dev/null &
	group=$!
	status=0
	wait "$group" || status=$?
	clean
	return "$status"
}
