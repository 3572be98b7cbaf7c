# The path under test, and what each of its hops has counted. Sourced by a trial, which draws it; expects $here, the
# folder of this file, and $rules, where the case's rule file lies.

. "$here/flows.sh"

sender() { /sbin/ip netns exec sender "$@"; }
dut() { /sbin/ip netns exec dut "$@"; }
receiver() { /sbin/ip netns exec receiver "$@"; }

path_addresses() { # family
	flow_addresses "$1"
	case $1 in
	inet)
		length=24
		sender_ip=198.18.0.2 dut_in_ip=198.18.0.1 dut_out_ip=198.19.0.1 receiver_ip=198.19.0.2
		;;
	*)
		length=64
		sender_ip=2001:2:0:1::2 dut_in_ip=2001:2:0:1::1 dut_out_ip=2001:2:0:2::1 receiver_ip=2001:2:0:2::2
		;;
	esac
}

build_path() { # family
	path_addresses "$1"
	for node in sender dut receiver; do
		/sbin/ip netns add "$node"
		keep_quiet "$node"
	done
	join sender s0 02:00:00:00:00:01 dut d0 02:00:00:00:00:02
	join dut d1 02:00:00:00:00:03 receiver r0 02:00:00:00:00:04
	number dut d0 "$dut_in_ip/$length" "$sender_ip" 02:00:00:00:00:01
	number dut d1 "$dut_out_ip/$length" "$receiver_ip" 02:00:00:00:00:04
	/sbin/ip -n dut route add "$source_net" via "$sender_ip"
	/sbin/ip -n dut route add "$sink_net" via "$receiver_ip"
	dut sh "$here/settings.sh" net/ipv4/ip_forward=1 net/ipv6/conf/all/forwarding=1
}

# Nothing but the load may cross the path: no router solicitation, no duplicate address detection.
keep_quiet() { # node
	default=net/ipv6/conf/default
	"$1" sh "$here/settings.sh" "$default/accept_ra=0" "$default/accept_dad=0" "$default/router_solicitations=0" \
		"$default/autoconf=0"
}

# Sender and receiver need no address, and the DUT none of the other family: so none of them says anything by itself.
forget_ipv6() { # family
	for node in sender dut receiver; do
		[ "$node $1" = "dut inet6" ] || "$node" sh "$here/settings.sh" net/ipv6/conf/all/disable_ipv6=1
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
	dut nft -f "$rules" 2>"$rules.complaint" || {
		cat "$rules.complaint" >&2
		fail refuse "$1$(sed -n "s,^$rules,,p" "$rules.complaint" | head -n 1); nft refuses it, mend the rule file"
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

# What every interface on the path has counted.
count_interfaces() { # moment
	sender sh "$here/counters.sh" "$1" sender s0
	dut sh "$here/counters.sh" "$1" dut d0 d1
	receiver sh "$here/counters.sh" "$1" receiver r0
}
