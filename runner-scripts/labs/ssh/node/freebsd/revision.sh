#!/bin/sh
# The revision in a line of version: 'r317849' of '#2 r317849M: ...', 'n268154' of '#0 main-n268154-b5a5a06fc012: ...'.
#
#   freebsd/revision.sh VERSION

printf '%s\n' "$1" | sed -n 's/.*[ -]\([rn][0-9][0-9]*\)[M :-].*/\1/p'
