#!/bin/sh
# The next boot is of an image that comes through standard input, written where this node does not run from.
#
#   provision/freebsd-upgrade.sh
#
# Its own 'upgrade' does that where it has one; else NanoBSD's scripts, one for either half of the disk.

cd "${0%/*}/.." || exit
PATH=$PATH:/usr/sbin:/sbin:/usr/local/sbin:/usr/local/bin
. ./say.sh
if command -v upgrade >/dev/null 2>&1; then
	upgrade >state/upgrade 2>&1 || give_up "'upgrade' refuses the image ($(last_words state/upgrade))"
	exit 0
fi
case $(mount -p | awk '$2 == "/" { print $1 }') in
*s1a) other=/root/updatep2 ;;
*s2a) other=/root/updatep1 ;;
*) refuse "has no 'upgrade', and runs from no NanoBSD; install one, or take another kind of revision" ;;
esac
/bin/sh "$other" >state/upgrade 2>&1 || give_up "'$other' refuses the image ($(last_words state/upgrade))"
