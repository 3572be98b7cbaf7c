#!/bin/sh
# The next boot is of a kernel that comes as a Debian package, once; what the node boots by itself stays what it is.
#
#   provision/linux-package.sh NAME VERSION INTERFACE...      {arch} in the name is this node's
#
# A package that is installed is booted as it lies there. Another is fetched by this node's own apt and unpacked, since
# installing it could make it the kernel of every boot.

. ./say.sh
. ./linux/next-kernel.sh
need dpkg-deb dpkg
name=$(printf '%s\n' "$1" | sed "s/{arch}/$(apt-config dump APT::Architecture | sed 's,.*"\(.*\)".*,\1,')/") version=$2
shift 2

# `linux-image-amd64` is a signpost that depends on the kernel of the day.
behind() { # package version
	target=$(apt-cache depends --important "$1=$2" 2>/dev/null | awk '$1 == "Depends:" && $2 ~ /^linux-image-[0-9]/ { print $2; exit }')
	echo "${target:-$1}"
}

fetch() { # package version
	rm -rf state/deb state/unpacked
	mkdir state/deb
	(cd state/deb && apt-get -qq -o APT::Sandbox::User= download "$1=$2") >state/apt 2>&1
}

installed() { # package version
	[ "$(dpkg-query -W -f '${Version} ${db:Status-Status}' "$1" 2>/dev/null)" = "$2 installed" ]
}

package=$(behind "$name" "$version")
if installed "$package" "$version"; then
	root='' release=$(dpkg-query -L "$package" | sed -n 's,^/boot/vmlinuz-,,p')
else
	fetch "$package" "$version" || { apt-get -qq update >state/update 2>&1 && package=$(behind "$name" "$version") && fetch "$package" "$version"; } ||
		refuse "its apt has no package '$package' in version '$version' ($(last_words state/apt)); see 'apt-cache policy $package' there, and mend the revision or apt's sources"
	dpkg-deb -x state/deb/*.deb state/unpacked 2>state/unpack ||
		give_up "package '$package' cannot be unpacked ($(last_words state/unpack)); free space in /var/tmp there"
	root=state/unpacked release=$(find state/unpacked/boot -name 'vmlinuz-*' 2>/dev/null | sed 's,.*/vmlinuz-,,')
fi
[ -n "$release" ] || refuse "package '$package' has no kernel in it; name one such as 'linux-image-amd64'"
rm -rf state/kernel
{ mkdir state/kernel && cp "$root/boot/vmlinuz-$release" state/kernel/image && cp "$root/boot/config-$release" state/kernel/config &&
	echo "$release" >state/kernel/release; } || give_up "/var/tmp has no room for a kernel; free space there"
for modules in "$root/lib/modules/$release" "$root/usr/lib/modules/$release"; do
	[ -z "$root" ] || [ ! -d "$modules" ] || mv "$modules" state/kernel/modules
done
next_kernel state/kernel "$@"
rm -rf state/kernel state/deb state/unpacked
