#!/bin/sh
# Measure one repeat of a case: offer the load, count at every hop, keep everything that was said.
#
#   traffic.sh CASE_FILE RUN_FOLDER REPEAT [ROUND_ORDER]      RUN_FOLDER/repeat-REPEAT/ holds the raw output
#
# A repeat that is there already is not measured again. Run in the folder of the matrix, after prepare.sh.

set -eu
scripts=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$scripts/lib/common.sh"
. "$scripts/lib/folder.sh"
. "$scripts/lib/lab.sh"
. "$scripts/lib/machines.sh"
. "$scripts/lib/several.sh"

[ $# -ge 3 ] || refuse "traffic.sh: expected CASE_FILE RUN_FOLDER REPEAT, got $# words"
open_case "$1"
repeat=$3 order=${4:-0}
case $repeat in '' | *[!0-9]*) refuse "traffic.sh: repeat '$repeat' is not a whole number" ;; esac
open_lab
refuse_quarantined

traffic() { # folder
	fact "$1/facts" repeat "$repeat"
	fact "$1/facts" order "$order"
	fact "$1/facts" started "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
	fact "$1/facts" load_average "$(cut -d ' ' -f 1 /proc/loadavg 2>/dev/null || true)"
	if takes_several; then several_trials "$1" one_trial; else one_trial "$1"; fi
	! command -v lab_rest >/dev/null || lab_rest
	fact "$1/facts" ended "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
}

one_trial() { # folder
	lab_trial "$1" "$repeat"
}

open_run "$2"
[ -e "$2/repeat-$repeat" ] || in_folder "$2" "repeat-$repeat" traffic
