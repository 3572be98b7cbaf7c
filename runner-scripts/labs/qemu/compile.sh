# The compiler's side of a build: tools, configuration, make, and whose fault it is where that fails. Sourced.

# The words by which make and the compiler know the machine.
set_tools() {
	case $machine in
	x86_64) kernel_arch=x86 target=vmlinux ;;
	aarch64) kernel_arch=arm64 target=Image ;;
	esac
	prefix=
	[ "$(uname -m)" = "$machine" ] || prefix=$machine-linux-gnu-
	need "${prefix}gcc" "gcc$(debian_suffix)"
	compiler=$("${prefix}gcc" --version | head -n 1)
}

# What Debian adds to the name of a package that works for another machine.
debian_suffix() {
	[ -z "$prefix" ] || echo "-${prefix%-}" | tr _ -
}

need_tools() {
	need "${prefix}ld" "binutils$(debian_suffix)"
	for tool in make flex bison bc ccache git; do need "$tool" "$tool"; done
}

kbuild() { # make's words
	tether env -u MAKEFLAGS CCACHE_DIR="$cache/ccache" CCACHE_MAXSIZE=2G KBUILD_BUILD_TIMESTAMP='2000-01-01 00:00:00 UTC' \
		KBUILD_BUILD_USER=fwdlab KBUILD_BUILD_HOST=fwdlab KBUILD_BUILD_VERSION=1 \
		make -C "$source/tree" O="$build" ARCH="$kernel_arch" CROSS_COMPILE="$prefix" CC="ccache ${prefix}gcc" \
		HOSTCC="ccache gcc" LOCALVERSION= "$@" >>"$built.log" 2>&1
}

# The lab's small configuration; of the case's own options each must have taken effect.
configure() { # options patch-file
	{
		cat "$lab_folder/config/common.config" "$lab_folder/config/older.config" "$lab_folder/config/$machine.config"
		for option in $1; do echo "$option"; done
	} >"$work/fragment"
	: >"$built.log"
	kbuild KCONFIG_ALLCONFIG="$work/fragment" allnoconfig || fail_build "$2"
	for option in $1; do
		[ "$(option_now "${option%%=*}")" = "${option#*=}" ] ||
			refuse "patch '$(case_value patch.name)': option '$option' has no effect in $(source_name), it comes out as '$(option_now "${option%%=*}")'; name the options it depends on too"
	done
}

option_now() { # name
	now=$(sed -n "s/^$1=//p" "$build/.config")
	echo "${now:-n}"
}

make_kernel() { # patch-file
	kbuild -j"$(nproc)" "$target" || fail_build "$1"
	cp "$build/vmlinux" "$work/done/vmlinux"
	case $target in
	Image) cp "$build/arch/arm64/boot/Image" "$work/done/image" ;;
	*) "${prefix}strip" -o "$work/done/image" "$build/vmlinux" ;;
	esac
	mkdir "$work/modules"
	pack "$work/modules" >"$work/done/modules.cpio"
	cp "$build/.config" "$work/done/config"
	cp "$built.log" "$work/done/build.log"
	cp "$build/include/config/kernel.release" "$work/done/release.partial"
	mv "$work/done/release.partial" "$work/done/release"
	rm "$build/unfinished"
}

# The compiler's first complaint. What a patch or a commit broke is its author's; anything else the lab's.
fail_build() { # patch-file
	has_room "$cache" || give_up "$cache: the disk is full; free space, then run again"
	rm -f "$build/unfinished"
	said=$(grep -m 1 -E '(error|undefined reference|\*\*\*)[: ]' "$built.log" || tail -n 1 "$built.log")
	said="does not build (${said#"$source/tree/"}); read $built.log"
	[ -z "$1" ] || refuse "$1: $(source_name) with it $said"
	[ "$kind" = source ] || refuse "$(source_name): $said"
	give_up "$(source_name): $said, and mend the lab's tools"
}
