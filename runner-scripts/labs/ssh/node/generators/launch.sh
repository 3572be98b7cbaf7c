#!/bin/sh
# Become a command, and leave its number in a file: what nobody could end is not begun.
#
#   generators/launch.sh FILE COMMAND [WORD...]

echo $$ >"$1" || exit
shift
exec "$@"
