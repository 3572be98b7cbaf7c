# What runs in the guest beside the kernel: busybox, ip and nft, and perf for profiles, from Debian's packages. Sourced.
#
#   $cache/userland/ARCH-RECIPE/base.cpio      for every boot
#                               perf.cpio      on top, for profiles
#                               packages       name and version of each package unpacked
#
# Built once for each state of this recipe and kept, so that all arms of a campaign see the same programs.

userland_folder() { # machine
	echo "$cache/userland/$1-$(sha256 "$lab_folder/userland.sh" | cut -c 1-12)"
}

need_userland() {
	userland=$(userland_folder "$machine")
	used "$userland"
	[ ! -e "$userland/packages" ] || return 0
	open_archive "$architecture"
	with_lock "$userland.lock" build_userland
}

build_userland() {
	[ ! -e "$userland/packages" ] || return 0
	new_work "$userland"
	unpack_packages "$work/all" busybox-static iproute2 nftables linux-perf
	gather "$work/base" "$work/all" bin/busybox bin/ip:sbin/ip usr/sbin/nft
	mkdir -p "$work/base/guest" "$work/base/proc" "$work/base/sys" "$work/base/dev"
	ln -s /bin/busybox "$work/base/sbin/modprobe"
	gather "$work/perf" "$work/all" usr/bin/perf
	mkdir "$work/done"
	pack "$work/base" >"$work/done/base.cpio"
	pack "$work/perf" >"$work/done/perf.cpio"
	cp "$work/all.packages" "$work/done/packages"
	keep_work "$userland"
}

# Download packages with all they depend on, and unpack them without installing any.
unpack_packages() { # folder package...
	into=$1
	shift
	mkdir -p "$into" "$into.deb/partial"
	tether apt-get -qq -y --download-only -o Dir::Cache::archives="$into.deb" install "$@" >"$work/download.log" 2>&1 ||
		give_up "debian/$architecture: '$*' cannot be downloaded ($(complaint "$work/download.log")); check the network"
	for package in "$into.deb"/*.deb; do
		dpkg-deb -x "$package" "$into"
		dpkg-deb -f "$package" Package Version | paste -s -d ' ' - >>"$into.packages"
	done
}

# Copy programs and every library their bytes name, and theirs. Naming more than is needed does no harm.
gather() { # into from program[:as]...
	into=$1 from=$2
	shift 2
	wanted=
	for program; do
		mkdir -p "$into/$(dirname "${program#*:}")"
		cp -L "$from/${program%%:*}" "$into/${program#*:}"
		wanted="$wanted ${program#*:}"
	done
	while [ -n "$wanted" ]; do
		wanted=$(for file in $wanted; do libraries_named_in "$into/$file"; done | sort -u | copy_new_libraries)
	done
}

libraries_named_in() { # file
	LC_ALL=C grep -aoE '[A-Za-z0-9_+.-]+\.so[.0-9]*' "$1" || true
}

# Reads names of libraries; copies those that are there and not yet copied, and says which.
copy_new_libraries() {
	while read -r name; do
		for found in "$from"/lib/*-linux-gnu/"$name" "$from"/usr/lib/*-linux-gnu/"$name" "$from"/lib*/"$name"; do
			library=${found#"$from/"}
			[ -e "$found" ] && [ ! -e "$into/$library" ] || continue
			mkdir -p "$into/${library%/*}"
			cp -L "$found" "$into/$library"
			echo "$library"
		done
	done
}

# A folder as an initramfs archive; the same files give the same bytes, whatever the umask they were made under.
pack() { # folder
	(
		cd "$1"
		chmod -R u=rwX,go=rX .
		find . -exec touch -h -d @0 {} +
		find . | LC_ALL=C sort | cpio --quiet -o -H newc -R 0:0 --reproducible
	)
}
