#!/bin/sh
# The next boot is of a kernel that the controller built, once; it comes through standard input, with its modules.
#
#   provision/linux-kernel.sh

cd "${0%/*}/.." || exit
PATH=$PATH:/usr/sbin:/sbin:/usr/local/sbin:/usr/local/bin
LC_ALL=C
export PATH LC_ALL
. ./say.sh
. ./linux/next-kernel.sh
mkdir -p state
rm -rf state/kernel
mkdir state/kernel
tar -x -f - -C state/kernel 2>state/unpack || give_up "the kernel cannot be unpacked ($(last_words state/unpack)); free space in /var/tmp there"
while read -r interface; do set -- "$@" "$interface"; done <state/kernel/interfaces
next_kernel state/kernel "$@"
rm -rf state/kernel
