#!/bin/sh
# The next boot is of another boot environment of this node.
#
#   provision/freebsd-boot-environment.sh NAME VERSION

. ./say.sh
need bectl bectl
bectl list -H | cut -f 1 >state/environments
grep -q -x -F -e "$1" state/environments ||
	refuse "there is no boot environment '$1'; name one of $(paste -s -d , state/environments | sed 's/,/, /g')"
bectl activate "$1" >state/bectl 2>&1 || give_up "boot environment '$1' cannot be activated ($(last_words state/bectl))"
