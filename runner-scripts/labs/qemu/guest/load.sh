# The load: kernel pktgen in the sender's namespace. Sourced by trial.sh.

pktgen() { # file command...
	file=$1
	shift
	for command; do
		echo "$command" | sender tee "/proc/net/pktgen/$file" >/dev/null || fail refuse "pktgen refuses '$command'"
	done
}

prepare_load() { # family frame_size flows load
	modprobe pktgen
	pktgen kpktgend_0 "add_device s0"
	# clone_skb 0: the DUT rewrites headers, so every packet is a new one. pktgen counts octets without FCS.
	pktgen s0 "clone_skb 0" "delay 0" "pkt_size $(($2 - 4))" "dst_mac 02:00:00:00:00:02" \
		"udp_src_min 10000" "udp_src_max $((10000 + $3))" "udp_dst_min 9" "udp_dst_max 9"
	[ "$4" = max ] || pktgen s0 "ratep $4"
	case $1 in
	inet) pktgen s0 "src_min $source_ip" "src_max $source_ip" "dst $sink_ip" ;;
	inet6) pktgen s0 "src6 $source_ip" "dst6 $sink_ip" ;;
	esac
}

# Offer so many packets, wait until the last has left, and say what pktgen counted: sent, errors, microseconds.
offer() { # phase packets
	pktgen s0 "count $2"
	pktgen pgctrl start
	sender cat /proc/net/pktgen/s0 | awk -v phase="$1" -v OFS='\t' '
		/pkts-sofar/ { sent = $2; errors = $4 }
		/^Result: OK/ { split($3, microseconds, "("); elapsed = microseconds[1] }
		END { print "sample", phase, sent, errors, elapsed }'
}
