# The lab's own programs, compiled where they run and kept in the cache. Sourced.
#
#   $tools/live-frames  packets     senders
#          connections              makes connections, or answers them
#          forget                   empties a state table
#          xdp-drop                 a sink
#          slices                   what the sender's interface counted in each part of a trial

own_tools=$scripts/labs/netns
PROGRAMS="live-frames packets connections forget xdp-drop slices"

need_tools() {
	need cc gcc
	tools=$cache/netns/$({ cat "$own_tools"/tools/* "$own_tools/tools.sh" && cc --version && echo "${tool_flags:-}"; } | sha256sum | cut -c 1-12)
	used "$tools"
	[ -e "$tools" ] || with_lock "$tools.lock" build_tools
}

build_tools() {
	[ ! -e "$tools" ] || return 0
	new_work "$tools"
	mkdir "$work/done"
	for program in $PROGRAMS; do
		tether cc -std=gnu11 -O2 "${tool_flags:--pipe}" -o "$work/done/$program" "$own_tools/tools/$program.c" >"$work/compile.log" 2>&1 ||
			give_up "$own_tools/tools/$program.c: does not compile ($(grep -m 1 error: "$work/compile.log")); install the Debian package 'libc6-dev'"
	done
	keep_work "$tools"
}
