#!/bin/sh
# What TRex has counted at its port, as `counter` lines, by its last report.
#
#   trex/counters.sh MOMENT NODE INTERFACE HOP      HOP is what the path calls the interface

. trex/trex.sh
case $2 in
receiver) last_report state/receive.out | awk -v moment="$1" -v hop="$2:$4" '
	{ printf "counter\t%s\t%s\trx_packets\t%d\ncounter\t%s\t%s\trx_errors\t%d\n", moment, hop, $5, moment, hop, $7 }' ;;
*) awk -v moment="$1" -v hop="$2:$4" '
	{ packets += $2; errors += $4 }
	END { printf "counter\t%s\t%s\ttx_packets\t%d\ncounter\t%s\t%s\ttx_errors\t%d\n", moment, hop, packets, moment, hop, errors }' state/send.totals ;;
esac
