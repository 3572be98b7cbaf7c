#!/bin/sh
# pf: rules of a file in the syntax of pf.conf.
#
#   firewalls/pf.sh load FILE NAME | show | counters MOMENT

. ./say.sh

refused() { # file name
	cat state/complaint >&2
	refuse "$2$(sed -n "s,^$1,,p" state/complaint | head -n 1); pfctl refuses it, mend the rule file"
}

case $1 in
load)
	kldstat -q -m pf || kldload pf 2>state/complaint || give_up "pf cannot be loaded ($(last_words state/complaint))"
	pfctl -q -n -f "$2" 2>state/complaint || refused "$2" "$3"
	pfctl -q -F all
	pfctl -q -f "$2" 2>state/complaint || refused "$2" "$3"
	pfctl -s info | grep -q '^Status: Enabled' || pfctl -q -e 2>state/complaint ||
		give_up "pf cannot be turned on ($(last_words state/complaint))"
	;;
show) pfctl -s rules && pfctl -s Tables && pfctl -s info && pfctl -s memory ;;
counters)
	say counter "$2" dut:firewall states "$(pfctl -s info | awk '$1 " " $2 == "current entries" { print $3 }')"
	pfctl -v -s rules | awk -v moment="$2" '
		$1 == "[" && $2 == "Evaluations:" { printf "counter\t%s\tdut:firewall\trule_%d_packets\t%s\n", moment, ++rules, $5 }'
	;;
esac
