#!/bin/sh
# What is set on this node now: `sysctl` lines for what a reader asks for first, all of it into the report.
#
#   linux/read-back.sh FAMILY IN_PORT OUT_PORT FIREWALL

. ./say.sh
[ "$1" = inet ] && wanted=net/ipv4/ip_forward || wanted=net/ipv6/conf/all/forwarding
[ "$(cat "/proc/sys/$wanted")" = 1 ] || give_up "forwarding of family '$1' is off after it was turned on; look at what else sets it"
for name in net/ipv4/ip_forward net/ipv4/conf/all/rp_filter "net/ipv4/conf/$2/rp_filter" net/ipv6/conf/all/forwarding \
	net/netfilter/nf_conntrack_max net/netfilter/nf_conntrack_buckets; do
	[ ! -e "/proc/sys/$name" ] || say sysctl "$name" "$(cat "/proc/sys/$name")"
done
