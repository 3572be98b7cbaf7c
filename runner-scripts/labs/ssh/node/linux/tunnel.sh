#!/bin/sh
# One end of the tunnel between DUT and reference endpoint, and what goes through it.
#
#   linux/tunnel.sh KIND FAMILY PORT LOCAL REMOTE NET END      END is 1 at the DUT, 2 at the reference endpoint

. ./say.sh
kind=$1 family=$2 port=$3 local=$4 remote=$5 net=$6 end=$7
name=fwdlab0 other=$((3 - end))
case $family in
inet) inner=198.18.2 length=24 dot=. ;;
*) inner=2001:2:0:4: length=64 dot=: ;;
esac
case $kind:$family in
vxlan:*) set -- vxlan id 9 dev "$port" dstport 4789 ;;
gre:inet) set -- gre ;;
gre:*) set -- ip6gre encaplimit none ;;
ipip:inet) set -- ipip ;;
*) set -- ip6tnl mode ip6ip6 encaplimit none ;;
esac
/sbin/ip link delete "$name" 2>/dev/null
/sbin/ip link add "$name" address "02:00:00:00:02:0$end" type "$@" local "$local" remote "$remote" 2>state/tunnel ||
	/sbin/ip link add "$name" type "$@" local "$local" remote "$remote" 2>state/tunnel ||
	give_up "the kernel makes no tunnel of kind '$kind' ($(last_words state/tunnel)); load its module there"
for setting in accept_dad=0 router_solicitations=0 accept_ra=0; do
	/bin/sh linux/settings.sh "net/ipv6/conf/$name/$setting"
done
/bin/sh linux/settings.sh "net/ipv4/conf/$name/rp_filter=0"
/sbin/ip address add "$inner$dot$end/$length" dev "$name"
/sbin/ip link set "$name" up
[ "$kind" != vxlan ] ||
	/sbin/ip neighbour replace "$inner$dot$other" lladdr "02:00:00:00:02:0$other" dev "$name" nud permanent
/sbin/ip route replace "$net" via "$inner$dot$other" dev "$name" || give_up "no route to $net by the tunnel can be set"
