#!/bin/sh
# Set one thing on this node, and read it back as a `sysctl` line. What the loader sets was set before this boot.
#
#   freebsd/tune.sh sysctl|loader NAME VALUE

. ./say.sh
kind=$1 name=$2 value=$3
case $kind in
sysctl)
	sysctl -n "$name" >/dev/null 2>&1 || refuse "there is no setting '$name'; mend 'tunings' in the matrix"
	sysctl "$name=$value" >state/sysctl 2>&1 ||
		refuse "setting '$name' does not take '$value' ($(last_words state/sysctl)); mend 'tunings' in the matrix"
	found=$(sysctl -n "$name")
	[ "$found" = "$value" ] || refuse "setting '$name' is '$found' after '$value' was set; mend 'tunings' in the matrix"
	say sysctl "$name" "$found"
	;;
loader)
	found=$(kenv -q "$name") || give_up "the loader set no '$name'; look at what it boots from, and start the node anew"
	[ "$found" = "$value" ] || give_up "the loader set '$name' to '$found', the matrix says '$value'; start the node anew"
	say sysctl "loader:$name" "$found"
	;;
*) refuse "a FreeBSD node has no tuning '$kind'; mend 'tunings' in the matrix" ;;
esac
