#!/bin/sh
# ipfw: rules of a file as its own command reads one, a command a line without 'ipfw' before it.
#
#   firewalls/ipfw.sh load FILE NAME | show | counters MOMENT
#
# It is loaded so that it lets pass what no rule decides: the connection that loads it is not to be its first victim.

. ./say.sh

refused() { # name
	cat state/complaint >&2
	refuse "$1$(sed -n 's/^Line \([0-9]*\): */:\1: /p' state/complaint | head -n 1); ipfw refuses it, mend the rule file"
}

case $1 in
load)
	kldstat -q -m ipfw || { kenv net.inet.ip.fw.default_to_accept=1 >/dev/null && kldload ipfw; } 2>state/complaint ||
		give_up "ipfw cannot be loaded ($(last_words state/complaint))"
	ipfw -q -n "$PWD/$2" >/dev/null 2>state/complaint || refused "$3"
	ipfw -q -f flush
	ipfw -q table all destroy 2>/dev/null || true
	ipfw -q "$PWD/$2" 2>state/complaint || refused "$3"
	for switch in net.inet.ip.fw.enable net.inet6.ip6.fw.enable; do sysctl "$switch=1"; done >/dev/null
	;;
show) ipfw -a list && ipfw table all list ;;
counters)
	say counter "$2" dut:firewall states "$(sysctl -n net.inet.ip.fw.dyn_count)"
	ipfw -a list | awk -v moment="$2" '{ printf "counter\t%s\tdut:firewall\trule_%d_packets\t%s\n", moment, NR, $2 }'
	;;
esac
