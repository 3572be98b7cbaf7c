# What the interfaces of one node have counted, as `counter` lines of the result. Run in the node's namespace.
#
#   counters.sh MOMENT NODE INTERFACE...

moment=$1 node=$2
shift 2
for interface; do
	for counter in tx_packets tx_bytes tx_dropped rx_packets rx_bytes rx_dropped; do
		read -r value <"/sys/class/net/$interface/statistics/$counter"
		printf 'counter\t%s\t%s\t%s\t%s\n' "$moment" "$node:$interface" "$counter" "$value"
	done
done
