# The load: a sender on the processor under test. Sourced by trial.sh.

generated=0 # frames that senders made until now

# The first of the senders that can be had, the one that leaves most of the processor to the DUT first.
choose_sender() { # bpf|packet|trafgen|auto
	realtime=$(find_realtime)
	mix=$(case_value traffic.imix '')
	case $1:$intended${mix:+:mix} in
	auto:*mix) set -- packet ;;
	auto:max) set -- bpf packet ;;
	auto:*) set -- packet ;;
	packet:* | *:max) ;;
	*) fail refuse "sender '$1' offers the most it can, of one size; write 'load: max', or 'sender: packet'" ;;
	esac
	for sender; do
		offer 200
		if wait "$offering"; then return; fi
		cat /run/sender.log >&2
	done
	fail give_up "sender '$sender' does not work here ($(tail -n 1 /run/sender.log)); run as root, or write 'sender: auto'"
}

# A sender that cannot be put off leaves a trial alone with its processor. Linux before 6.5 hands the network's work to a
# thread of ordinary priority when there is much of it, and that would never run.
find_realtime() {
	uname -r | awk -F . '{ exit !($1 > 6 || $1 == 6 && $2 + 0 >= 5) }' || return 0
	if chrt -f 1 true 2>/dev/null; then echo "chrt -f 1"; fi
}

describe_scheduling() {
	if [ -n "$realtime" ]; then echo "ahead of all ordinary work (SCHED_FIFO)"; else echo "as ordinary work"; fi
}

describe_sender() {
	case $sender in
	bpf) echo "BPF live frames in batches of 64" ;;
	packet) echo "packet socket in batches of 64" ;;
	trafgen) trafgen --version | sed -n '1s/,.*//p' ;;
	esac
}

# One size, or the repeated sequence of a mix.
frame_sizes() {
	if [ -n "$mix" ]; then echo "$mix" | tr ' ' ,; else case_value traffic.frame_size; fi
}

# Begin to offer, for so long at most. $offering is the sender's process.
offer() { # milliseconds
	set -- s0 "$source_ip" "$sink_ip" "$(frame_sizes)" "$(case_value traffic.flows)" "$1"
	case $sender in
	bpf) set -- "$tools/live-frames" "$@" ;;
	packet) set -- "$tools/packets" "$@" ;;
	trafgen) set -- sh "$own/trafgen.sh" "$@" ;;
	*) fail refuse "sender '$sender' is not known; mend the hardware entry of the matrix" ;;
	esac
	case $intended in
	max | *[!0-9]*) ;;
	*) set -- "$@" "$intended" 02:00:00:00:00:02 02:00:00:00:00:01 ;;
	esac
	[ -z "$realtime" ] || set -- chrt -f 1 "$@"
	/sbin/ip netns exec sender taskset -c "$processor" "$@" >/run/sent 2>/run/sender.log &
	offering=$!
}

stop_offering() {
	kill "$offering" 2>/dev/null || true
	wait "$offering" || fail give_up "the sender stopped ($(tail -n 1 /run/sender.log))"
	generated=$((generated + $(sent_frames)))
}

# What the sender said it made: a number alone, or trafgen's "N packets outgoing".
sent_frames() {
	awk 'NF == 1 { sent = $1 } /packets outgoing/ { sent = $(NF - 2) } END { print sent + 0 }' /run/sent
}

# Offer the load and measure it in slices, where it leaves the sender.
load() { # phase slices milliseconds
	offer "$((10000 + $2 * $3))"
	set -- "$tools/slices" "$1" "$2" "$3" "$offering" sender s0
	[ -z "$realtime" ] || set -- chrt -f 2 "$@"
	"$@" || fail give_up "the load of phase '$2' did not come through ($(tail -n 1 /run/sender.log))"
	stop_offering
}
