#!/bin/sh
# The configuration of the kernel that runs, where it is kept.
#
#   linux/kernel-config.sh

if [ -r /proc/config.gz ]; then
	gzip -dc /proc/config.gz
elif [ "$(cat /boot/fwdlab/release 2>/dev/null)" = "$(uname -r)" ]; then
	cat /boot/fwdlab/config
elif [ -r "/boot/config-$(uname -r)" ]; then
	cat "/boot/config-$(uname -r)"
fi
