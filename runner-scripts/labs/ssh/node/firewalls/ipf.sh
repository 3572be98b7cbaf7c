#!/bin/sh
# ipfilter: rules of a file in ipf's own syntax.
#
#   firewalls/ipf.sh load FILE NAME | show | counters MOMENT

. ./say.sh

refused() { # name
	cat state/complaint >&2
	line=$(sed -n 's/.*line \([0-9]*\).*/:\1/p' state/complaint | head -n 1)
	refuse "$1$line: $(last_words state/complaint); ipf refuses it, mend the rule file"
}

case $1 in
load)
	kldstat -q -m ipl || kldload ipl 2>state/complaint || give_up "ipf cannot be loaded ($(last_words state/complaint))"
	ipf -n -f "$2" >/dev/null 2>state/complaint || refused "$3"
	ipf -E >/dev/null 2>&1 || true # it is on already where its module was loaded
	ipf -Fa -f "$2" >/dev/null 2>state/complaint || refused "$3"
	;;
show) ipfstat -ion && ipfstat -s ;;
counters)
	say counter "$2" dut:firewall states "$(ipfstat -s | awk '$2 == "active" { print $1; exit }')"
	ipfstat -hion | awk -v moment="$2" '
		$1 ~ /^[0-9]+$/ { printf "counter\t%s\tdut:firewall\trule_%d_packets\t%s\n", moment, ++rules, $1 }'
	;;
esac
