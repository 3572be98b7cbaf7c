#!/bin/sh
# Everything that is set on this node, for a person to read. By its path: busybox's shell has an 'ip' of its own.
#
#   linux/report.sh FIREWALL PORT...

firewall=$1
shift
for port; do
	echo "# $port"
	/sbin/ip -d address show dev "$port"
	ethtool -k "$port" 2>/dev/null
	ethtool -l "$port" 2>/dev/null
	/sbin/ip neighbour show dev "$port"
done
echo "# routes"
/sbin/ip route
/sbin/ip -6 route
echo "# $firewall"
/bin/sh "firewalls/$firewall.sh" show
