#!/bin/sh
# netmap's pkt-gen as sender and as receiver.
#
#   generators/pkt-gen.sh VERB ...      see ends.sh
#
# A port that netmap opens loses its link for a moment: pkt-gen waits for it, and we look whether it came back. It is
# stopped as by hand, with an interrupt, upon which it says how many frames it sent.

. generators/process.sh
. generators/pkt-gen-log.sh
. generators/link.sh
. generators/pkt-gen-there.sh

WAIT_S=4 # for the link

# The last of so many addresses; a range never leaves the last octet, or the last group.
last_address() { # first count
	case $1 in
	*:*) printf '%s:%x\n' "${1%:*}" $((0x${1##*:} + $2 - 1)) ;;
	*) echo "${1%.*}.$((${1##*.} + $2 - 1))" ;;
	esac
}

# Addresses, each with its first and its last port.
range() { # first-address addresses first-port ports
	[ "$2" -le 250 ] || refuse "generator 'pkt-gen' has at most 250 addresses a side here, not $2; give 'sources' and 'sinks' less"
	last=$(last_address "$1" "$2")
	case $1 in
	*:*) echo "[$1]:$3-[$last]:$(($3 + $4 - 1))" ;;
	*) echo "$1:$3-$last:$(($3 + $4 - 1))" ;;
	esac
}

# In the background, with its own number and a deadline; its log is kept as it is.
launch() { # end seconds command...
	end=$1 seconds=$2
	shift 2
	echo "CMD: $*" >"state/$end.log"
	timeout -s INT -k 5 "$seconds" /bin/sh generators/launch.sh "state/$end.pid" "$@" >>"state/$end.log" 2>&1 </dev/null &
	wait_until 5 "'pkt-gen'" [ -s "state/$end.pid" ]
}

start_send() { # interface mac dut-mac from to frame-size flows load milliseconds sources sinks
	seconds=$(($9 / 1000 + WAIT_S + 10)) rate=
	[ "$8" = 0 ] || rate=$8
	case $4 in *:*) family=-6 ;; *) family=-4 ;; esac
	launch send "$seconds" pkt-gen -N -f tx -i "$1" "$family" -w "$WAIT_S" -l "$(($6 - 4))" -S "$2" -D "$3" \
		-s "$(range "$4" "${10}" 2000 $(($7 / (${10} * ${11}))))" -d "$(range "$5" "${11}" 9 1)" ${rate:+-R "$rate"}
}

start_receive() { # interface attacking-network
	[ "$2" = - ] || refuse "generator 'pkt-gen' cannot tell an attack from the load; write 'generator: packets'"
	launch receive 86400 pkt-gen -N -f rx -i "$1" -w "$WAIT_S"
}

# A generator that ended, or lost its port, says nothing about the DUT.
alive() { # end
	! grep -q -E 'ouch|exited with error' "state/$1.log" ||
		give_up "pkt-gen stopped ($(grep -E 'ouch|exited with error' "state/$1.log" | tr -cd '\n -~' | tail -n 1)); look at the link of its port"
	unknown=$(grep -E '(illegal|invalid|unrecognized) option|option .* not recognized' "state/$1.log" | tr -cd '\n -~' | head -n 1)
	[ -z "$unknown" ] || give_up "pkt-gen is too old ($unknown); install a newer package 'pkt-gen' there"
	running "$1" || give_up "pkt-gen stopped ($(last_words "state/$1.log"))"
}

linked() { # end
	alive "$1"
	grep -q 'Ready[.][.][.]' "state/$1.log" && has_link "$(cat "state/$1.interface")"
}

ready() { # end
	wait_until $((WAIT_S + 10)) \
		"link of interface '$(cat "state/$1.interface")' after netmap opened it (look at its cable and the other end)" linked "$1"
}

interrupt() { # end
	kill -INT "$(cat "state/$1.pid")" 2>/dev/null || true
	wait_until 10 "the end of pkt-gen" stopped "$1"
	rm -f "state/$1.pid"
	cat "state/$1.log" >>"state/$1.logs"
}

verb=$1 end=$2
case $verb:$end in
start:*)
	need_pkt_gen
	echo "$3" >"state/$end.interface"
	shift 2
	"start_$end" "$@"
	;;
ready:*) ready "$end" ;;
stop:*) interrupt "$end" ;;
read:send) sent "$3" "${4:-sender}" ;;
read:receive) received "$3" ;;
sample:*)
	shift
	sample "$@"
	;;
show:*) cat "state/$end.log" ;;
describe:*) say fact generator "netmap pkt-gen, one thread a port, counted by its reports of each second" ;;
*) refuse "generator 'pkt-gen' does not know '$verb'" ;;
esac
