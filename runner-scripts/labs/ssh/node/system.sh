#!/bin/sh
# Whether this node is what the matrix says, and is ours to change.
#
#   system.sh OS

. ./say.sh
mkdir -p state
[ "$(id -u)" -eq 0 ] || give_up "user '$(id -un)' may set no interface and no route; name one who is root in 'user'"
system=$(uname -s | tr '[:upper:]' '[:lower:]')
[ "$system" = "$1" ] || refuse "runs '$system', the matrix says '$1'; mend 'os' of this node"
