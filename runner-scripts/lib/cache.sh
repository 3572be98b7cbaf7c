# Where what a lab makes for itself stays between runs (kernels, programs, package index): whole, or made again. Sourced.

cache=${FWDLAB_CACHE:-${XDG_CACHE_HOME:-${HOME:-/var/tmp/fwdlab-$(id -u)}/.cache}/fwdlab}
case $cache in /*) ;; *) cache=$PWD/$cache ;; esac

# A folder to make something of the cache in, under its lock; what a killed attempt left goes first.
new_work() { # final
	work=$1.work
	rm -rf "$work"
	mkdir -p "$work" || give_up "$work: cannot be made; free space, or set FWDLAB_CACHE to another folder"
}

# Days after which an entry that no run used goes when another of its kind comes, or the cache would only grow.
UNUSED_DAYS=60

keep_work() { # final
	rm -rf "$1"
	mv "$work/done" "$1"
	rm -rf "$work"
	remove_unused "${1%/*}" '*'
}

remove_unused() { # folder pattern
	find "$1" -mindepth 1 -maxdepth 1 -name "$2" ! -name '*.lock' -mtime +"$UNUSED_DAYS" -exec rm -rf {} +
}

used() { # final
	touch -c "$1" 2>/dev/null || true
}

# Is there room for more than a sentence?
has_room() { # folder
	{ head -c 65536 /dev/zero >"$1/room"; } 2>/dev/null && room=yes || room=
	rm -f "$1/room"
	[ -n "$room" ]
}

cache_is_full() {
	[ -d "$cache" ] && [ -w "$cache" ] && ! has_room "$cache"
}

# A tool that has no room says so in words of its own, or in none; `leave` calls this where the lab is at fault.
tell_more() {
	! cache_is_full || [ -n "${room_told:-}" ] || printf '%s: the disk is full; free space, then run again\n' "$cache" >&2
}
