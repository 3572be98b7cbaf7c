# Making the path of the case: ports, forwarding, routes, firewall, tunings, each read back. Sourced.

# Each node is what the matrix says; each port of the path exists, is the one that was meant, and has a link. What they
# say is kept in $ssh_folder/ports: the port, its interface, Ethernet address and driver.
check_ports() {
	on_every check_node
	for role in $roles; do cat "$ssh_folder/$role.ports"; done >"$ssh_folder/ports"
}

check_node() { # role
	set -- "$1" "$(os_of "$1")"
	set -- "$1" "$2" 30 system.sh "$2"
	for port in $(ports_of "$1"); do
		set -- "$@" -- "$(stack_of "$1")/port.sh" "$1.$port" "$(interface_of "$1.$port")" "$(case_value "hardware.$1.$port.mac" -)"
	done
	role=$1
	shift 2
	on "$role" "$@" >"$ssh_folder/$role.ports"
}

ports_of() { # role
	case $1 in
	sender | attacker) echo egress ;;
	dut | reference) echo ingress egress ;;
	receiver) echo ingress ;;
	esac
}

# Whose the ports of a node are: its system's, or a generator's own.
stack_of() { # role
	case $generator:$1 in
	trex:sender | trex:receiver) echo trex ;;
	*) os_of "$1" ;;
	esac
}

interface_of() { # role.port
	case_value "hardware.$1.interface"
}

mac_of() { # role.port
	awk -F '\t' -v port="$1" '$1 == port { print $3 }' "$ssh_folder/ports"
}

address_of() { # role.port, with its length
	case_value "hardware.$1.$family"
}

host_part() { # role.port
	address_of "$1" | sed 's,/.*,,'
}

# What one node is to be goes there in one call: it is configured whole, or the case fails. After check_ports.
configure_path() {
	family=$(case_value traffic.family) firewall=$(firewall_command)
	in_port=$(interface_of dut.ingress) out_port=$(interface_of dut.egress)
	case $(case_value hardware.topology) in
	tunnel)
		forward reference dut.egress - receiver.ingress "$sink_net"
		wrap reference.ingress dut.egress "$source_net" 2
		do_all reference 60
		forward dut sender.egress "$source_net" reference.ingress -
		wrap dut.egress reference.ingress "$sink_net" 1
		;;
	*) forward dut sender.egress "$source_net" receiver.ingress "$sink_net" ;;
	esac
	later dut "firewalls/$firewall.sh" load rules "$(case_value firewall.rules)" "$family"
	tune_dut
	later dut "$dut_os/read-back.sh" "$family" "$in_port" "$out_port"
	later dut "$dut_os/facts.sh"
	do_all dut 60
}

# A node between two others, each with the network that lies behind it: '-' where a tunnel leads there.
forward() { # role port-before network port-after network
	later "$1" "$(os_of "$1")/configure.sh" "$family" "$(interface_of "$1.ingress")" "$(address_of "$1.ingress")" \
		"$(interface_of "$1.egress")" "$(address_of "$1.egress")" \
		"$3" "$(host_part "$2")" "$(mac_of "$2")" "$5" "$(host_part "$4")" "$(mac_of "$4")"
}

# One end of the tunnel, and the network that the other one leads to.
wrap() { # port other-port network end
	later "${1%.*}" "$(os_of "${1%.*}")/tunnel.sh" "$(case_value hardware.tunnel)" "$family" "$(interface_of "$1")" \
		"$(host_part "$1")" "$(host_part "$2")" "$3" "$4"
}

# What the machine's entry sets, then what goes with the firewall.
tune_dut() {
	{
		sed -n 's/^hardware[.]tuning[.]//p' "$case_file"
		case_value firewall.sysctls '' | tr ';' '\n' | sed -n 's/=/	/; s/^./sysctl.&/p'
	} >"$ssh_folder/tunings"
	while IFS='	' read -r name value; do
		case $name in
		sysctl.*) later dut "$dut_os/tune.sh" sysctl "${name#sysctl.}" "$value" ;;
		loader.*) later dut "$dut_os/tune.sh" loader "${name#loader.}" "$value" ;;
		ethtool.*) later dut "$dut_os/tune.sh" ethtool "$value" "$in_port" "$out_port" ;;
		esac
	done <"$ssh_folder/tunings"
}

# A firewall's name begins with the command that loads it.
firewall_command() {
	[ -n "$(case_value firewall.rules)" ] || { echo none && return; }
	name=$(case_value firewall.name)
	[ -e "$lab_folder/node/firewalls/${name%%-*}.sh" ] ||
		refuse "firewall '$name' does not begin with a command that loads it; mend its name in the matrix"
	echo "${name%%-*}"
}
