# The path under test, and what each of its hops has counted. Sourced by trial.sh, which draws it.

sender() { /sbin/ip netns exec sender "$@"; }
dut() { /sbin/ip netns exec dut "$@"; }
receiver() { /sbin/ip netns exec receiver "$@"; }

# Addresses of the benchmarking networks of RFC 2544 (C.2.2) and RFC 5180 (section 8); tests never leave them.
path_addresses() { # family
	case $1 in
	inet)
		length=24
		sender_ip=198.18.0.2 dut_in_ip=198.18.0.1 dut_out_ip=198.19.0.1 receiver_ip=198.19.0.2
		source_net=198.18.100.0/24 source_ip=198.18.100.1 sink_net=198.19.100.0/24 sink_ip=198.19.100.1
		;;
	inet6)
		length=64
		sender_ip=2001:2:0:1::2 dut_in_ip=2001:2:0:1::1 dut_out_ip=2001:2:0:2::1 receiver_ip=2001:2:0:2::2
		source_net=2001:2:0:a::/64 source_ip=2001:2:0:a::1 sink_net=2001:2:0:b::/64 sink_ip=2001:2:0:b::1
		;;
	*) fail refuse "family '$1' is neither inet nor inet6; mend the traffic entry of the matrix" ;;
	esac
}

build_path() { # family
	path_addresses "$1"
	quiet_ipv6
	# Sender and DUT share the processor: what is offered while the DUT's part is put off must not be thrown away.
	echo 100000 >/proc/sys/net/core/netdev_max_backlog
	for node in sender dut receiver; do
		/sbin/ip netns add "$node"
	done
	join sender s0 02:00:00:00:00:01 dut d0 02:00:00:00:00:02
	join dut d1 02:00:00:00:00:03 receiver r0 02:00:00:00:00:04
	number dut d0 "$dut_in_ip/$length" "$sender_ip" 02:00:00:00:00:01
	number dut d1 "$dut_out_ip/$length" "$receiver_ip" 02:00:00:00:00:04
	/sbin/ip -n dut route add "$source_net" via "$sender_ip"
	/sbin/ip -n dut route add "$sink_net" via "$receiver_ip"
	dut sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward && echo 1 >/proc/sys/net/ipv6/conf/all/forwarding'
	drop_at receiver r0 sink
}

# Nothing but the load may cross the path: no router solicitation, no duplicate address detection. New namespaces
# inherit it from the first.
quiet_ipv6() {
	echo 1 >/proc/sys/net/core/devconf_inherit_init_net
	for name in accept_ra accept_dad router_solicitations autoconf; do
		echo 0 >"/proc/sys/net/ipv6/conf/default/$name"
	done
}

join() { # node interface mac node interface mac
	/sbin/ip -n "$1" link add "$2" address "$3" type veth peer name "$5" address "$6" netns "$4"
	/sbin/ip -n "$1" link set "$2" up
	/sbin/ip -n "$4" link set "$5" up
}

number() { # node interface address/length neighbour mac
	/sbin/ip -n "$1" address add "$3" dev "$2"
	/sbin/ip -n "$1" neighbour replace "$4" lladdr "$5" dev "$2" nud permanent
}

load_firewall() { # rule file, or nothing for plain forwarding
	[ -n "$1" ] || return 0
	dut nft -f /guest/rules 2>/tmp/complaint || {
		cat /tmp/complaint >&2
		fail refuse "$1$(sed -n 's,^/guest/rules,,p' /tmp/complaint | head -n 1); nft refuses it, mend the rule file"
	}
}

drop_at() { # node interface table
	/sbin/ip netns exec "$1" nft "add table netdev $3
		add chain netdev $3 ingress { type filter hook ingress device $2 priority 0; }
		add rule netdev $3 ingress counter drop"
}

# The sender's own cost: the same load, thrown away where the DUT would begin to work.
drop_at_dut() {
	drop_at dut d0 calibrate
}

count_hops() { # moment
	sender sh /guest/counters.sh "$1" sender s0
	dut sh /guest/counters.sh "$1" dut d0 d1
	receiver sh /guest/counters.sh "$1" receiver r0
	say counter "$1" dut:cpu softnet_dropped "$((0x$(cut -d ' ' -f 2 /proc/net/softnet_stat)))"
	say counter "$1" receiver:sink rx_packets "$(receiver nft list table netdev sink | awk '/counter/ { print $3 }')"
}
