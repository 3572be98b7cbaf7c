#!/bin/sh
# What this node has counted, as `counter` lines: its interfaces in the path, their cards, netisr and IP.
#
#   freebsd/counters.sh MOMENT NODE INTERFACE HOP [INTERFACE HOP]...      HOP is what the path calls the interface

. ./say.sh
moment=$1 node=$2
shift 2

# By the names in the head and from the right, as an interface without an address leaves a column out. What a card had no
# room for it counts as an error or as a drop, by its driver: both came to this node and are no received packets.
interface() { # interface hop
	netstat -I "$1" -bdn | awk -v moment="$moment" -v hop="$node:$2" '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i - NF; next }
		/<Link#/ && !seen++ {
			say("rx_packets", "Ipkts"); say("rx_bytes", "Ibytes"); say("rx_errors", "Ierrs")
			printf "counter\t%s\t%s\trx_dropped\t%d\n", moment, hop, value("Ierrs") + value("Idrop")
			say("tx_packets", "Opkts"); say("tx_bytes", "Obytes"); say("tx_errors", "Oerrs"); say("tx_dropped", "Drop")
		}
		function value(name) { return (name in column) ? $(NF + column[name]) : 0 }
		function say(key, name) { printf "counter\t%s\t%s\t%s\t%d\n", moment, hop, key, value(name) }'
}

# The card's own counts of what it lost, where its driver tells them.
card() { # interface hop
	unit=${1##*[!0-9]}
	sysctl "dev.${1%%[0-9]*}.$unit" 2>/dev/null | awk -F ': ' -v moment="$moment" -v hop="$node:$2-card" '
		$2 ~ /^[0-9]+$/ && $1 ~ /miss|no_buff|overflow|drop|crc|discard/ {
			name = $1; sub(/^dev[.][^.]*[.][^.]*[.]/, "", name)
			printf "counter\t%s\t%s\t%s\t%s\n", moment, hop, name, $2 }'
}

while [ $# -gt 0 ]; do
	interface "$1" "$2"
	card "$1" "$2"
	shift 2
done
[ "$node" = dut ] || exit 0
netstat -Q | awk -v moment="$moment" '
	/^WSID/ { for (i = 1; i <= NF; i++) column[$i] = i; table = 1; next }
	table && NF { dropped += $column["QDrops"]; handled += $column["Handled"] }
	END {
		printf "counter\t%s\tdut:cpu\tnetisr_dropped\t%d\n", moment, dropped
		printf "counter\t%s\tdut:cpu\tnetisr_handled\t%d\n", moment, handled }'
for protocol in ip ip6; do
	netstat -s -p "$protocol" 2>/dev/null | awk -v moment="$moment" -v hop="$node:$protocol" '
		/packets? forwarded/ { say("forwarded") }
		/packets? not forwardable/ { say("not_forwardable") }
		/bad header checksum/ { say("bad_checksum") }
		/output packets? dropped due to no bufs/ { say("no_buffers") }
		/output packets? discarded due to no route/ { say("no_route") }
		function say(key) { printf "counter\t%s\t%s\t%s\t%s\n", moment, hop, key, $1 }'
done
