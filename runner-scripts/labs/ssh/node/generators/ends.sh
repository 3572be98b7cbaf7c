# The verbs that every generator has, for either end of a load. Sourced by their files, which then call `serve "$@"`.
#
#   start send INTERFACE MAC DUT_MAC FROM TO FRAME_SIZE FLOWS LOAD MILLISECONDS SOURCES SINKS      LOAD 0: the most there is
#   start receive INTERFACE NET SINK SOURCE ROUTER_MAC      frames from NET are an attack's; '-' where there is none
#   ready|stop send|receive
#   show send|receive                what the end itself said in this trial of the session, kept beside the result
#   read send MOMENT [NODE], read receive MOMENT      `counter` lines
#   sample PHASE SAMPLES MILLISECONDS INTERFACE       `sample` lines
#   describe                                          `fact` lines
#
# A generator has the functions of the first column; those of a file sourced later take the place of these.
#
#   begin_send WORDS...      start the process `send`, which ends by itself after its time and then says what it sent
#   begin_receive WORDS...   begin to count at the receiver; here and below: nftables, which drops at ingress
#   ready_send, stop_send, show_send, received_by, ready_receive, stop_receive, show_receive
#   describe

. generators/process.sh
. generators/sink.sh

serve() { # verb word...
	case $1:${2:-} in
	start:send)
		shift 2
		cat state/send.out 2>/dev/null | awk 'END { print $1 + 0 }' >>state/sent ||
			give_up "what was sent so far cannot be noted; look at the disk"
		begin_send "$@"
		;;
	start:receive)
		shift 2
		begin_receive "$@"
		;;
	ready:send | stop:send | show:send | ready:receive | stop:receive | show:receive) "$1_$2" ;;
	read:send) say_sent "$3" "${4:-sender}" ;;
	read:receive) received_by "$3" ;;
	sample:*) sample_load "$2" "$3" "$4" "$5" ;;
	describe:) describe ;;
	*) refuse "generator '$generator' does not know '$1 ${2:-}'" ;;
	esac
}

# What all blasts have sent.
say_sent() { # moment node
	say counter "$1" "$2:generator" tx_packets "$(sent_so_far)"
}

sent_so_far() { cat state/sent state/send.out 2>/dev/null | awk '{ made += $1 } END { printf "%d", made }'; }

# Where the load leaves: what its interface sent, or lost.
sample_load() { # phase samples milliseconds interface
	tools/slices "$1" "$2" "$3" 0 - "$4" && return
	still_sends
	give_up "generator '$generator' sends nothing ($(last_words state/send.said))"
}

one_address() { # sources sinks
	[ "$1 $2" = "1 1" ] ||
		refuse "generator '$generator' tells flows apart by their port alone; leave 'sources' and 'sinks' away in the traffic"
}

ready_send() { running send || give_up "generator '$generator' stopped ($(last_words state/send.said))"; }

still_sends() {
	running send || give_up "generator '$generator' died before its time ($(last_words state/send.said)); look at what ended it"
}

stop_send() {
	still_sends
	stop send
	[ -s state/send.out ] || give_up "generator '$generator' did not say what it sent; look at what ended it, and at the disk"
}

show_send() { cat state/send.out state/send.said; }

begin_receive() { sink_open "$@"; }
ready_receive() { sink_ready; }
stop_receive() { sink_stop; }
show_receive() { :; }
received_by() { sink_read "$1"; }
