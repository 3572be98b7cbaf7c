#!/bin/sh
# Make ready what a case needs and note under which conditions it will be measured.
#
#   prepare.sh CASE_FILE RUN_FOLDER      RUN_FOLDER/prepare/ holds the facts
#
# Run in the folder of the matrix: the rule files and patches a case names are found from there.

set -eu
scripts=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$scripts/lib/common.sh"
. "$scripts/lib/folder.sh"
. "$scripts/lib/lab.sh"
. "$scripts/lib/machines.sh"

[ $# -eq 2 ] || refuse "prepare.sh: expected CASE_FILE RUN_FOLDER, got $# words"
open_case "$1"
open_lab
refuse_quarantined

prepare() { # folder
	copy_rules "$1/rules"
	[ -z "$(case_value firewall.generate '')" ] || fact "$1/facts" rules_sha256 "$(sha256 "$1/rules")"
	fact "$1/facts" host "$(uname -srm)"
	fact "$1/facts" host_cpu "$(awk -F ': ' '/^model name/ { print $2; exit }' /proc/cpuinfo 2>/dev/null || sysctl -n hw.model)"
	lab_provision "$1"
}

mkdir -p "$2" || give_up "$2: cannot be made; free space or mend the rights"
keep_case "$2"
[ -e "$2/prepare" ] || in_folder "$2" prepare prepare
