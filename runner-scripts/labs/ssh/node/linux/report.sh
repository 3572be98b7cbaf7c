#!/bin/sh
# Everything that is set on this node, for a person to read.
#
#   linux/report.sh FIREWALL PORT...

firewall=$1
shift
for port; do
	echo "# $port"
	ip -d address show dev "$port"
	ethtool -k "$port" 2>/dev/null
	ethtool -l "$port" 2>/dev/null
	ip neighbour show dev "$port"
done
echo "# routes"
ip route
ip -6 route
echo "# $firewall"
/bin/sh "firewalls/$firewall.sh" show
