# Where frames end on a Linux receiver: nftables drops and counts them at ingress. Sourced by generators without a
# receiver of their own.

SINK=fwdlab-sink

sink_open() { # interface attacking-network
	need nft nftables
	case $2 in
	-) apart= ;;
	*:*) apart="ip6 saddr $2 counter drop;" ;;
	*) apart="ip saddr $2 counter drop;" ;;
	esac
	undo_by sink "nft delete table netdev $SINK"
	nft "table netdev $SINK
		delete table netdev $SINK
		table netdev $SINK { chain ingress { type filter hook ingress device \"$1\" priority 0; $apart counter drop; }; }" \
		2>state/sink.said || give_up "nftables cannot count at '$1' ($(last_words state/sink.said))"
}

sink_ready() { nft list table netdev "$SINK" >/dev/null 2>&1 || sink_lost; }

sink_stop() {
	nft delete table netdev "$SINK" 2>/dev/null || sink_lost
	rm -f state/sink.undo
}

sink_lost() {
	give_up "what counts received frames is gone; look at what else sets nftables' rules there"
}

sink_read() { # moment
	counted=$(nft list table netdev "$SINK" 2>/dev/null) || sink_lost
	printf '%s\n' "$counted" | awk -v moment="$1" '
		{ for (i = 1; i < NF; i++) if ($i == "packets")
			printf "counter\t%s\treceiver:%s\trx_packets\t%s\n", moment, /saddr/ ? "attack" : "sink", $(i + 1) }'
}
