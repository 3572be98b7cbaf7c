#!/bin/sh
# Everything that is set on this node, for a person to read.
#
#   freebsd/report.sh FIREWALL PORT...

firewall=$1
shift
for port; do
	echo "# $port"
	ifconfig "$port"
	sysctl "dev.${port%%[0-9]*}.${port##*[!0-9]}" 2>/dev/null
done
echo "# routes"
netstat -rn
echo "# neighbours"
arp -an
ndp -an
echo "# loader"
kenv
echo "# interrupts"
vmstat -i
echo "# $firewall"
/bin/sh "firewalls/$firewall.sh" show
