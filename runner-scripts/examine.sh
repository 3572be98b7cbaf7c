#!/bin/sh
# Examine the machine of a case: a line a check, `ok` or `fault`, each fault with what to look at. A machine with a fault
# is quarantined, so that no job uses it; one without is not, any more.
#
#   examine.sh CASE_FILE [FIREWALL]...      the firewalls that the machine is to run
#
# Exit status: 0 all is well, 3 there are faults. Run in the folder of the matrix.

set -eu
scripts=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$scripts/lib/common.sh"
. "$scripts/lib/folder.sh"
. "$scripts/lib/lab.sh"
. "$scripts/lib/machines.sh"
. "$scripts/lib/examine.sh"

[ $# -ge 1 ] || refuse "examine.sh: expected CASE_FILE [FIREWALL]..., got no word"
open_case "$1"
shift
open_lab
case $lab in
qemu) . "$scripts/labs/qemu/examine.sh" ;;
netns) . "$scripts/labs/netns/examine.sh" ;;
*) . "$scripts/labs/ssh/examine.sh" ;;
esac
lab_examine "$@"
if [ "$faults" -eq 0 ]; then
	lift_quarantine
	exit 0
fi
quarantine "$first_fault"
[ "$faults" -eq 1 ] && count=fault || count=faults
give_up "$(case_value hardware.name): $faults $count, so it is quarantined; mend that, then './lab doctor $(case_value hardware.name)' again"
