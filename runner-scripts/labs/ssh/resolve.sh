#!/bin/sh
# Say what a real machine is to boot: what it comes from, its version and no hash, tab-separated, on one line.
#
#   resolve.sh KIND PACKAGE VERSION ARCH      ARCH is of what is built here; '-' where nothing is
#
# No machine is asked. What is booted is compared with the version before anything is measured. The source of what is
# built for a machine is found as for a virtual one.

set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$here/../../lib/common.sh"

[ $# -eq 4 ] || refuse "resolve.sh: expected KIND PACKAGE VERSION ARCH, got $# words"
case $1 in source | git) exec "$here/../qemu/resolve.sh" "$@" ;; esac
[ "$3" != latest ] ||
	refuse "what 'latest' is only the machine could say; write the release that it boots, as 'uname -r' tells it, or the revision in 'uname -v'"
printf '%s\t%s\t\n' "$2" "$3"
