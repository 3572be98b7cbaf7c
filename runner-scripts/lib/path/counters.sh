# What the interfaces of one node have counted, as `counter` lines of the result. Run in the node's namespace.
#
#   counters.sh MOMENT NODE INTERFACE...

moment=$1 node=$2
shift 2
for interface; do
	for counter in carrier_changes statistics/tx_packets statistics/tx_bytes statistics/tx_dropped \
		statistics/rx_packets statistics/rx_bytes statistics/rx_dropped; do
		read -r value <"/sys/class/net/$interface/$counter"
		printf 'counter\t%s\t%s\t%s\t%s\n' "$moment" "$node:$interface" "${counter##*/}" "$value"
	done
done
