#!/bin/sh
# How fast a link is; refused where it is slower than the line that was meant.
#
#   speed.sh INTERFACE MBPS

. ./say.sh
case $(uname -s):$([ -s "state/$1.speed" ] && echo told) in
*:told) speed=$(cat "state/$1.speed") ;; # a generator's own port
Linux:*) speed=$(cat "/sys/class/net/$1/speed" 2>/dev/null) ;;
*) speed=$(ifconfig "$1" | sed -n 's/.*media:.*[( ]\([0-9]*\)\(G\{0,1\}\)[Bb]ase.*/\1\2/p' | sed 's/G$/000/') ;;
esac
case $speed in
'' | *[!0-9]*) echo "whose speed it does not say" ;;
*)
	[ "$speed" -ge "$2" ] ||
		give_up "interface '$1' runs at $speed Mb/s, the matrix says $2; look at its cable, the switch port and what the other end offers"
	echo "of $speed Mb/s"
	;;
esac
