# Where frames end on a Linux receiver: nftables drops and counts them at ingress. Sourced by generators without a
# receiver of their own.

SINK=fwdlab-sink

sink_open() { # interface
	need nft nftables
	nft "table netdev $SINK
		delete table netdev $SINK
		table netdev $SINK { chain ingress { type filter hook ingress device \"$1\" priority 0; counter drop; }; }" \
		2>state/sink.said || give_up "nftables cannot count at '$1' ($(last_words state/sink.said))"
	echo "nft delete table netdev $SINK" >state/sink.undo
}

sink_ready() { nft list table netdev "$SINK" >/dev/null; }

sink_stop() {
	nft delete table netdev "$SINK"
	rm -f state/sink.undo
}

sink_read() { # moment
	say counter "$1" receiver:sink rx_packets "$(nft list table netdev "$SINK" | awk '/counter/ { print $3 }')"
}
