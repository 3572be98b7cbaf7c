#!/bin/sh
# The Linux kernel's own pktgen, on one of its threads; see ends.sh.

generator=pktgen
. generators/ends.sh

begin_send() { # interface mac dut-mac from to frame-size flows load milliseconds sources sinks
	# It steps through addresses and ports at once, and would miss most of their pairs.
	one_address "${10}" "${11}"
	need modprobe kmod
	[ -e /proc/net/pktgen ] || modprobe pktgen 2>state/pktgen ||
		give_up "the kernel has no pktgen ($(last_words state/pktgen)); install its module there, or write 'generator: packets'"
	interface=$1 from=$4 to=$5 milliseconds=$9
	tell kpktgend_0 rem_device_all "add_device $interface"
	# clone_skb 0: the DUT rewrites headers, so every packet is a new one. pktgen counts octets without FCS.
	tell "$interface" "clone_skb 0" "delay 0" "count 0" "pkt_size $(($6 - 4))" "dst_mac $3" "src_mac $2" \
		"udp_src_min 10000" "udp_src_max $((10000 + $7))" "udp_dst_min 9" "udp_dst_max 9"
	[ "$8" = 0 ] || tell "$interface" "ratep $8"
	case $from in
	*:*) tell "$interface" "src6 $from" "dst6 $to" ;;
	*) tell "$interface" "src_min $from" "src_max $from" "dst_min $to" "dst_max $to" ;;
	esac
	start send /bin/sh generators/pktgen-load "$interface" "$milliseconds"
}

tell() { # file command...
	file=/proc/net/pktgen/$1
	shift
	for command; do
		echo "$command" >"$file" || give_up "pktgen does not take '$command' for ${file##*/}; look at its messages in dmesg"
	done
}

describe() { say fact generator "kernel pktgen, one thread, dropped by nftables at ingress"; }

serve "$@"
