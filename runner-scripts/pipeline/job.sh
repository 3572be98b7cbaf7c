#!/bin/sh
# One job of a child pipeline: the runner scripts of one case, on a machine that is clean before and after it.
#
#   job.sh traffic     prepare.sh where the case is not prepared yet, then traffic.sh for this round
#   job.sh collect     collect.sh
#   job.sh leave       end what a job left behind; after_script calls it, whatever became of the job
#
# The pipeline says in the environment: FWDLAB_RUN, the case's folder below results/runs; FWDLAB_REPEAT, the round;
# FWDLAB_PLACE, the machine, which has one job at a time; FWDLAB_FOLDER, where the matrix lies; FWDLAB_LOOK, the file
# that says how many rounds a case needs, for a round that may not be needed. expanded/ is what its job expand left.
#
# Exit status: the runner script's; 4 where another job's failure leaves this one nothing to do.

set -eu
folder=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
scripts=${folder%/*} here=$PWD place=$FWDLAB_PLACE run=$PWD/results/runs/$FWDLAB_RUN
. "$folder/alone.sh"

give_up() {
	printf '%s\n' "$*" >&2
	exit 3
}

idle() {
	printf '%s\n' "$*" >&2
	exit 4
}

end() { # status
	trap - EXIT
	trap '' PIPE # whoever listened may be gone: that must not end the cleaning
	clean
	exit "$1"
}

# The scripts end with 0, 2 or 3; anything else is a signal, and the lab's.
step() { # script word...
	status=0
	alone "$@" || status=$?
	case $status in
	0) ;;
	2 | 3) end "$status" ;;
	*) give_up "${1##*/}: was ended with status $status; see what ended it, and run the job again" ;;
	esac
}

# The case file as it was planned, where `fwdlab run` has it too.
write_case() {
	[ -s expanded/cases ] || idle "expanded/cases: is not there; see the job 'plan', and run the pipeline again"
	case_file=$here/results/cases/${FWDLAB_RUN%/*}.case
	mkdir -p "${case_file%/*}" "${run%/*}"
	awk -F '\t' '$1 == "run" { ours = $2 == ENVIRON["FWDLAB_RUN"]; next } ours' expanded/cases >"$case_file"
	[ -s "$case_file" ] || idle "expanded/cases: has no '$FWDLAB_RUN'; run the pipeline again from its job expand"
}

# The place of this boot among all that were planned.
order() {
	awk -F '\t' '$1 == ENVIRON["FWDLAB_RUN"] && $2 == ENVIRON["FWDLAB_REPEAT"] { print $3 }' "$here/expanded/order"
}

# How many rounds a look wants of the case.
wanted() {
	awk -F '\t' '$1 == ENVIRON["FWDLAB_RUN"] { print $2 }' "$here/$FWDLAB_LOOK"
}

# Without a first round there is no case to go on with; with the reason that its job left, if any. A later round that
# failed is not known here: a job takes the artifacts of round 1 alone.
need_first() {
	[ ! -e "$run/repeat-1" ] || return 0
	said=$(find "$run/failed" -name reason -exec cat {} + 2>/dev/null | cut -f 2- | tail -n 1)
	idle "$FWDLAB_RUN: is given up, since round 1 left no result${said:+ ($said)}; see that job"
}

traffic() {
	if [ -n "${FWDLAB_LOOK:-}" ]; then
		[ -s "$here/$FWDLAB_LOOK" ] || idle "$FWDLAB_LOOK: is not there; see the job that was to look, and run it again"
		rounds=$(wanted)
		if [ "$FWDLAB_REPEAT" -gt "${rounds:-0}" ]; then
			echo "$FWDLAB_RUN: round $FWDLAB_REPEAT is not needed: after ${rounds:-0} its campaigns have what they ask"
			return
		fi
	fi
	[ "$FWDLAB_REPEAT" -eq 1 ] || need_first
	place_of_boot=$(order)
	step "$scripts/prepare.sh" "$case_file" "$run"
	step "$scripts/traffic.sh" "$case_file" "$run" "$FWDLAB_REPEAT" "${place_of_boot:-0}"
}

collect() {
	need_first
	step "$scripts/collect.sh" "$case_file" "$run"
}

command -v ps >/dev/null || give_up "$(uname -n): 'ps' is missing; install the Debian package 'procps'"
trap 'end $?' EXIT
trap 'end 143' TERM
trap 'end 130' INT HUP
clean
[ "$1" != leave ] || exit 0
write_case
cd "$FWDLAB_FOLDER"
case $1 in
traffic) traffic ;;
collect) collect ;;
*) give_up "job.sh: '$1' is not known; known are 'traffic', 'collect' and 'leave'" ;;
esac
