# What pkt-gen says in its log, as samples and counters. Sourced.
#
# It reports once a second. A report is of the time before it: the first of a blast is of less than a second at full rate,
# and all that was received until now is in the second report from now.

SKIPPED=1 # reports of a blast that are no sample

reports() { # end
	grep -c 'main_thread .* pps' "state/$1.log" || true
}

reported() { # end count
	alive "$1"
	[ "$(reports "$1")" -ge "$2" ]
}

# Parts of the trial, each so many whole reports long.
sample() { # phase samples milliseconds
	[ $(($3 % 1000)) -eq 0 ] || refuse "generator 'pkt-gen' reports once a second; give 'warmup' and 'length' of the trial in whole seconds"
	wait_until $(($2 * $3 / 1000 + SKIPPED + 10)) "a report of pkt-gen for each second" \
		reported send $((SKIPPED + $2 * $3 / 1000))
	sed -n 's/.*main_thread .* pps .*(\([0-9]*\) pkts .*in \([0-9]*\) usec).*/\1 \2/p' state/send.log |
		awk -v phase="$1" -v samples="$2" -v size=$(($3 / 1000)) -v skipped="$SKIPPED" '
			NR > skipped && made < samples {
				packets += $1; us += $2
				if (++taken == size) {
					printf "sample\t%s\t%d\t0\t%d\n", phase, packets, us
					packets = us = taken = 0; made++
				}
			}'
}

# All blasts together, by what each says at its end: 'Sent N packets M bytes ...', before 2016 'Sent N packets, M bytes each'.
sent() { # moment node
	cat state/send.logs 2>/dev/null | awk -v moment="$1" -v hop="$2:generator" '
		$1 == "Sent" { sent += $2; octets += $3 == "packets" ? $4 : $2 * $4 }
		END {
			printf "counter\t%s\t%s\ttx_packets\t%d\n", moment, hop, sent
			printf "counter\t%s\t%s\ttx_bytes\t%d\n", moment, hop, octets }'
}

received() { # moment
	wait_until 10 "a report of pkt-gen for each second" reported receive $(($(reports receive) + 2))
	say counter "$1" receiver:sink rx_packets "$(sed -n 's/.*main_thread .* pps .*(\([0-9]*\) pkts .*/\1/p' state/receive.log |
		awk '{ received += $1 } END { printf "%d", received }')"
}
