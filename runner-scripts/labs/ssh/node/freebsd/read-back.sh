#!/bin/sh
# What is set on this node now: `sysctl` lines for what a reader asks for first, all of it into the report.
#
#   freebsd/read-back.sh FAMILY IN_PORT OUT_PORT

. ./say.sh
[ "$1" = inet ] && wanted=net.inet.ip.forwarding || wanted=net.inet6.ip6.forwarding
[ "$(sysctl -n "$wanted")" = 1 ] || give_up "forwarding of family '$1' is off after it was turned on; look at what else sets it"
for name in net.inet.ip.forwarding net.inet6.ip6.forwarding net.inet.ip.fastforwarding net.inet.ip.redirect \
	net.inet6.ip6.redirect kern.random.sys.harvest.mask kern.random.harvest.mask net.isr.dispatch net.isr.maxthreads \
	net.inet.ip.fw.enable net.inet.ip.fw.dyn_max net.inet.ip.fw.dyn_buckets; do
	value=$(sysctl -n "$name" 2>/dev/null) || continue
	say sysctl "$name" "$value"
done
