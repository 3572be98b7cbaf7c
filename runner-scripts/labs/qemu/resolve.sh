#!/bin/sh
# Say which exact package a revision means today: package, version and SHA-256, tab-separated, on one line.
#
#   resolve.sh PACKAGE VERSION ARCH      VERSION may be `latest`, ARCH is x86_64 or aarch64

set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$here/../../lib/common.sh"
. "$here/cache.sh"
. "$here/archive.sh"

[ $# -eq 3 ] || refuse "resolve.sh: expected PACKAGE VERSION ARCH, got $# words"
check_package "$1" "$2"
architecture=$(debian_arch "$3")
answer=$cache/apt/$architecture/resolved/$1=$2
if ! archive_is_fresh "$architecture" || [ ! -s "$answer" ]; then
	open_archive "$architecture"
	package=$(concrete_package "$1")
	version=$(package_field "$package" "$2" Version)
	[ -n "$version" ] ||
		refuse "debian/$architecture: no package '$1' in version '$2'; see 'apt-cache search linux-image' and mend the revision"
	mkdir -p "${answer%/*}"
	printf '%s\t%s\t%s\n' "$package" "$version" "$(package_field "$package" "$version" SHA256)" >"$answer.$$"
	mv "$answer.$$" "$answer"
fi
cat "$answer"
