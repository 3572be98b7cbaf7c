#!/bin/sh
# What this node has, a line a check: `ok` and what, or `fault` and what to do; and `clock` with its time.
#
#   examine.sh MIB ROLE GENERATOR FIREWALL...      the free space it needs, what it is to do

. ./say.sh
room=$1 role=$2 generator=$3
shift 3

tool() { # command package
	if command -v "$1" >/dev/null 2>&1; then
		say ok "has $1 ($(version_of "$1"))"
	else
		say fault "'$1' is missing; install the package '$2' there"
	fi
}

version_of() { # command
	case $1 in
	ip | ipf) "$1" -V 2>&1 ;;
	ipfw | pfctl | pmcstat | pkt-gen | ifconfig) echo "of $(uname -r)" ;;
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
	iperf3:sender | iperf3:receiver) tool iperf3 iperf3 ;;
	trex:sender | trex:receiver) tool python3 python3 ;;
	pkt-gen:sender | pkt-gen:receiver) tool pkt-gen netmap ;;
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
		tool pkt-gen netmap
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
