#!/bin/sh
# Keep the end of what comes through standard input, printable and bounded, up to date at every line.
#
#   listen.sh FOLDER      FOLDER/older and FOLDER/newer, one after the other; at most 128 KiB

set -eu
cd "$1"
LC_ALL=C
export LC_ALL
MOST=65536
carriage_return=$(printf '\r')

# Most lines need no process of their own.
keep_line() { # text
	text=${1%"$carriage_return"}
	case $text in *[!\ -~]*) text=$(printf '%s' "$text" | tr -cd '\t -~') ;; esac
	[ "${#text}" -le 1000 ] || text=$(printf '%.1000s' "$text")
	size=$((size + ${#text} + 1))
	if [ "$size" -gt "$MOST" ]; then
		mv newer older
		size=$((${#text} + 1))
	fi
	printf '%s\n' "$text" >>newer
}

size=0
: >newer
while IFS= read -r line; do keep_line "$line"; done
[ -z "$line" ] || keep_line "$line"
