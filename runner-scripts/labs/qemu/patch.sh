# The case's patch: into the work tree of its source, and what is said where it does not fit or changes nothing. Sourced.

# Every line of context must be there. Hunks that fit some lines off are listed: file, number of the hunk, lines.
apply_patch() { # patch-file
	source_git apply --index -v --whitespace=nowarn "$1" >"$work/apply.log" 2>&1 ||
		refuse "$patch_file: $(misfit "$1") in $(source_name); write it anew for this source"
	awk '/^Checking patch / { file = $3; sub(/[.][.][.]$/, "", file) }
		/^Hunk #/ && match($0, /offset -?[0-9]+/) {
			print file "\t" substr($2, 2) "\t" substr($0, RSTART + 7, RLENGTH - 7) }' "$work/apply.log" >"$work/done/offsets"
}

# The first thing git had against a patch: hunk and file, where there is one.
misfit() { # patch-file
	at=$(sed -n 's/^error: patch failed: //p' "$work/apply.log" | head -n 1)
	if [ -n "$at" ]; then
		echo "hunk $(hunk_at "$1" "${at%:*}" "${at##*:}") of ${at%:*} (line ${at##*:}) does not fit"
	else
		sed -n 's/^error: //p' "$work/apply.log" | head -n 1
	fi
}

hunk_at() { # patch-file file line
	awk -v file="$2" -v line="$3" '
		/^--- / { hunk = 0; ours = ($2 == "a/" file) }
		/^[+][+][+] / { ours = ours || $2 == "b/" file }
		/^@@ / { hunk++; split($2, from, /[-,]/) }
		/^@@ / && ours && from[2] == line { print hunk; exit }' "$1"
}

# A patch that leaves the kernel as it was would be measured for nothing.
refuse_unchanged() {
	! cmp -s "$work/done/image" "$plain/image" ||
		refuse "patch '$(case_value patch.name)': the kernel is the same without it, octet by octet; $(why_unchanged)"
}

why_unchanged() {
	if [ -n "$patch_file" ]; then
		echo "does the lab's small configuration leave out $(sed -n 's/^Checking patch \(.*\)[.][.][.]$/\1/p' "$work/apply.log" | head -n 3 | paste -s -d , -)? name kernel options under 'options' of the patch"
	else
		echo "its options are set like this already"
	fi
}

# Fit lines of an earlier build, told with each case that uses it.
tell_offsets() { # folder
	[ -s "$kernel/offsets" ] || return 0
	fact "$1/facts" patch_offsets "$(awk -F '\t' '{ printf "%shunk %s of %s by %s lines", comma, $2, $1, $3; comma = ", " }' "$kernel/offsets")"
	while IFS="$(printf '\t')" read -r file hunk lines; do
		echo "$patch_file: hunk $hunk of $file fits $lines lines off in $(source_name); check that it is the place that was meant" >&2
	done <"$kernel/offsets"
}
