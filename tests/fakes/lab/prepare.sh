#!/bin/sh
# Note the conditions.
#
#   prepare.sh CASE_FILE RUN_FOLDER

. "${0%/*}/fake.sh"
mkdir -p "$run"
cp "$case_file" "$run/case"
[ ! -e "$run/prepare" ] || exit 0
begin prepare
printf '%s\t%s\n' host 'Linux 6.18 x86_64' emulator 'QEMU emulator version 7.2.22' kernel_sha256 5151 time virtual \
	>"$run/prepare.partial/facts"
[ "$(state 2)" != broken ] ||
	fail 2 "$(value revision.name) ($(value revision.package) $(value revision.version)): does not build (state: error); read x.log" prepare
kernel_status || fail "$?" "$(kernel_status 2>&1)" prepare
rules=$(value firewall.rules)
[ -z "$rules" ] || [ -r "$rules" ] || fail 2 "$rules: rule file cannot be read; mend it" prepare
finish prepare
