# The load by netsniff-ng's trafgen, to compare with. It takes processor 0, whichever it is given. The words are those of
# the lab's own senders.
#
#   trafgen.sh INTERFACE FROM TO FRAME_SIZE FLOWS MILLISECONDS

case $2 in
*:*) ip="ipv6(saddr=$2, daddr=$3, hoplimit=64)" headers=66 ;;
*) ip="ipv4(saddr=$2, daddr=$3, ttl=64)" headers=46 ;;
esac
[ "$4" -le "$headers" ] && payload='' || payload=", fill(0, $(($4 - headers)))"
cat >/run/trafgen <<END
{ eth(da=02:00:00:00:00:02, sa=02:00:00:00:00:01), $ip,
  udp(sp=dinc(10000, $((9999 + $5))), dp=9, csum=0)$payload }
END
exec timeout --preserve-status "$(($6 / 1000)).$(printf %03d $(($6 % 1000)))" \
	trafgen -i /run/trafgen -o "$1" -P 1 --no-sock-mem -q
