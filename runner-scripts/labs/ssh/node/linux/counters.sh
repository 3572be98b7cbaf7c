#!/bin/sh
# What this node has counted, as `counter` lines: its interfaces in the path, IP, and what its processors threw away.
#
#   linux/counters.sh MOMENT NODE INTERFACE HOP [INTERFACE HOP]...      HOP is what the path calls the interface

. ./say.sh
moment=$1 node=$2
shift 2
while [ $# -gt 0 ]; do
	for counter in carrier_changes statistics/tx_packets statistics/tx_bytes statistics/tx_dropped statistics/tx_errors \
		statistics/rx_packets statistics/rx_bytes statistics/rx_dropped statistics/rx_missed_errors statistics/rx_errors; do
		read -r value <"/sys/class/net/$1/$counter"
		say counter "$moment" "$node:$2" "${counter##*/}" "$value"
	done
	shift 2
done
[ "$node" = dut ] || exit 0
# The second column of each processor's line, in hexadecimal: what found the processor's queue full.
dropped=0
while read -r _ lost _; do dropped=$((dropped + 0x$lost)); done </proc/net/softnet_stat
say counter "$moment" "$node:cpu" softnet_dropped "$dropped"
awk -v moment="$moment" -v hop="$node:ip" '
	$1 == "Ip:" && !named++ { for (i = 2; i <= NF; i++) name[i] = $i; next }
	$1 == "Ip:" { for (i = 2; i <= NF; i++) if (name[i] ~ /^(ForwDatagrams|InHdrErrors|InAddrErrors|InDiscards|OutDiscards|OutNoRoutes)$/)
		printf "counter\t%s\t%s\t%s\t%s\n", moment, hop, name[i], $i }' /proc/net/snmp
awk -v moment="$moment" -v hop="$node:ip6" '
	$1 ~ /^Ip6(OutForwDatagrams|InHdrErrors|InAddrErrors|InDiscards|OutDiscards|OutNoRoutes|InNoRoutes)$/ {
		printf "counter\t%s\t%s\t%s\t%s\n", moment, hop, substr($1, 4), $2 }' /proc/net/snmp6
