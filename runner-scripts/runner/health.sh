#!/bin/sh
# Say what is wrong with the runner of a machine and with its host: one sentence a fault, and nothing where all is well.
#
#   health.sh MACHINE
#
# Exit status: 0 all is well; 3 the lab is at fault; 2 what somebody wrote is, if that is all there is.

set -eu
folder=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$folder/place.sh"
. "$folder/checks.sh"

[ $# -eq 1 ] || refuse "health.sh: expected MACHINE, got $# words"
open_machine "$1"
need ps procps
need curl curl
status=0
check_config
check_runner
check_answer
check_folder "$(home_of "$machine")"
check_space "$(home_of "$machine")"
check_leftovers
check_load
exit "$status"
