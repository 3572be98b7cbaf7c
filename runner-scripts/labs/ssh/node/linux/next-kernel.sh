# Giving this node a kernel for its next boot alone: after that, or when the power goes, it starts what it always does.
# Sourced.
#
#   /boot/fwdlab/image  initrd  config  release      what is booted then; what starts by itself never looks there
#   /lib/modules/RELEASE/fwdlab                      marks modules that were brought here, and go when others come
#
#   next_kernel FOLDER INTERFACE...      FOLDER has image, config and release, and modules/ where it brings some

. ./linux/boot-once.sh
place=/boot/fwdlab

next_kernel() { # folder interface...
	from=$1 release=$(cat "$1/release")
	shift
	known=/lib/modules/$release
	[ ! -d "$from/modules" ] || known=$from/modules
	check_drivers "$@"
	: >state/place
	put_kernel || give_up "'/boot' cannot take the kernel ($(room_of /boot)); free space there, or mount it for writing"
	put_modules || give_up "'/lib/modules' cannot take the kernel's modules ($(room_of /lib/modules)); free space there, or mount it for writing"
	make_initrd
	boot_once "$release"
}

# What this machine is reached, loaded and read by: one driver less, and nobody would hear of it again.
check_drivers() { # interface...
	for interface in "$@" "$(admin_interface)"; do
		[ -z "$interface" ] || check_driver "interface '$interface'" "/sys/class/net/$interface/device"
	done
	check_driver "its disk" "/sys/dev/block/$(mountpoint -d /)"
}

check_driver() { # what place-in-sys
	for driver in $(drivers_below "$2"); do
		has_driver "$driver" modules.builtin modules.order ||
			refuse "kernel $release has no driver '$driver', which $1 needs; choose another, or set its option in 'kernel_config' of the matrix"
	done
}

has_driver() { # name list...
	name=$1
	shift
	(cd "$known" && cat "$@" 2>/dev/null) | tr - _ | grep -q "/${name}[.]ko"
}

# Of a device and of all it hangs from.
drivers_below() { # place-in-sys
	at=$(readlink -f "$1") || return 0
	while [ -n "$at" ] && [ "$at" != /sys ]; do
		[ ! -e "$at/driver/module" ] || basename "$(readlink -f "$at/driver/module")"
		at=${at%/*}
	done
}

# That of the address this session is with.
admin_interface() {
	ours=$(echo "${SSH_CONNECTION:-}" | cut -d ' ' -f 3)
	[ -z "$ours" ] || ip -o address show to "$ours" | awk '{ print $2; exit }'
}

# A file at a time takes its place whole: what is there may be what boots next.
put_kernel() {
	mkdir -p "$place" 2>>state/place || return 1
	rm -f "$place/initrd" "$place"/*.new
	for file in image config release; do
		{ cp "$from/$file" "$place/$file.new" && mv "$place/$file.new" "$place/$file"; } 2>>state/place || return 1
	done
}

put_modules() {
	for other in /lib/modules/*/fwdlab; do [ ! -e "$other" ] || rm -rf "${other%/fwdlab}"; done
	[ -d "$from/modules" ] || return 0
	{ mkdir -p "/lib/modules/$release" && cp -R "$from/modules/." "/lib/modules/$release" &&
		: >"/lib/modules/$release/fwdlab"; } 2>>state/place || return 1
	PATH=$PATH:/sbin:/usr/sbin depmod "$release" 2>>state/place
}

make_initrd() {
	! starts_alone || return 0
	need mkinitramfs initramfs-tools
	mkinitramfs -o "$place/initrd" "$release" >state/initrd 2>&1 ||
		give_up "its first file system cannot be made ($(room_of /boot), $(last_words state/initrd | sed 's/No space left on device/no room/')); free space in '/boot', or mend that"
}

# Of a root that is found by its name, and whose drivers and file system are in the kernel itself.
starts_alone() {
	case $(cat /proc/cmdline) in
	*root=/dev/mapper/*) return 1 ;;
	*root=/dev/* | *root=PARTUUID=*) ;;
	*) return 1 ;;
	esac
	for driver in $(drivers_below "/sys/dev/block/$(mountpoint -d /)") $(awk '$2 == "/" { print $3 }' /proc/mounts); do
		has_driver "$driver" modules.builtin || return 1
	done
}

room_of() { # folder
	df -Pk "$1" | awk 'NR == 2 { print int($4 / 1024) " MiB are free" }'
}
