#!/bin/sh
# What this node has, a line a check: `ok` and what, or `fault` and what to do; and `clock` with its time.
#
#   examine.sh MIB ROLE GENERATOR FIREWALL...      the free space it needs, what it is to do

. ./say.sh
. generators/iperf3-version.sh
. generators/pkt-gen-there.sh
room=$1 role=$2 generator=$3
shift 3

tool() { # command package
	if command -v "$1" >/dev/null 2>&1; then
		say ok "has $1 ($(version_of "$1"))"
	elif [ "$2" = base ]; then
		say fault "'$1' is missing, which FreeBSD's base system has; install that set there, or build it in"
	else
		say fault "'$1' is missing; install the package '$2' there"
	fi
}

# A check of its own comes first.
tool_after() { # function command package
	if fault=$("$1" 2>&1); then tool "$2" "$3"; else say fault "$fault"; fi
}

version_of() { # command
	case $1 in
	ip) "$1" -V 2>&1 ;;
	ipfw | pfctl | ipf | pmcstat | pkt-gen | ifconfig) echo "of $(uname -r)" ;;
	*) "$1" --version 2>&1 ;;
	esac </dev/null | tr -cd '\n -~' | grep . | head -n 1 | cut -c 1-80
}

linux_tools() { # firewall...
	tool ip iproute2
	tool ethtool ethtool
	tool nft nftables # loads rules, and clears what others left
	[ "$role" != dut ] || tool perf linux-perf
	for firewall; do case $firewall in iptables*) tool iptables-restore iptables ;; esac done
	case $generator:$role in
	iperf3:sender | iperf3:receiver) tool_after recent_iperf3 iperf3 iperf3 ;;
	trex:sender | trex:receiver) tool python3 python3 ;;
	pkt-gen:sender | pkt-gen:receiver) tool_after need_pkt_gen pkt-gen pkt-gen ;;
	esac
}

freebsd_tools() { # firewall...
	tool ifconfig base
	if [ "$role" = dut ]; then
		tool pmcstat base
		for firewall; do
			case $firewall in
			ipfw*) tool ipfw base ;;
			pf*) tool pfctl base ;;
			ipf*) tool ipf base ;;
			esac
		done
	elif [ "$generator" = pkt-gen ]; then
		tool_after need_pkt_gen pkt-gen pkt-gen
	fi
}

say clock "$(date -u +%s)"
case $(uname -s) in
Linux) linux_tools "$@" ;;
*) freebsd_tools "$@" ;;
esac
free=$(df -Pk . | awk 'NR == 2 { print int($4 / 1024) }')
if [ "$free" -ge "$room" ]; then
	say ok "$free MiB are free in /var/tmp"
else
	say fault "only $free MiB are free in /var/tmp, $room are needed; delete what nobody needs there"
fi
