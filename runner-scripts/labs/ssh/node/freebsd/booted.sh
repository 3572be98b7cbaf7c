#!/bin/sh
# Which boot this is, and what was booted: its number, release, version line with the revision once more as a word of its
# own, and SHA-256 of its configuration.
#
#   freebsd/booted.sh
#
# What is put into the kernel's environment stays there until the kernel goes: a boot has the number it was given first.

number=$(kenv -q fwdlab.boot) || {
	number=$(od -An -N 8 -t x1 /dev/urandom | tr -d ' \n')
	kenv fwdlab.boot="$number" >/dev/null
}
version=$(uname -v)
digest=$(/bin/sh freebsd/kernel-config.sh | sha256)
printf '%s\t%s\t%s\t%s\n' "$number" "$(uname -r)" "$version $(/bin/sh freebsd/revision.sh "$version")" "$digest"
