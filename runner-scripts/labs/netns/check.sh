# Whether this host can be measured, and whether a trial on it ended well; if not, whose fault it was. Sourced.

check_kernel() {
	planned=$(case_value revision.version)
	[ "$planned" = "$(running_release)" ] ||
		give_up "$(uname -n): '$(running_release)' runs, planned was '$planned'; boot it, or plan again"
	[ "$(case_value revision.sha256)" = "$(running_sha256)" ] ||
		give_up "$(uname -n): another build of '$planned' runs than was planned, or it was started otherwise; plan again"
}

check_processor() {
	processor=$(case_value hardware.processor)
	taskset -c "$processor" true 2>/dev/null ||
		give_up "$(uname -n): processor $processor is not there, or not ours (ours are $(taskset -c -p $$ | sed 's/.*: //')); mend the hardware entry of the matrix"
}

# How to be alone with the network: as root, or as root of a user's own namespace.
check_namespaces() {
	for isolated in isolated_as_root isolated_as_user; do
		if "$isolated" true 2>/dev/null; then return; fi
	done
	give_up "$(uname -n): no network namespace may be made ($(isolated_as_user true 2>&1)); run as root, or allow users their namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone)"
}

isolated() { "$isolated" "$@"; }
isolated_as_root() { tether unshare --mount --net --pid --fork --kill-child --mount-proc "$@"; }
isolated_as_user() { tether unshare --user --map-root-user --mount --net --pid --fork --kill-child --mount-proc "$@"; }

# Did the trial end well? Its own words come first.
check_result() { # folder
	complaint=$(printable "$1/result" | sed -n 's/^error//p' | head -n 1)
	case $complaint in
	'') ;;
	refuse*) refuse "$(case_slug): ${complaint#refuse}" ;;
	*) give_up "$(case_slug): ${complaint#give_up}; read $evidence/trial.log" ;;
	esac
	[ "$trial_status" -ne 124 ] ||
		give_up "$(case_value hardware.name): the trial was not done after $(deadline_s) s ($(tail -n 1 "$1/trial.log")); read $evidence/trial.log"
	[ "$(tail -n 1 "$1/result")" = "end	ok" ] ||
		give_up "$(case_value hardware.name): the trial ended with status $trial_status after $(wc -l <"$1/result") lines ($(tail -n 1 "$1/trial.log")); read $evidence/trial.log"
}

# What a trial wrote, without what would move a terminal's cursor.
printable() { # file
	LC_ALL=C tr -cd '\n -~' <"$1"
}
