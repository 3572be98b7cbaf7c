#!/bin/sh
# Which boot this is, and what was booted: its number, release, version line, SHA-256 of its configuration, and
# the build ID that its linker gave it.
#
#   linux/booted.sh

digest=$(/bin/sh linux/kernel-config.sh | sha256sum)
build=$(od -An -v -t x1 /sys/kernel/notes 2>/dev/null | tr -d ' \n' | sed -n 's/.*040000001400000003000000474e5500\([0-9a-f]\{40\}\).*/\1/p')
printf '%s\t%s\t%s\t%s\t%s\n' "$(cat /proc/sys/kernel/random/boot_id)" "$(uname -r)" "$(uname -v)" "${digest%% *}" "$build"
