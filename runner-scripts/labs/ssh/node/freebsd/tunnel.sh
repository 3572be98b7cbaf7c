#!/bin/sh
# One end of the tunnel between DUT and reference endpoint, and what goes through it.
#
#   freebsd/tunnel.sh KIND FAMILY PORT LOCAL REMOTE NET END      END is 1 at the DUT, 2 at the reference endpoint

. ./say.sh
kind=$1 family=$2 local=$4 remote=$5 net=$6 end=$7
name=fwdlab0 other=$((3 - end))
case $family in
inet) inner=198.18.2 length=24 dot=. mask=netmask only=255.255.255.255 ;;
*) inner=2001:2:0:4: length=64 dot=: mask=prefixlen only=128 ;;
esac

refused() {
	give_up "the kernel makes no tunnel of kind '$kind' ($(last_words state/tunnel)); load its module there"
}

# One that leads to a single host, whose address is the other end's.
point_to_point() { # device
	ifconfig "$1" create name "$name" >state/tunnel 2>&1 || refused
	ifconfig "$name" "$family" tunnel "$local" "$remote" >state/tunnel 2>&1 || refused
	[ "$family" = inet ] || ifconfig "$name" inet6 -ifdisabled >state/tunnel 2>&1 || refused
	ifconfig "$name" "$family" "$inner$dot$end" "$inner$dot$other" "$mask" "$only" >state/tunnel 2>&1 || refused
}

# A network of Ethernet, whose other end is told and not asked for.
vxlan() {
	ifconfig vxlan create name "$name" vxlanid 9 vxlanlocal "$local" vxlanremote "$remote" >state/tunnel 2>&1 || refused
	ifconfig "$name" ether "02:00:00:00:02:0$end" >state/tunnel 2>&1 || refused
	[ "$family" = inet ] || ifconfig "$name" inet6 -ifdisabled >state/tunnel 2>&1 || refused
	ifconfig "$name" "$family" "$inner$dot$end/$length" alias >state/tunnel 2>&1 || refused
}

ifconfig "$name" destroy 2>/dev/null || true
case $kind in
gre) point_to_point gre ;;
ipip) point_to_point gif ;;
*) vxlan ;;
esac
ifconfig "$name" up || give_up "the tunnel cannot be set up"
case $kind:$family in
vxlan:inet) arp -S "$inner$dot$other" "02:00:00:00:02:0$other" ;;
vxlan:*) ndp -s "$inner$dot$other" "02:00:00:00:02:0$other" ;;
esac >state/tunnel 2>&1 || give_up "no neighbour can be set in the tunnel ($(last_words state/tunnel))"
route -q -n delete "-$family" -net "$net" >/dev/null 2>&1 || true
route -q -n add "-$family" -net "$net" "$inner$dot$other" >state/tunnel 2>&1 ||
	give_up "no route to $net by the tunnel can be set ($(last_words state/tunnel))"
