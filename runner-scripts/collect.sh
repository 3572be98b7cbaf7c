#!/bin/sh
# Close a run: one profile outside the measured repeats, then the manifest with the SHA-256 of every file.
#
#   collect.sh CASE_FILE RUN_FOLDER      RUN_FOLDER/profile/, RUN_FOLDER/manifest
#
# The manifest is written even where the profile fails: what was measured stays usable.

set -eu
scripts=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$scripts/lib/common.sh"
. "$scripts/lib/folder.sh"
. "$scripts/lib/lab.sh"

[ $# -eq 2 ] || refuse "collect.sh: expected CASE_FILE RUN_FOLDER, got $# words"
open_case "$1"
open_lab

manifest() {
	(cd "$1" && find . -type f ! -name manifest ! -name manifest.partial ! -path '*.partial/*' | LC_ALL=C sort |
		sed 's,^\./,,' | while read -r file; do printf '%s  %s\n' "$(sha256 "$file")" "$file"; done) >"$1/manifest.partial"
	mv "$1/manifest.partial" "$1/manifest"
}

[ -e "$2/prepare" ] || give_up "$2: is not prepared; run prepare.sh first"
status=0
[ -e "$2/profile" ] || (in_folder "$2" profile lab_profile) || status=$?
manifest "$2" || give_up "$2/manifest: cannot be written; free space"
exit "$status"
