#!/bin/sh
# The configuration of the kernel that runs, where it was built in.
#
#   freebsd/kernel-config.sh

sysctl -n kern.conftxt 2>/dev/null || true
