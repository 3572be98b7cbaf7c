# A kernel built from source: the case's patch and options on the lab's small configuration. Sourced.
#
#   $cache/kernels/built-KEY/image        what is booted
#                            vmlinux      the same with its symbols, for a disassembler
#                            modules.cpio empty: everything is in the image
#                            config  release  build.log  patch  offsets
#   $cache/kernels/built-KEY.log          of the last try
#
# KEY stands for source, patch, options, configuration, compiler and the way to build.

OPTION='CONFIG_[A-Za-z0-9_]+=(y|n|-?[0-9]+|0x[0-9A-Fa-f]+)'

need_built_kernel() {
	patch_file=$(case_value patch.file) patch_digest=$(case_value patch.sha256) options=$(case_value patch.options)
	kind=$(case_value revision.kind) origin=$(case_value revision.package) version=$(case_value revision.version)
	digest=$(case_value revision.sha256)
	check_asked
	set_tools
	kernel=$(built_folder "$patch_digest" "$options")
	[ ! -e "$kernel/release" ] || return 0
	need_tools
	source=$(source_folder "$kind" "$origin")
	[ "$kind" != source ] || open_archive "$architecture"
	with_lock "$source.lock" build_missing
}

# What becomes a word of git, or a pattern.
check_asked() {
	case $kind:$version in
	git: | git:*[!0-9a-f]*) refuse "$(source_name): the version is no commit's whole name; write the case file again" ;;
	esac
	printf '%s\n' "$options" | grep -qxE "($OPTION( $OPTION)*)?" ||
		refuse "$(patch_name): options '$options' are not such as 'CONFIG_NET_NS=n'; mend 'options' of the patch"
}

built_folder() { # patch-digest options
	printf '%s\n' "$cache/kernels/built-$({
		way_to_build
		printf '%s\n' "$kind" "$origin" "$version" "$digest" "$@"
	} | sha256sum | cut -c 1-12)"
}

# What every kernel of this lab and machine has in common.
way_to_build() {
	cat "$lab_folder/build.sh" "$lab_folder/compile.sh" "$lab_folder/config/common.config" \
		"$lab_folder/config/older.config" "$lab_folder/config/$machine.config"
	printf '%s\n' "$machine" "$compiler"
}

# Each way has its own: make sees that a configuration changed, but not its own surroundings, and would keep objects
# that another way made. The place of a source is compiled into them, for one.
objects_folder() {
	printf '%s\n' "$source/build-$machine-$(way_to_build | sha256sum | cut -c 1-12)"
}

source_name() {
	printf '%s (%s %s)\n' "$(case_value revision.name)" "$origin" "$version"
}

# The kernel as its source has it comes first: one with a patch is held against it.
build_missing() {
	find_tree "$kind" "$origin" "$version" "$digest"
	plain=$(built_folder '' '')
	build_kernel "$plain" '' ''
	if [ "$kernel" != "$plain" ]; then build_kernel "$kernel" "$patch_file" "$options"; fi
}

build_kernel() { # into patch-file options
	built=$1
	[ ! -e "$built/release" ] || return 0
	new_work "$built"
	{ mkdir "$work/done" && true >"$built.log"; } || give_up "$built.log: cannot be written; free space, then run again"
	check_out "$tree"
	if [ -n "$2" ]; then
		copy_named patch file patch "$work/done/patch"
		apply_patch "$work/done/patch"
	fi
	build=$(objects_folder)
	[ ! -e "$build/unfinished" ] || rm -rf "$build"
	{ mkdir -p "$build" && true >"$build/unfinished"; } || give_up "$build: cannot be written; free space, then run again"
	remove_unused "$source" 'build-*'
	configure "$3"
	make_kernel
	[ "$built" = "$plain" ] || refuse_unchanged
	keep_work "$built"
}

# What a kernel that was built tells of itself.
provision_built() { # folder
	cp "$kernel/build.log" "$1/build.log"
	fact "$1/facts" compiler "$compiler"
	[ -z "$patch_file" ] || cp "$kernel/patch" "$1/patch"
	[ -s "$kernel/offsets" ] || return 0
	tell_offsets
	fact "$1/facts" patch_offsets "$offsets"
}
