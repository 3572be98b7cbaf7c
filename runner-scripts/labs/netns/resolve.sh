#!/bin/sh
# Say which kernel runs here: `kernel`, its release and a hash of what it is, tab-separated, on one line.
#
#   resolve.sh running kernel VERSION ARCH      VERSION is the release that must run, or `latest` for any; ARCH is unused

set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$here/../../lib/common.sh"
. "$here/kernel.sh"

[ $# -eq 4 ] || refuse "resolve.sh: expected KIND PACKAGE VERSION ARCH, got $# words"
[ "$1" = running ] ||
	refuse "a lab of kind 'netns' measures the kernel that runs, none from '$2'; exclude this revision there, or write 'running: kernel'"
release=$(running_release)
case $3 in
latest | "$release") printf '%s\t%s\t%s\n' "$2" "$release" "$(running_sha256)" ;;
*) refuse "'$release' runs on $(uname -n), not '$3'; boot that kernel, or write 'version: latest'" ;;
esac
