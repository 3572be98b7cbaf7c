# What every runner script shares: how it ends, reads its case, keeps its output and ends its children. Sourced.

export LC_ALL=C # what programs say is read here, and told; numbers have a point

# A shell ends with 2 by itself where it cannot write a file, so a refusal has a status of its own until `leave`.
REFUSED=92

# The change is wrong: exit status 2, no retry. Where: what was found; what to do.
refuse() { # message
	printf '%s\n' "$*" >&2
	exit "$REFUSED"
}

# The lab is broken: exit status 3, one retry is fair.
give_up() { # message
	printf '%s\n' "$*" >&2
	exit 3
}

# Whatever ends a script, it ends with 0, 2 or 3: what nobody foresaw is the lab's.
leave() { # status
	trap - EXIT
	! command -v lab_close >/dev/null || lab_close
	case $1 in
	0) exit 0 ;;
	"$REFUSED") exit 2 ;;
	3) ;;
	*) printf '%s\n' "${0##*/}: stopped with status $1, the line above says why; mend that and run again" >&2 ;;
	esac
	! command -v tell_more >/dev/null || tell_more
	exit 3
}
trap 'leave $?' EXIT

need() { # command Debian-package
	command -v "$1" >/dev/null 2>&1 || give_up "$(uname -n): '$1' is missing; install the Debian package '$2'"
}

# What the scripts or the records read of every case; a lab adds its own.
CASE_KEYS="hardware.name hardware.lab revision.name revision.kind revision.package revision.version revision.sha256
	firewall.name firewall.rules firewall.sha256 patch.name patch.file patch.sha256 patch.options
	traffic.name traffic.family traffic.frame_size traffic.flows traffic.load runner.sha256"

open_case() { # file
	case_file=$1
	[ -f "$case_file" ] && [ -r "$case_file" ] ||
		refuse "$case_file: cannot be read; write it with 'fwdlab cases --write'"
	[ "$(case_value format none)" = "fwdlab-case 1" ] ||
		refuse "$case_file: is no case file of format 'fwdlab-case 1'; write it again with 'fwdlab cases --write'"
	twice=$(awk -F '\t' 'seen[$1]++ { print $1; exit }' "$case_file")
	[ -z "$twice" ] || refuse "$case_file: two lines '$twice'; write it again with 'fwdlab cases --write'"
	for key in $CASE_KEYS; do case_value "$key" >/dev/null; done
}

# One value of the case file; the default, if given, where the key is not there. Nothing of the file is evaluated.
case_value() { # key [default]
	awk -F '\t' -v key="$1" -v given="${2+yes}" -v default="${2-}" '
		$1 == key { print substr($0, length(key) + 2); found = 1; exit }
		END { if (!found && given) print default; exit !found && !given }' "$case_file" ||
		refuse "$case_file: no line '$1'; write it again with 'fwdlab cases --write'"
}

# Values that are counts: the guest works with them.
need_counts() { # key...
	for key; do
		count=$(case_value "$key")
		case $count in
		'' | *[!0-9]*) refuse "$case_file: '$key' is '$count', not a whole number; write it again with 'fwdlab cases --write'" ;;
		esac
	done
}

# A file that an entry of the matrix names, if it is still the one that was planned.
copy_named() { # axis key noun to
	named=$(case_value "$1.$2")
	[ -f "$named" ] && [ -r "$named" ] || refuse "$named: $3 cannot be read; mend the $1 entry of the matrix"
	cat <"$named" >"$4" || give_up "$4: cannot be written; free space, then run again"
	[ "$(sha256 "$4")" = "$(case_value "$1.sha256")" ] || refuse "$named: has changed since the case was planned; plan again"
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

# One at a time in all scripts of this machine. Locks do not nest: there is one place for one.
with_lock() { # lock-file command...
	lock=$1
	shift
	need flock util-linux
	{ mkdir -p "${lock%/*}" && true >>"$lock"; } 2>/dev/null ||
		give_up "$lock: cannot be written; free space, mend the rights, or set FWDLAB_CACHE to another folder"
	exec 9>>"$lock"
	flock 9
	"$@"
	exec 9>&-
}

fact() { # file key value
	printf '%s\t%s\n' "$2" "$3" >>"$1"
}

sha256() { # file
	sum=$(sha256sum <"$1") && echo "${sum%% *}"
}
