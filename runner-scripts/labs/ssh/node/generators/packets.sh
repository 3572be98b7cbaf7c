#!/bin/sh
# Frames through a packet socket; see ends.sh.

generator=packets
. generators/ends.sh

begin_send() { # interface mac dut-mac from to frame-size flows load milliseconds sources sinks
	one_address "${10}" "${11}"
	start send tools/packets "$1" "$4" "$5" "$6" "$7" "$9" "$8" "$3" "$2"
}

describe() { say fact generator "packet socket in batches of 64, dropped by nftables at ingress"; }

serve "$@"
