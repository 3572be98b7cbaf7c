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
. "$scripts/lib/several.sh"

[ $# -eq 2 ] || refuse "collect.sh: expected CASE_FILE RUN_FOLDER, got $# words"
open_case "$1"
open_lab

# `sha256  path` of each whole file, in the order of the paths' octets.
list_files() { # run-folder
	(cd "$1" && find . -type f ! -path ./manifest ! -name '*.partial' ! -path '*.partial/*') | LC_ALL=C sort |
		while IFS= read -r file; do
			digest=$(sha256 "$1/$file") && printf '%s  %s\n' "$digest" "${file#./}" || exit
		done
}

manifest() { # run-folder
	{ list_files "$1" >"$1/manifest.partial" && sync "$1/manifest.partial"; } ||
		give_up "$1/manifest: cannot be written; free space or mend the rights"
	mv "$1/manifest.partial" "$1/manifest"
}

profile() { # folder
	at_maximum lab_profile "$1"
}

after_failure() {
	manifest "$run_folder"
}

open_run "$2"
[ -e "$2/profile" ] || in_folder "$2" profile profile
manifest "$2"
