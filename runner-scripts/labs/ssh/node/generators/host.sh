# An end of a load that is a host with an address, as programs need that use the node's own network. Sourced.

# Own address, way and neighbour are static: nobody asks for one while the load is measured.
be_host() { # end interface own-address other-address router-mac
	case $3 in *:*) length=128 ;; *) length=32 ;; esac
	for setting in accept_dad=0 router_solicitations=0 accept_ra=0 autoconf=0 addr_gen_mode=1 "disable_ipv6=$((length == 32))"; do
		/bin/sh linux/settings.sh "net/ipv6/conf/$2/$setting"
	done
	cat >"state/$1.undo" <<-END || give_up "what undoes address $3 cannot be noted; look at the disk"
		/sbin/ip route delete $4/$length dev $2
		/sbin/ip neighbour delete $4 dev $2
		/sbin/ip address delete $3/$length dev $2
	END
	{
		/sbin/ip address replace "$3/$length" dev "$2" &&
			/sbin/ip neighbour replace "$4" lladdr "$5" dev "$2" nud permanent
	} 2>state/host || give_up "interface '$2' cannot be a host of the load ($(last_words state/host))"
	wait_until 5 "the load's address $3 on interface '$2'" way_to "$4/$length" "$2" "$3"
}

# A new address of IPv6 is nobody's source for a moment.
way_to() { # network interface own-address
	/sbin/ip route replace "$1" dev "$2" src "$3" 2>state/host
}

leave_host() { # end
	[ ! -e "state/$1.undo" ] || /bin/sh "./state/$1.undo" 2>/dev/null || true
	rm -f "state/$1.undo"
}

# What this host has sent by UDP.
datagrams() {
	cat /proc/net/snmp /proc/net/snmp6 2>/dev/null | awk '
		$1 == "Udp:" && !named++ { for (i = 2; i <= NF; i++) if ($i == "OutDatagrams") at = i; next }
		$1 == "Udp:" { sent += $at }
		$1 == "Udp6OutDatagrams" { sent += $2 }
		END { printf "%d\n", sent }'
}
