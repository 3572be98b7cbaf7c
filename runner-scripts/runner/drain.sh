#!/bin/sh
# Let the runner of a machine finish its jobs and take no more, and wait until it has ended. No job is ended by this.
#
#   drain.sh MACHINE [SECONDS]      SECONDS is the longest it waits: four hours where nothing is said
#
# Exit status: 0 no runner is at work any more; 2 wrong words; 3 jobs are still at work, and the last line says which.

set -eu
folder=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$folder/place.sh"

SAY_S=60 # between two words of what it waits for

[ $# -eq 1 ] || [ $# -eq 2 ] || refuse "drain.sh: expected MACHINE and perhaps SECONDS, got $# words"
open_machine "$1"
patience_s=${2:-14400}
case $patience_s in '' | *[!0-9]*) refuse "drain.sh: '$patience_s' is not a whole number of seconds" ;; esac

waits_for() { # processes
	jobs=$(jobs_below "$1" | paste -s -d ' ' -)
	echo "${jobs:-no job that shows itself}"
}

begun=$(date +%s) said=0 asked=
while running=$(daemons "$config") && [ -n "$running" ]; do
	for process in $running; do
		case " $asked " in
		*" $process "*) ;;
		*)
			kill -s QUIT "$process" 2>/dev/null || [ -z "$(daemons "$config")" ] ||
				give_up "$machine: you may not signal its runner, process $process; call this as root"
			asked="$asked $process"
			;;
		esac
	done
	waited=$(($(date +%s) - begun))
	if [ "$waited" -ge "$patience_s" ]; then
		give_up "$machine: still at work after $waited s: $(waits_for "$running"); wait longer, or cancel it at GitLab"
	elif [ "$waited" -ge "$said" ]; then
		echo "$machine: takes no more jobs, waits for $(waits_for "$running") ($waited s)"
		said=$((waited + SAY_S))
	fi
	sleep 1
done
echo "$machine: no runner is at work"
