# The kernel of a case: built by us (build.sh), or from its Debian package, unpacked without installing it. Sourced.
#
#   $cache/kernels/PACKAGE_VERSION-KEY/vmlinuz       as packaged
#                                      image         what is booted: the same, unpacked where it was compressed
#                                      modules.cpio  those of the network, for the guest's first file system
#                                      config  release

# Network, netfilter and pktgen, the result's channel, and what these stand on.
GUEST_MODULES="net/core net/ipv4 net/ipv6 net/netfilter net/sched net/bridge net/llc net/802 drivers/net/veth.ko
	drivers/char/virtio_console.ko drivers/virtio lib crypto arch/x86/crypto arch/arm64/crypto"

# Afterwards $kernel is the folder of the case's kernel, and holds what a boot takes.
need_kernel() {
	case $(case_value revision.kind) in
	image)
		[ -z "$(case_value patch.file)$(case_value patch.options)" ] ||
			refuse "$(case_slug): revision '$(case_value revision.name)' comes built, and a patch needs its source; mend the matrix"
		need_packaged_kernel
		;;
	*) need_built_kernel ;;
	esac
	used "$kernel"
}

# A repeat is of the kernel that was prepared, or the run would hold two.
same_kernel() {
	[ "$(sha256 "$kernel/image")" = "$(awk -F '\t' '$1 == "kernel_sha256" { print $2 }' "$run_folder/prepare/facts")" ] ||
		give_up "$(case_slug): the kernel is not the one that was prepared, since the compiler or the cache changed; remove $run_folder"
}

kernel_folder() { # package version sha256
	echo "$cache/kernels/$1_$2-$(printf '%s' "$3$(sha256 "$lab_folder/kernel.sh")" | sha256sum | cut -c 1-12)"
}

need_packaged_kernel() {
	package=$(case_value revision.package)
	version=$(case_value revision.version)
	digest=$(case_value revision.sha256)
	kernel=$(kernel_folder "$package" "$version" "$digest")
	[ ! -e "$kernel/release" ] || return 0
	open_archive "$architecture"
	with_lock "$kernel.lock" unpack_kernel "$package" "$version" "$digest"
}

unpack_kernel() { # package version sha256
	[ ! -e "$kernel/release" ] || return 0
	new_work "$kernel"
	download_kernel "$@"
	dpkg-deb -x "$work"/*.deb "$work/all" || give_up "$2: its package cannot be unpacked; free space in $cache"
	release=$(ls "$work/all/lib/modules")
	mkdir "$work/done"
	mv "$work/all/boot/vmlinuz-$release" "$work/done/vmlinuz"
	mv "$work/all/boot/config-$release" "$work/done/config"
	unpack_image "$work/done/vmlinuz" "$work/done/image"
	select_modules "$work/all/lib/modules/$release" "$work/modules/lib/modules/$release"
	PATH=$PATH:/sbin:/usr/sbin depmod -b "$work/modules" "$release"
	pack "$work/modules" >"$work/done/modules.cpio"
	echo "$release" >"$work/done/release"
	keep_work "$kernel"
}

download_kernel() { # package version sha256
	tether env -C "$work" apt-get -qq download "$1=$2" >"$work/download.log" 2>&1 ||
		give_up "$1: version '$2' cannot be downloaded ($(complaint "$work/download.log")); plan again, or check the network"
	found=$(sha256 "$work"/*.deb)
	[ "$found" = "$3" ] || give_up "$1: the package's SHA-256 is $found, planned was $3; plan again"
}

# The ELF image within an x86 bzImage, so that the guest need not unpack it at every boot; anything else as it is.
# Offsets: "The Linux/x86 Boot Protocol", fields setup_sects, header, payload_offset and payload_length.
unpack_image() { # from to
	if [ "$(dd if="$1" bs=1 skip=514 count=4 2>/dev/null)" != HdrS ]; then
		cp "$1" "$2"
		return
	fi
	begin=$((($(field "$1" 497 1) + 1) * 512 + $(field "$1" 584 4)))
	tail -c +$((begin + 1)) "$1" | head -c $(($(field "$1" 588 4) - 4)) >"$2.packed"
	case $(od -An -tx1 -N 4 "$2.packed" | tr -d ' ') in
	28b52ffd) zstd -q -dc "$2.packed" >"$2" ;;
	02214c18) lz4 -q -dc "$2.packed" >"$2" ;;
	*) cp "$1" "$2" ;;
	esac
	rm "$2.packed"
}

field() { # file offset octets
	od -An -t "u$3" -j "$2" -N "$3" "$1" | tr -d ' '
}

# Unpacked, so that the guest spends no instructions on it.
select_modules() { # from into
	for part in $GUEST_MODULES; do
		for found in "$1/kernel/$part" "$1/kernel/$part".xz; do
			into=$2/kernel/$(dirname "$part")
			[ ! -e "$found" ] || { mkdir -p "$into" && cp -r "$found" "$into/"; }
		done
	done
	cp "$1"/modules.builtin* "$1/modules.order" "$2/"
	find "$2" -name '*.ko.xz' -exec unxz {} +
}
