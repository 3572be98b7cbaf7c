# The case's patch: into the work tree of its source, and what is said where it does not fit or changes nothing. Sourced.

# What differs from the source, as messages call it.
patch_name() {
	if [ -n "$patch_file" ]; then printf '%s\n' "$patch_file"; else printf "patch '%s'\n" "$(case_value patch.name)"; fi
}

# Every line of context must be there. Hunks that fit some lines off are listed: file, number of the hunk, lines.
apply_patch() { # patch-file
	if ! source_git apply --index -v --whitespace=nowarn "$1" >>"$built.log" 2>&1; then
		blame_disk
		refuse "$patch_file: $(misfit "$1"); read $(kept_log), and write it anew for this source"
	fi
	awk '/^Checking patch / { file = $0; sub(/^Checking patch /, "", file); sub(/( => .*)?[.][.][.]$/, "", file) }
		/^Hunk #/ && match($0, /offset -?[0-9]+/) {
			print file "\t" substr($2, 2) "\t" substr($0, RSTART + 7, RLENGTH - 7) }' "$built.log" >"$work/done/offsets"
}

# The first thing git had against a patch: hunk and file, where there is one.
misfit() { # patch-file
	at=$(sed -n 's/^error: patch failed: //p' "$built.log" | head -n 1)
	said=$(sed -n 's/^error: //p' "$built.log" | head -n 1 | printable_line)
	if [ -n "$at" ]; then
		printf '%s%s (line %s) does not fit %s%s\n' "$(hunk_at "$1" "${at%:*}" "${at##*:}")" \
			"$(printf '%s\n' "${at%:*}" | printable_line)" "${at##*:}" "$(source_name)" "$(line_ends "$1")"
	else
		case $said in
		"No valid patches"*) echo "holds no change that git can read" ;;
		*) printf 'does not apply to %s (%s)\n' "$(source_name)" "$said" ;;
		esac
	fi
}

# `hunk 2 of `, by the line of the file it says it begins at; nothing where its header is written in a way of its own.
hunk_at() { # patch-file file line
	file=$2 awk -v line="$3" '
		function named(header) {
			sub(/^[-+]* /, "", header)
			sub(/[\t\r].*/, "", header)
			sub(/^[^\/]*\//, "", header)
			return header
		}
		old > 0 || new > 0 {
			if (/^[^+\\]/ || /^$/) old--
			if (/^[^-\\]/ || /^$/) new--
			next
		}
		/^--- / { hunk = 0; ours = (named($0) == ENVIRON["file"]) }
		/^[+][+][+] / { ours = ours || named($0) == ENVIRON["file"] }
		/^@@ / {
			hunk++
			old = split($2, from, /[-,]/) > 2 ? from[3] : 1
			new = split($3, to, /[+,]/) > 2 ? to[3] : 1
			if (ours && from[2] == line) { print "hunk " hunk " of "; exit }
		}' "$1"
}

line_ends() { # patch-file
	[ -z "$(tr -cd '\r' <"$1" | head -c 1)" ] || echo ", and its lines end in CR LF"
}

# A patch that leaves the kernel as it was would be measured for nothing.
refuse_unchanged() {
	! cmp -s "$work/done/image" "$plain/image" ||
		refuse "$(patch_name): changes nothing, the kernel of $(source_name) is the same without it, octet by octet; $(what_would_change)"
}

what_would_change() {
	if [ -n "$patch_file" ]; then
		printf "read %s, and name kernel options that build %s under 'options' of the patch\n" "$(kept_log)" "$(touched_files)"
	else
		echo "name options that are not set like this already"
	fi
}

# The first three.
touched_files() {
	sed -n 's/^Checking patch \(.*\)[.][.][.]$/\1/p' "$built.log" | head -n 3 | paste -s -d , - | sed 's/,/, /g' | printable_line
}

# What fits off its lines is told with each case that uses it, whenever it was built.
tell_offsets() {
	offsets=$(awk -F '\t' '{ printf "%shunk %s of %s by %s line%s", comma, $2, $1, $3, $3 ~ /^-?1$/ ? "" : "s"; comma = ", " }' "$kernel/offsets")
	printf '%s: applies to %s with offsets (%s); see %s whether these are the places that were meant\n' \
		"$patch_file" "$(source_name)" "$offsets" "$kernel/build.log" >&2
}
