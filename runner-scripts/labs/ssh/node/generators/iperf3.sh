#!/bin/sh
# iperf3, as users of a tunnel measure with it: UDP datagrams between two hosts, counted by what iperf3 reports; see ends.sh.
#
# While they are an end, the hosts have the load's own addresses. They talk by TCP through the DUT besides, to the port that
# the datagrams go to. A blast ends by itself, for only then do both ends report. A goodput of TCP is nobody's packets a
# second at a load that was offered, and is not measured.

generator=iperf3
. generators/ends.sh
. generators/host.sh
. generators/iperf3-version.sh

PORT=9
MOST_FLOWS=128
LEAST_OCTETS=16 # of a datagram: iperf3 numbers and stamps it

begin_send() { # interface mac dut-mac from to frame-size flows load milliseconds sources sinks
	one_address "${10}" "${11}"
	recent_iperf3
	case $4 in *:*) around=66 ;; *) around=46 ;; esac # Ethernet with its FCS, IP, UDP
	[ "$6" -ge $((around + LEAST_OCTETS)) ] ||
		refuse "generator 'iperf3' makes no frame below $((around + LEAST_OCTETS)) octets of this family, not $6; mend 'frame_size' of the traffic"
	[ "$7" -le "$MOST_FLOWS" ] ||
		refuse "generator 'iperf3' has at most $MOST_FLOWS flows, not $7; mend 'flows' of the traffic"
	be_host send "$1" "$4" "$5" "$3"
	datagrams >state/datagrams
	echo "$7" >state/flows
	echo "$1" >state/send.interface
	start send /bin/sh generators/iperf3-load state/send.json -c "$5" -B "$4" -p "$PORT" -u -l $(($6 - around)) -P "$7" \
		-b "$(awk -v pps="$8" -v octets=$(($6 - around)) -v flows="$7" 'BEGIN { printf "%.0f", pps * octets * 8 / flows }')" \
		-t $((($9 - 10000 + 999) / 1000 + 1)) -i 1 -J --connect-timeout 5000
}

begin_receive() { # interface attacking-network sink source router-mac
	[ "$2" = - ] || refuse "generator 'iperf3' cannot tell an attack from the load; write 'generator: packets'"
	recent_iperf3
	be_host receive "$1" "$3" "$4" "$5"
	echo 0 >state/receive.told
	set -- iperf3 -s -B "$3" -p "$PORT" -J --forceflush
	# Who must wait for a processor loses datagrams before it can count them.
	! chrt -f 1 true 2>/dev/null || set -- chrt -f 1 "$@"
	start receive "$@"
}

under_way() { ! running send || [ "$(datagrams)" -gt $(($(cat state/datagrams) + $(cat state/flows))) ]; }

ready_send() {
	wait_until 15 "the first datagram of iperf3" under_way
	running send || [ -s state/send.out ] || unreported
}

unreported() {
	give_up "iperf3 stopped ($(last_words state/send.said)); look at its other end, and at rules of the DUT: TCP and UDP to port $PORT pass both ways"
}

stop_send() {
	wait_until 30 "the end of iperf3" stopped send
	rm -f state/send.pid
	cat state/send.json >>state/send.log
	[ -s state/send.out ] || unreported
	leave_host send
}

# Beside the load there are frames of its own: TCP both ways, and a first datagram of each flow.
say_sent() { # moment node
	left=$(cat "/sys/class/net/$(cat state/send.interface)/statistics/tx_packets")
	say counter "$1" "$2:generator" tx_packets "$(sent_so_far)"
	say counter "$1" "$2:generator" control_packets $((left - $(sent_so_far)))
}

show_send() { cat state/send.log && : >state/send.log; }

listening() {
	! running receive ||
		cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | grep -q "^ *[0-9]*: [0-9A-F]*:$(printf %04X "$PORT") [0-9A-F]*:0000 0A "
}

ready_receive() {
	wait_until 5 "iperf3 as receiver" listening
	running receive || give_up "iperf3 cannot receive ($(report said state/receive.out)); look at what else listens on port $PORT there"
}

stop_receive() {
	stop receive
	leave_host receive
}

show_receive() { cat state/receive.out; }

report() { awk -v ask="$1" -f generators/iperf3-report.awk "$2"; } # what file

told_more() { [ "$(report count state/receive.out)" -gt "$(cat state/receive.told)" ]; }

received_by() { # moment
	wait_until 10 "the receiver's report of iperf3" told_more
	report count state/receive.out >state/receive.told
	said=$(report said state/receive.out)
	[ -z "$said" ] || give_up "iperf3 as receiver said '$said'; look at its log and at the sender's"
	say counter "$1" receiver:sink rx_packets "$(report received state/receive.out)"
}

describe() { say fact generator "$(iperf3 --version | awk '{ print $1 "3 " $2; exit }'), UDP, counted by its reports at both ends"; }

serve "$@"
