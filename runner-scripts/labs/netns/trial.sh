#!/bin/sh
# One trial inside namespaces of its own: build the path, load the firewall, warm up, offer the load, count at every hop.
#
#   netns sender            netns dut               netns receiver
#   [ sender  s0 ]-------[ d0  forward  d1 ]-------[ r0  count, drop at ingress ]
#     198.18.0.2         198.18.0.1  198.19.0.1      198.19.0.2
#     2001:2:0:1::2      2001:2:0:1::1  :2::1        2001:2:0:2::2
#
#   trial.sh MODE FOLDER SENDER PATH_FOLDER TOOLS CASE_FILE      MODE is probe, measure or profile
#
# Standard output is the result: tab-separated lines, the last one `end`. Everything else goes to standard error.

set -eu

mode=$1 folder=$2 wish=$3 here=$4 tools=$5 case_file=$6
own=${0%/*} rules=/run/rules
. "$here/say.sh"
. "$here/path.sh"
. "$own/offer.sh"
. "$own/sink.sh"
. "$own/connections.sh"

facts() {
	say fact kernel_release "$(uname -r)"
	say fact kernel_version "$(uname -v)"
	say fact machine "$(uname -m)"
	say fact cpus "$(nproc --all)"
	say fact clocksource "$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)"
	say fact kernel_command_line "$(cat /proc/cmdline)"
	say fact nft "$(nft --version)"
	say fact iproute2 "$(/sbin/ip -V)"
	say fact generator "$(describe_sender)"
	[ "$sender" = trafgen ] || say fact batch 64
	[ -z "$mix" ] || say fact imix "$mix"
	[ -z "$mix" ] || say fact imix_order repeated
	say fact sink "$(describe_sink)"
	say fact scheduling "$(describe_scheduling)"
	dut sh "$here/sysctls.sh"
}

count_hops() { # moment
	say counter "$1" sender:generator tx_packets "$generated"
	count_interfaces "$1"
	say counter "$1" receiver:sink rx_packets "$(sunk)"
}

measure() {
	count_hops before
	load measured "$(case_value hardware.trial.samples)" "$slice_ms"
	count_hops after
	[ "$intended" = max ] || return 0 # a load that is told to the sender says nothing of what it could do alone
	end_frames dut d0
	load calibration 2 "$slice_ms"
}

# The window lies inside the traffic and shows the one processor that forwards. perf takes the processor's own count of
# cycles, or a clock where the host has none.
profile() {
	offer 10000
	sleep 0.3
	if perf record -q -C "$processor" -F 4999 -g -o /run/perf.data -- sleep 1 >&2; then
		perf script -i /run/perf.data >"$folder/perf.script"
	else
		echo "no profile: perf may not sample processor $processor; run as root, or set kernel.perf_event_paranoid to 0" >&2
	fi
	stop_offering
}

family=$(case_value traffic.family)
processor=$(case_value hardware.processor)
slice_ms=$(case_value hardware.trial.slice_ms)
intended=$(case_value traffic.load)
mount -t tmpfs fwdlab /run
mkdir /run/netns
[ ! -e "$folder/rules" ] || cp "$folder/rules" "$rules"
build_path "$family"
forget_ipv6 "$family"
dut ethtool -K d0 gro on || fail give_up "veth takes no 'gro on', so it has no receive queue; this needs Linux 5.13"
load_firewall "$(case_value firewall.rules)"
if is_elementary_test; then
	sender=packet mix='' realtime=$(find_realtime)
	end_frames receiver r0
	facts
	test_table
	say end ok
	exit
fi
choose_sender "$wish"
end_frames receiver r0
facts
load warmup 1 "$(case_value hardware.trial.warmup_ms)"
case $mode in
probe) say fact sender "$sender" ;;
measure) measure ;;
profile) profile ;;
*) fail give_up "mode '$mode' is neither probe, measure nor profile" ;;
esac
say end ok
