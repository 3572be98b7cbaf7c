#!/bin/sh
# Run a command that has children of its own, and end all of them when the caller is gone: the kernel tells the leader of
# their session, and that tells them.
#
#   setsid -w setpriv --pdeathsig TERM tethered.sh CALLER COMMAND...      CALLER is the process that calls

set -eu
[ "$PPID" -eq "$1" ] || exit 1
trap 'kill -KILL 0' TERM
shift
exec 3<&0 # what runs in the background has no input unless it is given one
"$@" <&3 3<&- &
wait "$!"
