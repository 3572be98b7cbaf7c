# A build that failed: whose fault it is, in the words of whoever complained, and where its log is. Sourced.

# What a patch or a commit broke is its author's; anything else the lab's.
fail_build() {
	blame_disk
	blame_memory
	rm -f "$build/unfinished"
	said="does not build ($(first_complaint)); read $(kept_log)"
	[ "$built" = "$plain" ] || refuse "$(patch_name): $(source_name) with it $said"
	[ "$kind" = source ] || refuse "$(source_name): $said"
	give_up "$(source_name): $said, and mend the lab's tools"
}

first_complaint() {
	{ grep -m 1 -E '(error|undefined reference|\*\*\*)[: ]' "$built.log" || tail -n 1 "$built.log"; } |
		sed 's,^\.\./tree/,,' | printable_line
}

# What failed for want of space may have made room again, so its words count too; on a disk nearly full a compiler may
# have had no room for words either.
blame_disk() {
	if cache_is_full || grep -qE '(No space left on device|Disk quota exceeded)$' "$built.log" ||
		{ failed_without_a_word && [ "$(megabytes_left)" -lt 64 ]; }; then
		room_told=yes
		give_up "$cache: the disk is full; read $(kept_log), free space, then run again"
	fi
}

failed_without_a_word() {
	case $(first_complaint) in *"*** ["*"] Error "*) ;; *) return 1 ;; esac
}

megabytes_left() {
	stat -f -c '%a %S' "$cache" | awk '{ printf "%d", $1 * $2 / 1048576 }'
}

blame_memory() {
	! grep -qE 'Killed signal terminated program|Cannot allocate memory$' "$built.log" ||
		give_up "$(uname -n): the compiler was killed, as when memory runs out; read $(kept_log), then run again"
}

# Where the log of a failed build is read: beside all else that a failed step leaves, where there is a step.
kept_log() {
	if [ -z "${evidence:-}" ]; then
		printf '%s\n' "$built.log"
	else
		cp "$built.log" "$run_folder/$step.partial/build.log"
		printf '%s\n' "$evidence/build.log"
	fi
}
