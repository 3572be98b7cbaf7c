#!/bin/sh
# What this node is, as `fact` lines.
#
#   freebsd/facts.sh

. ./say.sh
version=$(uname -v)
say fact kernel_release "$(uname -r)"
say fact kernel_version "$version"
say fact kernel_revision "$(/bin/sh freebsd/revision.sh "$version")"
say fact kernel_ident "$(uname -i)"
say fact machine "$(uname -m)"
say fact cpus "$(sysctl -n hw.ncpu)"
say fact cpu "$(sysctl -n hw.model)"
say fact boot_environment "$(bectl list -H 2>/dev/null | awk '$2 ~ /N/ { print $1 }')"
