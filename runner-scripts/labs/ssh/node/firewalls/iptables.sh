#!/bin/sh
# iptables: rules of a file as iptables-save writes them, or ip6tables-save where the traffic is of family inet6.
#
#   firewalls/iptables.sh load FILE NAME FAMILY | show | counters MOMENT

. ./say.sh
need iptables iptables
case $1 in
load)
	[ "$4" = inet6 ] && restore=ip6tables-restore || restore=iptables-restore
	"$restore" <"$2" 2>state/complaint || {
		sed -i '/^Try /d' state/complaint
		cat state/complaint >&2
		refuse "$3: $(tr '\n' ' ' <state/complaint | cut -c 1-300); $restore refuses it, mend the rule file"
	}
	;;
show) iptables-save -c && ip6tables-save -c ;;
counters)
	entries=$(cat /proc/sys/net/netfilter/nf_conntrack_count 2>/dev/null) || entries=0
	say counter "$2" dut:firewall states "$entries"
	{ iptables-save -c && ip6tables-save -c; } | sed -n 's/^\[\([0-9]*\):[0-9]*\] -A.*/\1/p' |
		awk -v moment="$2" '{ printf "counter\t%s\tdut:firewall\trule_%d_packets\t%s\n", moment, NR, $1 }'
	;;
esac
