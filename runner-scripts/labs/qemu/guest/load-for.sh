# Offer the load that pktgen was given for so many seconds. Run in the sender's namespace.
#
#   load-for.sh SECONDS

echo start >/proc/net/pktgen/pgctrl &
sleep "$1"
echo stop >/proc/net/pktgen/pgctrl
