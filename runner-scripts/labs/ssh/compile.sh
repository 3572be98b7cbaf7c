# Building a kernel for a real machine: what takes the place of the virtual lab's steps of the same names. Sourced by a
# process of its own.
#
# 'kernel_config' of the matrix is the whole configuration, as its own kernel has it; `olddefconfig` answers what it does
# not say. On top of it comes what the lab's own ways need (needed.config), then the options of the patch.

. "$scripts/labs/qemu/archive.sh"
. "$scripts/labs/qemu/git.sh"
. "$scripts/labs/qemu/source.sh"
. "$scripts/labs/qemu/patch.sh"
. "$scripts/labs/qemu/compile.sh"
. "$scripts/labs/qemu/build-fault.sh"
. "$scripts/labs/qemu/build.sh"

build_for_machine() {
	machine=$(case_value hardware.arch '') config=$work_folder/config
	[ -n "$machine" ] || refuse "$(case_slug): the machine has no 'kernel_config' to build for; name one in its hardware entry of the matrix"
	architecture=$(debian_arch "$machine")
	copy_config
	case $(case_value revision.kind) in
	source) check_package "$(case_value revision.package)" "$(case_value revision.version)" ;;
	git) ;;
	*) refuse "$(case_slug): revision '$(case_value revision.name)' comes built; build cases that have 'source' or 'git'" ;;
	esac
	need_built_kernel
	used "$kernel"
	[ ! -s "$kernel/offsets" ] || tell_offsets
	printf '%s\n' "$kernel"
}

# The one that was planned.
copy_config() {
	named=$(case_value hardware.kernel_config)
	[ -f "$named" ] && [ -r "$named" ] || refuse "$named: kernel configuration cannot be read; mend 'kernel_config' in the matrix"
	cat <"$named" >"$config"
	[ "$(sha256 "$config")" = "$(case_value hardware.kernel_config_sha256)" ] || refuse "$named: has changed since the case was planned; plan again"
}

way_to_build() {
	cat "$scripts/labs/qemu/build.sh" "$scripts/labs/qemu/compile.sh" "$lab_folder/compile.sh" "$lab_folder/needed.config" "$config"
	printf '%s\n' "$machine" "$compiler"
}

configure() { # options
	{
		cat "$config" "$lab_folder/needed.config"
		printf '%s\n' "$1" | tr ' ' '\n'
	} >"$build/.config"
	kbuild olddefconfig || fail_build
	for option in CONFIG_KEXEC=y $1; do
		[ "$(option_now "${option%%=*}")" = "${option#*=}" ] ||
			refuse "$(option_owner "$option"): option '$option' has no effect in $(source_name), it comes out as '$(option_now "${option%%=*}")'; name the options it depends on too"
	done
}

option_owner() { # option
	case " $options " in *" $1 "*) echo "patch '$(case_value patch.name)'" ;; *) case_value hardware.kernel_config ;; esac
}

make_kernel() {
	case $machine in x86_64) target=bzImage ;; esac
	set -- "$target"
	[ "$(option_now CONFIG_MODULES)" = n ] || set -- "$@" modules
	kbuild -j"$(nproc)" LOCALVERSION=-fwdlab "$@" || fail_build
	keep_kernel || { blame_disk && give_up "$work: the kernel cannot be kept; read $(kept_log), then run again"; }
	rm "$build/unfinished"
}

keep_kernel() {
	release=$(cat "$build/include/config/kernel.release") && mkdir "$work/done/modules" &&
		cp "$build/arch/$kernel_arch/boot/$target" "$work/done/image" &&
		cp "$build/vmlinux" "$work/done/vmlinux" && cp "$build/.config" "$work/done/config" && cp "$built.log" "$work/done/build.log" &&
		cp "$build/modules.builtin" "$build/modules.builtin.modinfo" "$work/done/modules" && keep_modules &&
		printf '%s\n' "$compiler" >"$work/done/compiler" && build_id >"$work/done/build_id" && echo "$release" >"$work/done/release"
}

keep_modules() {
	[ "$(option_now CONFIG_MODULES)" = y ] || return 0
	kbuild LOCALVERSION=-fwdlab INSTALL_MOD_PATH="$work/installed" INSTALL_MOD_STRIP=1 DEPMOD=true modules_install &&
		rm -f "$work/installed/lib/modules/$release/build" "$work/installed/lib/modules/$release/source" &&
		cp -R "$work/installed/lib/modules/$release/." "$work/done/modules"
}

build_id() {
	"${prefix}readelf" -n "$build/vmlinux" | awk '$1 " " $2 == "Build ID:" { print $3; exit }'
}

# A patch may change modules alone.
refuse_unchanged() {
	{ ! cmp -s "$work/done/image" "$plain/image" || ! diff -rq "$work/done/modules" "$plain/modules" >/dev/null; } ||
		refuse "$(patch_name): changes nothing, the kernel of $(source_name) is the same without it, octet by octet; $(what_would_change)"
}
