#!/bin/busybox sh
# One trial inside the guest: build the path, load the firewall, warm up, offer the load, count at every hop.
#
#   netns sender            netns dut               netns receiver
#   [ pktgen  s0 ]-------[ d0  forward  d1 ]-------[ r0  count, drop at ingress ]
#     198.18.0.2         198.18.0.1  198.19.0.1      198.19.0.2
#     2001:2:0:1::2      2001:2:0:1::1  :2::1        2001:2:0:2::2
#
# Standard output is the result: tab-separated lines, the last one `end`. Everything else goes to the console.

set -eu

here=/guest case_file=/guest/case rules=/guest/rules
. "$here/say.sh"
. "$here/channel.sh"
. "$here/path.sh"
. "$here/tune.sh"
. "$here/load.sh"
. "$here/connections.sh"

facts() {
	say fact kernel_release "$(uname -r)"
	say fact kernel_version "$(uname -v)"
	say fact machine "$(uname -m)"
	say fact cpus "$(nproc)"
	say fact clocksource "$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)"
	say fact kernel_command_line "$(cat /proc/cmdline)"
	say fact nft "$(nft --version)"
	say fact iproute2 "$(/sbin/ip -V)"
	say fact generator "pktgen $(sed -n 's/.*ersion: *//p' /proc/net/pktgen/pgctrl | head -n 1)"
	mix=$(case_value traffic.imix '')
	[ -z "$mix" ] || say fact imix "$mix"
	dut sh "$here/sysctls.sh"
	tuned
	say sysctl net/core/netdev_max_backlog "$(cat /proc/sys/net/core/netdev_max_backlog)"
	say sysctl net/core/netdev_budget "$(cat /proc/sys/net/core/netdev_budget)"
}

count_hops() { # moment
	count_interfaces "$1"
	say counter "$1" dut:cpu softnet_dropped "$((0x$(cut -d ' ' -f 2 /proc/net/softnet_stat)))"
	say counter "$1" receiver:sink rx_packets "$(receiver nft list table netdev sink | awk '/counter/ { print $3 }')"
}

# Constant load in samples of a fixed number of packets: pktgen's own clock times them, nothing else runs meanwhile.
measure() {
	count_hops before
	offer measured "$packets" "$(case_value hardware.trial.samples)"
	count_hops after
	[ "$load" = max ] || return 0 # a load that is told to the sender says nothing of what it could do alone
	drop_at_dut
	offer calibration "$packets" 2
}

# Sampled by eight clocks whose periods have no common measure: one clock falls into step with the packets, each of which
# costs the same, and sees the same few places for ever (site/content/docs/decisions/eight-clocks.md).
# The window lies inside the traffic: sampling begins 300 ms after the load was asked for and ends with it.
profile() {
	echo 100000 >/proc/sys/kernel/perf_event_max_sample_rate
	echo 0 >/proc/sys/kernel/kptr_restrict
	sender sh /guest/pktgen.sh s0 "count 0"
	set --
	for period in 340007 356647 374089 392389 411589 431729 452857 475037; do # ns, primes: 20 000 samples a second
		set -- "$@" -e "software/config=0,period=$period,name=cpu-clock/"
	done
	perf record -q -B -D 300 "$@" -a -g -o /tmp/perf.data /sbin/ip netns exec sender sh /guest/load-for.sh 0.8 >&2
	# A section's marker may have the address of a function; perf would take either name, another in each image. It knows
	# no function of the kernel without the first two markers, _text and _stext.
	grep -v -E ' (_e|__[a-z]+_)text(_start|_end)?$' /proc/kallsyms >/tmp/kallsyms
	perf script --kallsyms /tmp/kallsyms -i /tmp/perf.data >"$(channel fwdlab.profile)"
}

mode=$1
family=$(case_value traffic.family)
packets=$(case_value hardware.trial.packets)
load=$(case_value traffic.load)
# Sender and DUT share the processor: what is offered while the DUT's part is put off must not be thrown away.
echo 100000 >/proc/sys/net/core/netdev_max_backlog
build_path "$family"
drop_at receiver r0 sink
load_firewall "$(case_value firewall.rules)"
settings=$(case_value firewall.sysctls '')
[ -z "$settings" ] || tune "$settings"
flows=$(case_value traffic.flows)
if is_elementary_test; then
	forget_ipv6 "$family"
	prepare_connections "$family" "$(case_value traffic.frame_size)" "$flows"
	facts
	echo traffic >"$(channel fwdlab.mark)"
	test_table "$load" "$flows"
	say end ok
	exit
fi
[ "$flows" -le 50000 ] || flows=50000 # the profile of a state table's case: as many flows as there are ports for
prepare_load "$family" "$(case_value traffic.frame_size)" "$flows" "$load"
facts
echo traffic >"$(channel fwdlab.mark)"
offer warmup "$(case_value hardware.trial.warmup)" 1
case $mode in
measure) measure ;;
profile) profile ;;
*) fail give_up "mode '$mode' is neither measure nor profile" ;;
esac
say end ok
