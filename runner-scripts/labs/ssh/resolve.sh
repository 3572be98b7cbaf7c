#!/bin/sh
# Say what a real machine is to boot: what it comes from, its version and no hash, tab-separated, on one line.
#
#   resolve.sh KIND PACKAGE VERSION ARCH      ARCH is unused
#
# No machine is asked: a plan needs no network. What is booted is compared with the version before anything is measured.

set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$here/../../lib/common.sh"

[ $# -eq 4 ] || refuse "resolve.sh: expected KIND PACKAGE VERSION ARCH, got $# words"
[ "$3" != latest ] ||
	refuse "what 'latest' is only the machine could say; write the release that it boots, as 'uname -r' tells it, or the revision in 'uname -v'"
printf '%s\t%s\t\n' "$2" "$3"
