#!/bin/sh
# No firewall: what an earlier case, or the node itself, had loaded goes. One that is built into the kernel is turned off.
#
#   freebsd/no-firewall.sh
#
# A firewall without rules still costs something, so its module goes too.

goes() { # module command-that-turns-it-off...
	kldstat -q -m "$1" || return 0
	module=$1
	shift
	"$@" >/dev/null 2>&1
	kldunload "$module" 2>/dev/null || true
}

ipfw_off() {
	for switch in net.inet.ip.fw.enable net.inet6.ip6.fw.enable; do sysctl "$switch=0"; done
}

goes ipfw ipfw_off
goes pf pfctl -d
goes ipl ipf -D
