# The compiler's side of a build: tools, configuration, make. Sourced.

# The words by which make and the compiler know the machine.
set_tools() {
	case $machine in
	x86_64) kernel_arch=x86 target=vmlinux ;;
	aarch64) kernel_arch=arm64 target=Image ;;
	esac
	prefix=
	[ "$(uname -m)" = "$machine" ] || prefix=$machine-linux-gnu-
	need "${prefix}gcc" "gcc$(debian_suffix)"
	need "${prefix}ld" "binutils$(debian_suffix)"
	compiler="$("${prefix}gcc" --version | head -n 1), $("${prefix}ld" --version | head -n 1)"
}

# What Debian adds to the name of a package that works for another machine.
debian_suffix() {
	[ -z "$prefix" ] || echo "-${prefix%-}" | tr _ -
}

need_tools() {
	need_git
	for tool in gcc make flex bison bc ccache; do need "$tool" "$tool"; done
	[ "$machine" != x86_64 ] || echo '#include <libelf.h>' | gcc -E - >/dev/null 2>&1 ||
		give_up "$(uname -n): 'libelf.h' is missing; install the Debian package 'libelf-dev'"
	case $cache in *[[:space:]:]*) give_up "$cache: make takes no folder with a space or colon; set FWDLAB_CACHE to another one" ;; esac
}

# Nothing of the caller's environment reaches make: KCFLAGS, LLVM or CPATH would change a kernel, and not its key.
# CCACHE_BASEDIR: what was compiled in one source's folder is taken for the same file in another's.
kbuild() { # make's words
	setsid -w setpriv --pdeathsig TERM "$scripts/lib/tethered.sh" "$$" env -i PATH="$PATH" LC_ALL=C TMPDIR="$work" \
		CCACHE_DIR="$cache/ccache" CCACHE_BASEDIR="$cache/sources" CCACHE_MAXSIZE=2G \
		KBUILD_BUILD_TIMESTAMP='2000-01-01 00:00:00 UTC' \
		KBUILD_BUILD_USER=fwdlab KBUILD_BUILD_HOST=fwdlab KBUILD_BUILD_VERSION=1 \
		make -C "$source/tree" O="$build" ARCH="$kernel_arch" CROSS_COMPILE="$prefix" CC="ccache ${prefix}gcc" \
		HOSTCC="ccache gcc" LOCALVERSION= "$@" >>"$built.log" 2>&1 &
	wait "$!"
}

# The lab's small configuration; of the case's own options each must have taken effect.
configure() { # options
	{
		cat "$lab_folder/config/common.config" "$lab_folder/config/older.config" "$lab_folder/config/$machine.config"
		printf '%s\n' "$1" | tr ' ' '\n'
	} >"$work/fragment"
	kbuild KCONFIG_ALLCONFIG="$work/fragment" allnoconfig || fail_build
	for option in $1; do
		[ "$(option_now "${option%%=*}")" = "${option#*=}" ] ||
			refuse "patch '$(case_value patch.name)': option '$option' has no effect in $(source_name), it comes out as '$(option_now "${option%%=*}")'; name the options it depends on too"
	done
}

option_now() { # name
	now=$(sed -n "s/^$1=//p" "$build/.config")
	echo "${now:-n}"
}

make_kernel() {
	kbuild -j"$(nproc)" "$target" || fail_build
	keep_kernel || { blame_disk && give_up "$work: the kernel cannot be kept; read $(kept_log), then run again"; }
	rm "$build/unfinished"
}

keep_kernel() {
	case $target in
	Image) cp "$build/arch/arm64/boot/Image" "$work/done/image" ;;
	*) "${prefix}strip" -o "$work/done/image" "$build/vmlinux" ;;
	esac && cp "$build/vmlinux" "$work/done/vmlinux" &&
		mkdir "$work/modules" && pack "$work/modules" >"$work/done/modules.cpio" &&
		cp "$build/.config" "$work/done/config" && cp "$built.log" "$work/done/build.log" &&
		cp "$build/include/config/kernel.release" "$work/done/release"
}
