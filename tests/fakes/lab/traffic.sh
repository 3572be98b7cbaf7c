#!/bin/sh
# Measure nothing, and say what it came to.
#
#   traffic.sh CASE_FILE RUN_FOLDER REPEAT ORDER

. "${0%/*}/fake.sh"
repeat=$3 order=$4 step=repeat-$3
[ ! -e "$run/$step" ] || exit 0
begin "$step"
folder=$run/$step.partial

# In a shell of its own, as a script's pipes are.
(sleep "${FAKE_SECONDS:-0}")

case $(value firewall.name) in
refused) fail 2 "$slug: nft refuses 'rules.nft'; mend the rule file" "$step" ;;
broken) fail 3 "box: the guest stopped with 'Kernel panic'; read console.log" "$step" ;;
flaky) [ -e "$run/failed/$step.1" ] || fail 3 "box: the guest was killed; run again" "$step" ;;
esac

{ [ "$(state 2)" != panics ] && [ ! -e "${FAKE_BROKEN:-/nowhere}" ]; } ||
	fail 3 "box: the guest stopped with 'Kernel panic'; read console.log" "$step"

[ "$(patch_word)" != panics ] || fail 2 "box: the guest stopped with 'Kernel panic'; read console.log" "$step"

counters() { # moment packets
	for hop in sender:s0 dut:d0 dut:d1 receiver:r0; do
		for way in tx rx; do
			printf 'counter\t%s\t%s\t%s_packets\t%s\n' "$1" "$hop" "$way" "$2"
			printf 'counter\t%s\t%s\t%s_bytes\t%s\n' "$1" "$hop" "$way" "$(($2 * 60))"
			printf 'counter\t%s\t%s\t%s_dropped\t0\n' "$1" "$hop" "$way"
		done
	done
	printf 'counter\t%s\tdut:cpu\tsoftnet_dropped\t0\ncounter\t%s\treceiver:sink\trx_packets\t%s\n' "$1" "$1" "$2"
}

elapsed=$((43000 + repeat * 3))
[ "$(value revision.name)" != new ] || elapsed=$((elapsed - 9000))
[ -z "$(state 1)" ] || elapsed=$(($(state 1 | awk '{ printf "%d", 4000000000 / $1 }') + repeat))
case $(patch_word) in
costs) elapsed=$((elapsed + elapsed / 50)) ;;
wins) elapsed=$((elapsed - elapsed / 50)) ;;
esac
[ "$(value firewall.name)" != stateful ] || elapsed=$((elapsed + 7000))
{
	printf 'fact\tkernel_release\t6.1.0-56\nfact\tgenerator\tpktgen 2.75\nsysctl\tnet/ipv4/ip_forward\t1\n'
	printf 'sample\twarmup\t4000\t0\t46740\n'
	counters before 4000
	for slice in 1 2 3 4; do printf 'sample\tmeasured\t4000\t0\t%s\n' "$((elapsed + slice))"; done
	counters after 20000
	printf 'sample\tcalibration\t4000\t0\t16326\n'
	[ "$(value firewall.name)" = cut ] || printf 'end\tok\n'
} >"$folder/result"
printf '%s\t%s\n' repeat "$repeat" order "$order" started 2026-11-21T01:17:34Z boot_s 1.500 traffic_s 0.500 \
	ended 2026-11-21T01:17:36Z >"$folder/facts"
echo 'guest: done' >"$folder/console.log"
finish "$step"
