#!/bin/sh
# Set one thing on this node, and read it back as a `sysctl` line.
#
#   linux/tune.sh sysctl NAME VALUE
#   linux/tune.sh ethtool 'OPTION WORDS' INTERFACE...      on each interface

. ./say.sh
kind=$1 name=$2
shift 2
case $kind in
sysctl)
	file=/proc/sys/$(echo "$name" | tr . /)
	[ -e "$file" ] || refuse "there is no setting '$name'; mend 'tunings' in the matrix"
	complaint=$( (echo "$1" >"$file") 2>&1) || refuse "setting '$name' does not take '$1' ($complaint); mend 'tunings' in the matrix"
	found=$(tr '\t' ' ' <"$file")
	[ "$found" = "$1" ] || refuse "setting '$name' is '$found' after '$1' was set; mend 'tunings' in the matrix"
	say sysctl "$name" "$found"
	;;
ethtool)
	need ethtool ethtool
	option=${name%% *}
	for interface; do
		printf '%s\n' "${name#* }" | tr ' ' '\n' | xargs ethtool "$option" "$interface" >state/ethtool 2>&1 ||
			refuse "interface '$interface' does not take 'ethtool $name' ($(last_words state/ethtool)); mend 'tunings' in the matrix"
		say sysctl "ethtool:$interface:$option" "${name#* }"
	done
	;;
*) refuse "a Linux node has no tuning '$kind'; mend 'tunings' in the matrix" ;;
esac
