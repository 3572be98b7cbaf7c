#!/bin/sh
# An archive that has every package, but for those whose name says what goes wrong.
#
#   resolve.sh KIND PACKAGE VERSION ARCH

set -eu
shift
[ -z "${FAKE_RESOLVE_LOG:-}" ] || echo "$*" >>"$FAKE_RESOLVE_LOG"
case $1 in
*gone*)
	echo "debian: reading lists" >&2
	echo "debian: no package '$1' in version '$2'; mend the revision" >&2
	exit 2
	;;
*unreachable*)
	echo "deb.example: no answer after 60 s; check the network" >&2
	exit 3
	;;
*mute*) exit 4 ;;
*garbled*) echo "all is well" ;;
*)
	version=$2
	[ "$version" != latest ] || version=6.1.158-1
	printf '%s-5\t%s\t%064d\n' "$1" "$version" 7
	;;
esac
