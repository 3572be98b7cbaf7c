# The settings of the DUT a reader asks for first, as `sysctl` lines of the result. Run in the DUT's namespace.

for name in net/ipv4/ip_forward net/ipv4/conf/all/rp_filter net/ipv4/conf/d0/rp_filter net/ipv6/conf/all/forwarding \
	net/netfilter/nf_conntrack_max net/netfilter/nf_conntrack_buckets; do
	[ ! -e "/proc/sys/$name" ] || printf 'sysctl\t%s\t%s\n' "$name" "$(cat "/proc/sys/$name")"
done
