#!/bin/sh
# An archive that has every package.
#
#   resolve.sh PACKAGE VERSION ARCH

set -eu
printf '%s\t%s\t%064d\n' "$1" 6.1.192-2 7
