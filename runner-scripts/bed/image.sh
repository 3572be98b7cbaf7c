#!/bin/sh
# A disk with a small Debian for a machine of the laboratory: systemd, an sshd, and what boots a kernel once. It is made
# once, as root, from the archive that this host's apt uses, and kept.
#
#   image.sh      says where it lies

set -eu
scripts=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$scripts/lib/common.sh"
. "$scripts/lib/cache.sh"
. "$scripts/labs/qemu/archive.sh"

PACKAGES=systemd-sysv,openssh-server,iproute2,nftables,kexec-tools,ethtool,procps,kmod
DISK_MIB=512

make_image() {
	[ ! -e "$image/disk" ] || return 0
	new_work "$image"
	mkdir "$work/done"
	archive_sources >"$work/sources.list"
	tether mmdebstrap --quiet --variant=essential --include="$PACKAGES,apt" --aptopt='APT::Install-Recommends "false"' \
		--dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
		--dpkgopt='path-exclude=/usr/share/doc/*' --customize-hook="$scripts/bed/furnish.sh \"\$1\"" \
		"$SUITE" "$work/root" "$work/sources.list" >"$work/log" 2>&1 ||
		give_up "$image: Debian cannot be unpacked ($(tail -n 1 "$work/log")); check the network and apt's sources"
	PATH=$PATH:/sbin:/usr/sbin tether mke2fs -q -t ext4 -O ^orphan_file -d "$work/root" "$work/done/disk" "${DISK_MIB}M" >>"$work/log" 2>&1 ||
		give_up "$image: the disk cannot be made ($(tail -n 1 "$work/log")); free space"
	keep_work "$image"
}

need mmdebstrap mmdebstrap
image=$cache/beds/$(cat "$0" "$scripts/bed/furnish.sh" | sha256sum | cut -c 1-12)
used "$image"
[ -e "$image/disk" ] || with_lock "$image.lock" make_image
echo "$image/disk"
