#!/bin/sh
# Become a command, and leave its number in a file.
#
#   generators/launch.sh FILE COMMAND [WORD...]

echo $$ >"$1"
shift
exec "$@"
