# Examining a host whose own kernel is measured. Sourced.

lab_examine() { # firewall...
	host=$(uname -n)
	check "$host" has_tools ip iproute2 nft nftables ethtool ethtool unshare util-linux chrt util-linux cc gcc || true
	check "$host" has_space "$cache" 256 || true
	check "$host" has_processor || true
	check "$host" may_isolate || true
	check "$host" has_peace "$(nproc)" || true
}

has_processor() {
	check_processor
	echo "has processor $processor"
}

may_isolate() {
	check_namespaces
	echo "may make network namespaces"
}
