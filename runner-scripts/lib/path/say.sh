# What a trial says, as lines of its result, and what it reads of its case. Sourced; expects $case_file.

say() { # kind value...
	printf '%s' "$1"
	shift
	printf '\t%s' "$@"
	echo
}

# Whose fault: `refuse` (the rules are wrong) or `give_up` (the lab is).
fail() { # whose what was found; what to do
	say error "$@"
	say end failed
	exit 1
}

case_value() { # key [default]
	awk -F '\t' -v key="$1" -v default="${2-}" '
		$1 == key { print substr($0, length(key) + 2); found = 1 }
		END { if (!found) print default }' "$case_file"
}
