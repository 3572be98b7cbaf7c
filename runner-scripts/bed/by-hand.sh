#!/bin/sh
# The load of a trial in the laboratory of bed.sh, as a person would offer it there: no ssh, no scripts around it.
#
#   by-hand.sh TOOLS FRAME_SIZE FLOWS WARMUP_MS SAMPLES SLICE_MS      the DUT is as the last trial left it
#
# Standard output is a result, as a trial gives one.

set -eu
tools=$1 frame_size=$2 flows=$3 warmup_ms=$4 samples=$5 slice_ms=$6

blast() { # phase samples milliseconds
	/sbin/ip netns exec sender "$tools/live-frames" s0 198.18.100.1 198.19.100.1 "$frame_size" "$flows" 60000 0 \
		"$to" "$from" >/run/sent &
	sending=$!
	"$tools/slices" "$1" "$2" "$3" 0 sender s0
	kill "$sending"
	wait "$sending"
	sleep 0.2
}

count() { # moment frames-sent
	printf 'counter\t%s\tsender:generator\ttx_packets\t%s\n' "$1" "$2"
	/sbin/ip netns exec receiver ethtool -S r0 | awk -v moment="$1" '
		$1 ~ /_xdp_drops:$/ { dropped += $2 }
		END { printf "counter\t%s\treceiver:sink\trx_packets\t%d\n", moment, dropped }'
}

from=$(/sbin/ip netns exec sender cat /sys/class/net/s0/address)
to=$(/sbin/ip netns exec dut cat /sys/class/net/d0/address)
/sbin/ip netns exec receiver "$tools/xdp-drop" r0 >/run/dropping &
dropping=$!
trap 'kill "$dropping"' EXIT
until [ -s /run/dropping ]; do sleep 0.02; done
blast warmup 1 "$warmup_ms"
count before 0
blast measured "$samples" "$slice_ms"
count after "$(cat /run/sent)"
printf 'end\tok\n'
