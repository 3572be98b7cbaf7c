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
		set -- "$@" -- "$2/port.sh" "$1.$port" "$(interface_of "$1.$port")" "$(case_value "hardware.$1.$port.mac" -)"
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

interface_of() { # role.port
	case_value "hardware.$1.interface"
}

mac_of() { # role.port
	awk -F '\t' -v port="$1" '$1 == port { print $3 }' "$ssh_folder/ports"
}

address_of() { # role.port, with its length
	case_value "hardware.$1.$(case_value traffic.family)"
}

# All of it in one call: the DUT is configured whole, or the case fails.
configure_path() {
	check_ports
	in_port=$(interface_of dut.ingress) out_port=$(interface_of dut.egress)
	sender_address=$(address_of sender.egress) receiver_address=$(address_of receiver.ingress)
	family=$(case_value traffic.family) firewall=$(firewall_command)
	set -- "$dut_os/configure.sh" "$family" "$in_port" "$(address_of dut.ingress)" "$out_port" "$(address_of dut.egress)" \
		"$source_net" "${sender_address%/*}" "$(mac_of sender.egress)" \
		"$sink_net" "${receiver_address%/*}" "$(mac_of receiver.ingress)" -- \
		"firewalls/$firewall.sh" load rules "$(case_value firewall.rules)" "$family"
	{
		sed -n 's/^hardware[.]tuning[.]//p' "$case_file"
		case_value firewall.sysctls '' | tr ';' '\n' | sed -n 's/=/	/; s/^./sysctl.&/p'
	} >"$ssh_folder/tunings"
	while IFS='	' read -r name value; do
		case $name in
		sysctl.*) set -- "$@" -- "$dut_os/tune.sh" sysctl "${name#sysctl.}" "$value" ;;
		ethtool.*) set -- "$@" -- "$dut_os/tune.sh" ethtool "$value" "$in_port" "$out_port" ;;
		esac
	done <"$ssh_folder/tunings"
	on dut 60 "$@" -- "$dut_os/read-back.sh" "$family" "$in_port" "$out_port" -- "$dut_os/facts.sh"
}

# A firewall's name begins with the command that loads it.
firewall_command() {
	[ -n "$(case_value firewall.rules)" ] || { echo none && return; }
	name=$(case_value firewall.name)
	[ -e "$lab_folder/node/firewalls/${name%%-*}.sh" ] ||
		refuse "firewall '$name' does not begin with a command that loads it; mend its name in the matrix"
	echo "${name%%-*}"
}
