# This lab's own senders, live frames of an XDP program or a packet socket: what both of them do alike. Sourced by their
# files, which say in $sender which program it is.
#
#   start send INTERFACE MAC DUT_MAC FROM TO FRAME_SIZE FLOWS LOAD MILLISECONDS
#   start receive INTERFACE NET     frames from NET are an attack's; '-' where there is none
#   ready|stop send|receive
#   read send MOMENT [NODE], read receive MOMENT        `counter` lines
#   sample PHASE SAMPLES MILLISECONDS INTERFACE
#   describe
#
# Each blast is a process of its own, which ends by itself when its time is over.

. generators/process.sh
sent=state/sent

check_flows() { # sources sinks
	[ "$1 $2" = "1 1" ] || refuse "generator '$sender' tells flows apart by their port alone; leave 'sources' and 'sinks' away in the traffic"
}

own_start() { # send|receive word...
	[ -x tools/packets ] || give_up "the generator was not copied; run again"
	case $1 in
	send)
		cat state/send.out 2>/dev/null | awk 'END { print $1 + 0 }' >>"$sent"
		start send "tools/$sender" "$2" "$5" "$6" "$7" "$8" "${10}" "$9" "$4" "$3"
		;;
	receive) receive_on "$2" "$3" ;;
	esac
}

own_ready() { # end
	running "$1" || give_up "generator '$sender' stopped ($(last_words "state/$1.said"))"
}

own_stop() { # end
	stop "$1"
}

# What all blasts of this trial have made; a sender says so when it ends.
own_sent() { # moment node
	say counter "$1" "$2:generator" tx_packets "$(cat "$sent" state/send.out 2>/dev/null | awk '{ made += $1 } END { printf "%d", made }')"
}

own_sample() { # phase samples milliseconds interface
	tools/slices "$1" "$2" "$3" 0 - "$4" ||
		give_up "generator '$sender' sends nothing ($(last_words state/send.said))"
}
