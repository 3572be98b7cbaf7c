#!/bin/sh
# Which boot this is, and what was booted: its number, release, version line, and SHA-256 of its configuration.
#
#   linux/booted.sh

digest=$(/bin/sh linux/kernel-config.sh | sha256sum)
printf '%s\t%s\t%s\t%s\n' "$(cat /proc/sys/kernel/random/boot_id)" "$(uname -r)" "$(uname -v)" "${digest%% *}"
