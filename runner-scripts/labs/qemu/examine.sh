# Examining a host of the virtual lab. What else it does changes no result, so nobody asks for its load. Sourced.

lab_examine() { # firewall...
	host=$(uname -n)
	check "$host" has_tools "qemu-system-$(case_value hardware.arch)" qemu-system cpio cpio depmod kmod xz xz-utils zstd zstd \
		flock util-linux setpriv util-linux || true
	check "$host" has_space "$cache" 2048 || true
}
