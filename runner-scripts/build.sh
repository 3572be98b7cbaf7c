#!/bin/sh
# Make the kernel of a case where it is not made yet, and print the folder it is in.
#
#   build.sh CASE_FILE      a line on standard output: the folder that holds image, vmlinux, config and build.log
#
# Run in the folder of the matrix: the patches a case names are found from there.

set -eu
scripts=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$scripts/lib/common.sh"
. "$scripts/lib/folder.sh"
. "$scripts/lib/lab.sh"

[ $# -eq 1 ] || refuse "build.sh: expected CASE_FILE, got $# words"
open_case "$1"
open_lab
lab_build
