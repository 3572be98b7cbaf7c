#!/bin/sh
# TRex, stateless: its server runs on this node, and each end is one of its ports; see ends.sh.
#
# Both count by what the server reports of its ports, once a second, as nothing of the system sees them.

generator=trex
. trex/trex.sh
. generators/ends.sh

SETTLED=2 # reports after which one is of now

begin_send() { # interface mac dut-mac from to frame-size flows load milliseconds sources sinks
	begin_client send "$@"
}

begin_receive() { # interface attacking-network
	[ "$2" = - ] || refuse "generator 'trex' cannot tell an attack from the load; write 'generator: packets'"
	begin_client receive "$1"
}

begin_client() { # end port word...
	end=$1 number=${2#port}
	shift 2
	case $end in send) verb=send ;; *) verb=watch ;; esac
	start "$end" python3 -B trex/client.py "$(cat trex/folder)" "$number" "$verb" "$@"
}

reports() { # end
	awk 'NF == 8 { count++ } END { print count + 0 }' "state/$1.out"
}

reported() { # end count
	running "$1" || give_up "$(last_words "state/$1.said")"
	[ "$(reports "$1")" -ge "$2" ]
}

ready_send() { wait_until 30 "a report of TRex" reported send 1; }
ready_receive() { wait_until 30 "a report of TRex" reported receive 1; }

stop_send() {
	stop_end send
	last_report state/send.out >>state/send.totals
	cat state/send.out >>state/send.log
}

stop_receive() { stop_end receive; }

stop_end() { # end
	running "$1" || give_up "$(last_words "state/$1.said")"
	stop "$1"
	tail -n 1 "state/$1.out" | grep -qx ended || give_up "$(last_words "state/$1.said")"
}

show_send() { cat state/send.log && : >state/send.log; }
show_receive() { cat state/receive.out; }

# Parts of the trial, each so many whole reports long, from the next report on.
sample_load() { # phase samples milliseconds interface
	[ $(($3 % 1000)) -eq 0 ] || refuse "generator 'trex' reports once a second; give 'warmup' and 'length' of the trial in whole seconds"
	first=$(($(reports send) + 1))
	wait_until $(($2 * $3 / 1000 + 10)) "a report of TRex for each second" reported send $((first + $2 * $3 / 1000))
	awk -v phase="$1" -v samples="$2" -v size=$(($3 / 1000)) -v first="$first" '
		NF != 8 || ++seen < first { next }
		seen > first && (seen - first) % size == 0 && made < samples {
			printf "sample\t%s\t%d\t%d\t%d\n", phase, $2 - packets, $4 - errors, $1 - us
			made++
		}
		(seen - first) % size == 0 { us = $1; packets = $2; errors = $4 }' state/send.out
}

say_sent() { # moment node
	awk -v moment="$1" -v hop="$2:generator" '
		{ packets += $2; octets += $3 - 4 * $2; full += $8 }
		END {
			printf "counter\t%s\t%s\ttx_packets\t%d\n", moment, hop, packets
			printf "counter\t%s\t%s\ttx_bytes\t%d\n", moment, hop, octets
			printf "counter\t%s\t%s\tqueue_full\t%d\n", moment, hop, full }' state/send.totals
}

received_by() { # moment
	wait_until 10 "a report of TRex for each second" reported receive $(($(reports receive) + SETTLED))
	say counter "$1" receiver:sink rx_packets "$(last_report state/receive.out | awk '{ print $5 }')"
}

describe() { say fact generator "TRex stateless, one port an end, counted by its reports of each second"; }

serve "$@"
