#!/bin/sh
# Frames that an XDP program makes, and at the other end one that drops them before there is a packet; see ends.sh.

generator=live-frames
. generators/ends.sh

begin_send() { # interface mac dut-mac from to frame-size flows load milliseconds sources sinks
	one_address "${10}" "${11}"
	[ "$8" = 0 ] || refuse "generator 'live-frames' offers the most it can; write 'load: max', or 'generator: packets'"
	start send tools/live-frames "$1" "$4" "$5" "$6" "$7" "$9" 0 "$3" "$2"
}

begin_receive() { # interface attacking-network
	[ "$2" = - ] || refuse "generator 'live-frames' cannot tell an attack from the load; write 'generator: packets'"
	need ethtool ethtool
	echo "$1" >state/receive.interface
	start receive tools/xdp-drop "$1"
	wait_until 5 "the XDP program of interface '$1'" dropping
}

dropping() { ! running receive || [ -s state/receive.out ]; }

ready_receive() {
	running receive || give_up "interface '$(cat state/receive.interface)' does not end frames ($(last_words state/receive.said)); write 'generator: packets'"
}

stop_receive() { stop receive; }
show_receive() { cat state/receive.said; }

received_by() { # moment
	say counter "$1" receiver:sink rx_packets "$(ethtool -S "$(cat state/receive.interface)" |
		awk '$1 ~ /^(rx_queue_[0-9]+_xdp_drops|rx_xdp_drop|xdp_drop):$/ { dropped += $2 } END { printf "%d", dropped }')"
}

describe() { say fact generator "live frames of an XDP program in batches of 64, dropped by XDP"; }

serve "$@"
