# Where frames end: at the receiver, and for the calibration where the DUT would begin to work. Sourced by trial.sh.
#
# What live frames became is dropped by XDP as it is. What came from a socket would be copied for XDP: there nftables is
# the cheaper end, and the only one where BPF is not ours.

end_frames() { # node interface
	case $sender in
	bpf) drop_by_xdp "$1" "$2" ;;
	*) drop_at "$1" "$2" "end-$2" ;;
	esac
}

drop_by_xdp() { # node interface
	/sbin/ip netns exec "$1" "$tools/xdp-drop" "$2" >"/run/$2.log" 2>&1 &
	until [ -s "/run/$2.log" ]; do sleep 0.01; done
	grep -qx ready "/run/$2.log" || fail give_up "$2 does not end frames ($(tail -n 1 "/run/$2.log")); write 'sender: packet'"
}

describe_sink() {
	case $sender in
	bpf) echo "XDP, before there is a packet" ;;
	*) echo "nftables at ingress" ;;
	esac
}

# How many frames have ended at the receiver, by its own count.
sunk() {
	case $sender in
	bpf) receiver ethtool -S r0 | awk '$1 == "rx_queue_0_xdp_drops:" { print $2 }' ;;
	*) receiver nft list table netdev end-r0 | awk '/counter/ { print $3 }' ;;
	esac
}
