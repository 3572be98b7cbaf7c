#!/bin/sh
# nftables: rules of a file in nft's own syntax.
#
#   firewalls/nft.sh load FILE NAME | show | counters MOMENT

. ./say.sh
need nft nftables
case $1 in
load)
	nft -f "$2" 2>state/complaint || {
		cat state/complaint >&2
		refuse "$3$(sed -n "s,^$2,,p" state/complaint | head -n 1); nft refuses it, mend the rule file"
	}
	;;
show) nft list ruleset ;;
counters)
	entries=$(cat /proc/sys/net/netfilter/nf_conntrack_count 2>/dev/null) || entries=0
	say counter "$2" dut:firewall states "$entries"
	nft list ruleset | awk -v moment="$2" '
		{ for (i = 1; i < NF; i++) if ($i == "counter" && $(i + 1) == "packets")
			printf "counter\t%s\tdut:firewall\trule_%d_packets\t%s\n", moment, ++rules, $(i + 2) }'
	;;
esac
