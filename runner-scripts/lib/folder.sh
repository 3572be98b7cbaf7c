# A folder is whole or not there: work goes to NAME.partial, which takes its name when all is in it. Sourced.

# A run folder holds one case.
keep_case() { # run-folder
	[ -e "$1/case" ] || { cp "$case_file" "$1/case.partial" && mv "$1/case.partial" "$1/case"; } ||
		give_up "$1/case: cannot be written; free space or mend the rights"
	same_case "$1"
}

open_run() { # run-folder
	[ -e "$1/prepare" ] || give_up "$1: is not prepared; run prepare.sh first"
	same_case "$1"
}

# How the machine's nodes are reached may change meanwhile: no result depends on it.
same_case() { # run-folder
	is_same_case "$case_file" "$1/case" || refuse "$1: holds another case than $case_file; choose another folder"
}

is_same_case() { # case-file case-file
	[ "$(grep -v '^access[.]' "$1")" = "$(grep -v '^access[.]' "$2")" ]
}

# Empty and ours alone; what an earlier, killed attempt left under this name goes, but for whole trials of several.
new_partial() { # final
	need flock util-linux
	mkdir -p "$1.partial" || give_up "$1.partial: cannot be made; free space or mend the rights"
	exec 8<"$1.partial"
	flock -n 8 || give_up "$1.partial: another script is at work there; wait for it, then run again"
	next_attempt
	[ ! -e "$1.partial/trial-1/result" ] || put_aside "$1.partial"
	find "$1.partial" -mindepth 1 -delete
}

next_attempt() {
	number=1
	while [ -e "$run_folder/failed/$step.$number" ]; do number=$((number + 1)); done
	attempt=$run_folder/failed/$step.$number
	evidence=$attempt
}

# A killed attempt becomes evidence, as one that failed did itself.
put_aside() { # partial
	printf '3\t%s\n' "$run_folder: $step was killed while its trials were measured; run again" >"$1/reason"
	{ mkdir -p "$attempt" && mv "$1"/* "$attempt"; } || give_up "$attempt: cannot be written; free space or mend the rights"
	next_attempt
}

keep_partial() { # final
	sync "$1.partial"/* || give_up "$1.partial: cannot be written to the disk; free space"
	mv "$1.partial" "$1" || give_up "$1: cannot be written; free space or mend the rights"
}

# Do a step of a run in a folder of its own: whole and kept, or failed, kept as evidence, and said. No shell between
# this one and the step: it must stop at its first failure, and its children must end when this script is killed.
# $attempt is where its folder will lie if it fails; $evidence is that, or the folder in it of one trial of several.
in_folder() { # run-folder name command...
	run_folder=$1 step=$2
	shift 2
	new_partial "$run_folder/$step"
	exec 3>&2
	trap 'fail_step $?' EXIT
	exec 2>"$run_folder/$step.partial/messages"
	"$@" "$run_folder/$step.partial"
	keep_partial "$run_folder/$step"
	trap 'leave $?' EXIT
	exec 2>&3 3>&-
	cat "$run_folder/$step/messages" >&2
}

# What went wrong stays as evidence: RUN/failed/STEP.1, STEP.2, ... each with its reason, `status<TAB>sentence`.
fail_step() { # status
	set +e
	exec 2>&3 3>&-
	partial=$run_folder/$step.partial again=
	said=$(tail -n 1 "$partial/messages")
	judge_failure "$1"
	[ "$status" -ne 3 ] || ! command -v lab_recover >/dev/null || ! lab_recover 2>>"$partial/messages" || again=yes
	! command -v lab_close >/dev/null || lab_close
	cat "$partial/messages" >&2
	[ "$reason" = "$(tail -n 1 "$partial/messages")" ] || printf '%s\n' "$reason" >&2
	{ printf '%s\t%s\n' "$status" "$reason" >"$partial/reason"; } 2>/dev/null
	mkdir -p "$run_folder/failed" && mv "$partial" "$attempt"
	after_failure
	trap - EXIT
	[ -z "$again" ] || do_again
	exit "$status"
}

# The whole script once more, by the same words: what it did already it finds done.
do_again() {
	echo "$run_folder: $step is done once more" >&2
	set -- "${whole_case:-$case_file}" "$run_folder"
	[ -z "${repeat:-}" ] || set -- "$@" "$repeat" "${order:-0}"
	exec 8<&-
	export FWDLAB_AGAIN=yes
	exec "$0" "$@"
}

# The status and the sentence of a failed step: what was refused or given up on purpose said so itself.
judge_failure() { # status
	status=3 reason=$said
	if ! has_room "$partial"; then
		reason="$run_folder: cannot be written to; free space or mend the rights, then run again"
	elif cache_is_full; then
		[ -n "${room_told:-}" ] || reason="$cache: the disk is full; free space, then run again"
	elif [ "$1" -eq "$REFUSED" ]; then
		status=2
	elif [ "$1" -ne 3 ]; then
		reason="$run_folder: $step stopped with status $1 ($said); mend that and run again"
	fi
}

# What a script does after a failed step; it may define its own.
after_failure() { :; }
