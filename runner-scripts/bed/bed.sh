#!/bin/sh
# A laboratory on one machine: this namespace is the controller, and each node has its own, with a real sshd.
#
#   attacker a0 --+
#                 |
#   sender   s0 --+-- d0 dut d1 ---------- r0 receiver            tunnel: d1 ---- e0 reference e1 ---- r0
#                                                                 two-nodes: r0 is the sender's
#
#   bed.sh FOLDER TOPOLOGY      says 'ready' once every sshd answers; everything ends with it
#
# Called in mount, network and process namespaces of its own. FOLDER/NODE holds a node's host key, its home, what is its
# /bin/sh ('shell') and, a line each, programs that it does not have ('hidden'). One with a 'disk' is a machine of its
# own (machine.sh), and its sshd is not waited for.

set -eu
here=${0%/*} folder=$1 topology=$2
PATH=$PATH:/usr/sbin:/sbin

nodes_of() { # topology
	case $1 in
	two-nodes) echo sender dut ;;
	two-senders) echo sender attacker dut receiver ;;
	tunnel) echo sender dut reference receiver ;;
	*) echo sender dut receiver ;;
	esac
}

address_of() { # node
	case $1 in
	sender) echo 10.0.0.11 ;;
	dut) echo 10.0.0.12 ;;
	receiver) echo 10.0.0.13 ;;
	attacker) echo 10.0.0.14 ;;
	reference) echo 10.0.0.15 ;;
	esac
}

# A namespace on the admin network.
add_node() { # node
	ip netns add "$1"
	ip -n "$1" link set lo up
	ip link add "to-$1" type veth peer name admin netns "$1"
	ip link set "to-$1" master admin up
	ip -n "$1" address add "$(address_of "$1")/24" dev admin
	ip -n "$1" link set admin up
}

join() { # node interface node interface
	ip -n "$1" link add "$2" type veth peer name "$4" netns "$3"
	ip -n "$1" link set "$2" up
	ip -n "$3" link set "$4" up
}

# Both senders reach the DUT by one cable: a switch is what is between them.
join_senders() {
	ip netns add switch
	ip -n switch link add switch type bridge
	ip -n switch link set switch up
	for end in "sender s0" "attacker a0" "dut d0"; do
		join switch "${end#* }x" "${end% *}" "${end#* }"
		ip -n switch link set "${end#* }x" master switch
	done
}

cable() {
	case $topology in
	two-senders) join_senders ;;
	*) join sender s0 dut d0 ;;
	esac
	case $topology in
	two-nodes) join dut d1 sender r0 ;;
	tunnel)
		join dut d1 reference e0
		join reference e1 receiver r0
		;;
	*) join dut d1 receiver r0 ;;
	esac
}

start_sshd() { # node
	cat >"$folder/$1/sshd_config" <<-END
		Port 22
		ListenAddress $(address_of "$1")
		HostKey $folder/$1/host_key
		AuthorizedKeysFile $folder/$1/authorized_keys
		PidFile $folder/$1/sshd.pid
		PasswordAuthentication no
		KbdInteractiveAuthentication no
		UsePAM no
		StrictModes no
		UseDNS no
		SetEnv HOME=$folder/$1 PATH=$folder/$1/bin:/usr/sbin:/usr/bin:/sbin:/bin
	END
	ip netns exec "$1" "$here/node.sh" "$folder/$1" >"$folder/$1/sshd.log" 2>&1 &
}

mount -t tmpfs bed /run
mkdir /run/netns /run/sshd
ip link add admin type bridge
ip address add 10.0.0.1/24 dev admin
ip link set admin up
ip link set lo up
for node in $(nodes_of "$topology"); do add_node "$node"; done
cable
for node in $(nodes_of "$topology"); do start_sshd "$node"; done
for node in $(nodes_of "$topology"); do
	[ -e "$folder/$node/disk" ] || until grep -q 'Server listening' "$folder/$node/sshd.log"; do sleep 0.02; done
done
echo ready
wait
