# The load: kernel pktgen in a namespace of the path. Sourced by trial.sh.

add_pktgen() { # node interface
	[ -e /proc/net/pktgen ] || modprobe pktgen
	"$1" sh /guest/pktgen.sh kpktgend_0 "add_device $2" || fail give_up "pktgen does not take $2"
}

tell_pktgen() { # node interface command...
	node=$1
	shift
	"$node" sh /guest/pktgen.sh "$@" || fail refuse "pktgen does not take the traffic; mend the traffic entry"
}

prepare_load() { # family frame_size flows load
	add_pktgen sender s0
	# clone_skb 0: the DUT rewrites headers, so every packet is a new one. pktgen counts octets without FCS.
	set -- "$@" "clone_skb 0" "delay 0" "pkt_size $(($2 - 4))" "dst_mac 02:00:00:00:00:02" \
		"udp_src_min 10000" "udp_src_max $((10000 + $3))" "udp_dst_min 9" "udp_dst_max 9"
	mix=$(imix_weights)
	[ -z "$mix" ] || set -- "$@" "imix_weights $mix"
	[ "$4" = max ] || set -- "$@" "ratep $4"
	case $1 in
	inet) set -- "$@" "src_min $source_ip" "src_max $source_ip" "dst $sink_ip" ;;
	inet6) set -- "$@" "src6 $source_ip" "dst6 $sink_ip" ;;
	esac
	shift 4
	tell_pktgen sender s0 "$@"
}

# The case's mix of sizes as pktgen takes it: octets without FCS, and their weight. It draws them at random.
imix_weights() {
	case_value traffic.imix | awk -v RS=' ' -F x 'NF == 2 { printf "%s%d,%d", (NR > 1 ? " " : ""), $2 - 4, $1 }'
}

# Offer so many packets, several times, and say each time what pktgen counted: sent, errors, microseconds.
offer() { # phase packets times
	sender sh /guest/offer.sh "$@" s0 || fail give_up "pktgen stopped in phase '$1'"
}
