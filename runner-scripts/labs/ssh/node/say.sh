# How a node's script ends when something is wrong, and what most of them need. Sourced, from the folder of `call`.

# The change is wrong: what was found; what to do. The controller says where.
refuse() { # message
	printf '%s\n' "$*" >&2
	exit 92
}

# The lab is broken.
give_up() { # message
	printf '%s\n' "$*" >&2
	exit 3
}

need() { # command package
	command -v "$1" >/dev/null 2>&1 || give_up "'$1' is missing; install the package '$2' there"
}

# A line of the result.
say() { # kind value...
	printf '%s' "$1"
	shift
	printf '\t%s' "$@"
	echo
}

# What the end of the session undoes is noted before it is done; what cannot be noted would stay.
undo_by() { # name command
	echo "$2" >"state/$1.undo" || give_up "what undoes '$1' cannot be noted; look at the disk"
}

# The last thing a tool said, as a sentence can carry it.
last_words() { # file
	tr -cd '\n -~' <"$1" | grep . | tail -n 1 | cut -c 1-300
}

# A clock that jumps meanwhile takes nobody's time away.
wait_until() { # seconds what command...
	patience=$1 what=$2 looked=$(date +%s)
	last=$((looked + patience))
	shift 2
	until "$@"; do
		now=$(date +%s)
		case $((now - looked)) in [0-4]) ;; *) last=$((last + now - looked)) ;; esac
		looked=$now
		[ "$now" -le "$last" ] || give_up "$what did not come within $patience s"
		sleep 0.05
	done
}
