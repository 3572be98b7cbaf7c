# What every runner script shares: how it fails, reads its case, keeps its output and ends its children. Sourced.

# The change is wrong: exit status 2, no retry. Where: what was found; what to do.
refuse() { # message
	printf '%s\n' "$*" >&2
	exit 2
}

# The lab is broken: exit status 3, one retry is fair.
give_up() { # message
	printf '%s\n' "$*" >&2
	exit 3
}

need() { # command Debian-package
	command -v "$1" >/dev/null 2>&1 || give_up "$(uname -n): '$1' is missing; install the Debian package '$2'"
}

open_case() { # file
	case_file=$1
	[ -r "$case_file" ] || refuse "$case_file: cannot be read; write it with 'fwdlab cases --write'"
	[ "$(case_value format)" = "fwdlab-case 1" ] ||
		refuse "$case_file: is no case file of format 'fwdlab-case 1'; write it again with 'fwdlab cases --write'"
}

# One value of the case file; the default, if given, where the key is not there. Nothing of the file is evaluated.
case_value() { # key [default]
	awk -F '\t' -v key="$1" -v given="${2+yes}" -v default="${2-}" '
		$1 == key { print substr($0, length(key) + 2); found = 1; exit }
		END { if (!found && given) print default; exit !found && !given }' "$case_file" ||
		refuse "$case_file: no line '$1'; write it again with 'fwdlab cases --write'"
}

# The case's five names, as messages call it.
case_slug() {
	for axis in hardware revision firewall patch traffic; do case_value "$axis.name"; done | paste -s -d / -
}

# Run a command that ends when this script does, even killed. Where there is no setpriv: plainly.
tether() { # command...
	if command -v setpriv >/dev/null 2>&1; then
		setpriv --pdeathsig KILL "$@"
	else
		"$@"
	fi
}

with_lock() { # lock-file command...
	lock=$1
	shift
	mkdir -p "${lock%/*}" || give_up "${lock%/*}: cannot be made; free space or mend the rights"
	exec 9>"$lock"
	flock 9
	"$@"
	exec 9>&-
}

fact() { # file key value
	printf '%s\t%s\n' "$2" "$3" >>"$1"
}

sha256() { # file
	sha256sum "$1" | cut -d ' ' -f 1
}
