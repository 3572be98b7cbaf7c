# A kernel from its Debian package, unpacked without installing it. Sourced.
#
#   $cache/kernels/PACKAGE_VERSION_SHA/vmlinuz  config  release  modules.cpio

# Network, netfilter and pktgen, the result's channel, and what these stand on.
GUEST_MODULES="net/core net/ipv4 net/ipv6 net/netfilter net/sched net/bridge net/llc net/802 drivers/net/veth.ko
	drivers/char/virtio_console.ko drivers/virtio lib crypto arch/x86/crypto arch/arm64/crypto"

kernel_folder() { # package version sha256
	echo "$cache/kernels/$1_$2-$(printf '%s' "$3$(sha256 "$lab_folder/kernel.sh")" | sha256sum | cut -c 1-12)"
}

need_kernel() { # machine package version sha256
	kernel=$(kernel_folder "$2" "$3" "$4")
	[ -e "$kernel/release" ] || with_lock "$kernel.lock" unpack_kernel "$@"
}

unpack_kernel() { # machine package version sha256
	[ ! -e "$kernel/release" ] || return 0
	open_archive "$(debian_arch "$1")"
	work=$(mktemp -d "$cache/kernels/work.XXXXXX")
	download_kernel "$2" "$3" "$4"
	dpkg-deb -x "$work"/*.deb "$work/all" || give_up "$2: its package cannot be unpacked; free space in $cache"
	release=$(ls "$work/all/lib/modules")
	mkdir "$work/done"
	mv "$work/all/boot/vmlinuz-$release" "$work/done/vmlinuz"
	mv "$work/all/boot/config-$release" "$work/done/config"
	select_modules "$work/all/lib/modules/$release" "$work/modules/lib/modules/$release"
	PATH=$PATH:/sbin:/usr/sbin depmod -b "$work/modules" "$release"
	pack "$work/modules" >"$work/done/modules.cpio"
	echo "$release" >"$work/done/release"
	mv "$work/done" "$kernel"
	rm -rf "$work"
}

download_kernel() { # package version sha256
	(cd "$work" && apt-get -qq download "$1=$2") >"$archive/download.log" 2>&1 ||
		give_up "$1: version '$2' cannot be downloaded ($(tail -n 1 "$archive/download.log")); plan again, or check the network"
	found=$(sha256 "$work"/*.deb)
	[ "$found" = "$3" ] || give_up "$1: the package's SHA-256 is $found, planned was $3; plan again"
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
