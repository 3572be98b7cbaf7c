#!/bin/sh
# One node of the laboratory: a disk of its own, its shell, without the programs it is not to have, and its sshd.
#
#   node.sh FOLDER

set -eu
[ ! -e "$1/disk" ] || exec "${0%/*}/machine.sh" "$1"
mount -t tmpfs -o size=32m node /var/tmp
mount --bind "$(cat "$1/shell")" "$(readlink -f /bin/sh)"
[ -e "$1/boot_id" ] || cat /proc/sys/kernel/random/boot_id >"$1/boot_id"
mount --bind "$1/boot_id" /proc/sys/kernel/random/boot_id
while read -r program; do mount --bind /dev/null "$program"; done <"$1/hidden"
exec /usr/sbin/sshd -D -e -f "$1/sshd_config"
