#!/bin/sh
# The next boot is of what a script of the operator's brings; it has the version as its word.
#
#   provision/command.sh SCRIPT VERSION      SCRIPT as the matrix has it; it lies as 'command' here

. ./say.sh
/bin/sh ./command "$2" >state/command 2>&1 || {
	status=$?
	cat state/command >&2
	give_up "'$1' ended with status $status ($(last_words state/command)); mend that and run again"
}
