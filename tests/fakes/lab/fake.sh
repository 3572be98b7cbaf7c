# A lab whose trials take no time and come out as its case's names say. Sourced by the four scripts.
#
# The firewall decides what goes wrong: `refused` and `broken` end with 2 and 3, `flaky` with 3 the first time, `cut`
# leaves half a result. A commit comes out as its file `state` says: rate, and `whole`, `broken` (does not build) or
# `panics` (does not boot). A patch comes out as its first line says: `costs`, `wins`, `idle` (neither), `offset` (applies
# with one), `unfit` and `homeless` (its kernel is not made: its fault, the lab's), `panics`. No guest boots while there is a file that $FAKE_BROKEN names. $FAKE_LOG lists every call as it
# begins; a trial lasts $FAKE_SECONDS. Sourced with: case, run folder.

set -eu
case_file=$1 run=${2:-}

value() { # key
	awk -F '\t' -v key="$1" '$1 == key { print substr($0, length(key) + 2); exit }' "$case_file"
}

slug=$(for axis in hardware revision firewall patch traffic; do value "$axis.name"; done | paste -s -d / -)
[ -z "${FAKE_LOG:-}" ] || echo "${0##*/} $slug${3:+ $3}" >>"$FAKE_LOG"

fail() { # status sentence step
	mkdir -p "$run/failed"
	number=1
	while [ -e "$run/failed/$3.$number" ]; do number=$((number + 1)); done
	mv "$run/$3.partial" "$run/failed/$3.$number"
	printf '%s\t%s\n' "$1" "$2" >"$run/failed/$3.$number/reason"
	printf 'what led to it\n%s\n\n' "$2" >&2
	exit "$1"
}

begin() { # step
	rm -rf "$run/$1.partial"
	mkdir -p "$run/$1.partial"
}

finish() { # step
	mv "$run/$1.partial" "$run/$1"
}

state() { # 1 for the rate, 2 for the word
	[ "$(value revision.kind)" != git ] ||
		git -C "$(value revision.package)" show "$(value revision.version):state" | cut -d ' ' -f "$1"
}

patch_word() {
	[ -z "$(value patch.file)" ] || head -n 1 "$(value patch.file)"
}

# What becomes of the case's kernel: nothing is said where all is well, else a sentence and the status.
kernel_status() {
	case $(patch_word) in
	unfit) echo "$(value patch.file): hunk 2 of net/a.c (line 7) does not fit src; read x.log, and write it anew" >&2 && return 2 ;;
	homeless) echo "box: 'gcc' is missing; install the Debian package 'gcc'" >&2 && return 3 ;;
	offset) echo "$(value patch.file): applies to src with offsets (hunk 1 of net/a.c by 3 lines); see x.log" >&2 ;;
	esac
}
