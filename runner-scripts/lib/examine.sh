# Examining a machine: a line a check, on standard output, `ok` or `fault`. Sourced.

faults=0 first_fault=''

fine() { # where what
	printf 'ok     %s: %s\n' "$1" "$2"
}

fault() { # sentence
	printf 'fault  %s\n' "$1"
	[ "$faults" -gt 0 ] || first_fault=$1
	faults=$((faults + 1))
}

# A check ends as every script does: what it prints was found, its last words say what is wrong.
check() { # where function word...
	where=$1
	shift
	checked=$(mktemp "${TMPDIR:-/tmp}/fwdlab-check.XXXXXX") || give_up "${TMPDIR:-/tmp}: cannot be written; free space, then try again"
	if found=$( ("$@") 2>"$checked"); then
		fine "$where" "$found"
		passed=yes
	else
		fault "$(tr -cd '\n -~' <"$checked" | grep . | tail -n 1)"
		passed=
	fi
	rm -f "$checked"
	[ -n "$passed" ]
}

has_tools() { # command package...
	tools=
	while [ $# -gt 0 ]; do
		need "$1" "$2"
		tools="$tools $1"
		shift 2
	done
	echo "has$tools"
}

has_space() { # folder MiB
	mkdir -p "$1" 2>/dev/null || give_up "$1: cannot be made; free space or mend the rights"
	free=$(df -Pk "$1" | awk 'NR == 2 { print int($4 / 1024) }')
	[ "$free" -ge "$2" ] || give_up "$1: only $free MiB are free, $2 are needed; delete what nobody needs"
	echo "$free MiB are free"
}

# Load averages stand last in the line, whatever the system writes before them.
has_peace() { # most
	load=$(uptime | sed 's/.*load averages*: *//' | cut -d ' ' -f 1 | tr -d ,)
	awk -v load="$load" -v most="$1" 'BEGIN { exit load > most }' ||
		give_up "$(uname -n): the load is $load, more than $1; see what else runs here, since it disturbs trials"
	echo "load is $load"
}
