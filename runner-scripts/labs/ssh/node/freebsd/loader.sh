#!/bin/sh
# Give the loader the settings of the case for the next boot, and take those of an earlier case away.
#
#   freebsd/loader.sh BOOT_ENVIRONMENT [NAME VALUE]...      '-' for the one that runs

. ./say.sh
environment=$1 root=
shift
if [ "$environment" != - ]; then
	root=$(bectl mount "$environment" 2>state/bectl) || give_up "boot environment '$environment' cannot be mounted ($(last_words state/bectl))"
	trap 'bectl umount "$environment"' EXIT
fi
file=$root/boot/loader.conf.local
[ $# -gt 0 ] || grep -q '^# fwdlab: begin$' "$file" 2>/dev/null || exit 0
{
	sed '/^# fwdlab: begin$/,/^# fwdlab: end$/d' "$file" 2>/dev/null
	[ $# -eq 0 ] || echo "# fwdlab: begin"
	while [ $# -ge 2 ]; do
		case $1$2 in *[!A-Za-z0-9._:/,=+-]*) refuse "the loader takes no '$1' of '$2'; mend 'tunings' in the matrix" ;; esac
		printf '%s="%s"\n' "$1" "$2"
		shift 2
		[ $# -gt 0 ] || echo "# fwdlab: end"
	done
} >"$file.new" || give_up "'$file' cannot be written; free space or mount it for writing"
mv "$file.new" "$file"
