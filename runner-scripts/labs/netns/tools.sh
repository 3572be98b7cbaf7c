# The lab's own programs, compiled where they run and kept in the cache. Sourced.
#
#   $tools/live-frames  packets     senders
#          xdp-drop                 a sink
#          slices                   what the sender's interface counted in each part of a trial

PROGRAMS="live-frames packets xdp-drop slices"

need_tools() {
	need cc gcc
	tools=$cache/netns/$({ cat "$lab_folder"/tools/* "$lab_folder/tools.sh" && cc --version; } | sha256sum | cut -c 1-12)
	[ -e "$tools" ] || with_lock "$tools.lock" build_tools
}

build_tools() {
	[ ! -e "$tools" ] || return 0
	new_work "$tools"
	mkdir "$work/done"
	for program in $PROGRAMS; do
		tether cc -std=gnu11 -O2 -o "$work/done/$program" "$lab_folder/tools/$program.c" >"$work/compile.log" 2>&1 ||
			give_up "$lab_folder/tools/$program.c: does not compile ($(grep -m 1 error: "$work/compile.log")); install the Debian package 'libc6-dev'"
	done
	keep_work "$tools"
}
