# Offer a number of packets, several times; each time one `sample` line of the result: phase, packets sent, errors,
# microseconds from the first to the last. Run in the namespace of the interface; shell alone, so that little runs beside it.
#
#   offer.sh PHASE PACKETS TIMES INTERFACE

echo "count $2" >"/proc/net/pktgen/$4" || exit
time=0
while [ "$time" -lt "$3" ]; do
	time=$((time + 1))
	echo start >/proc/net/pktgen/pgctrl || exit
	sent='' errors='' elapsed=''
	# Lines of interest: "     pkts-sofar: 4000  errors: 0", "Result: OK: 26425(c26300+d125) usec, ..."
	while read -r first second third fourth _; do
		case $first$second in
		pkts-sofar:*) sent=$second errors=$fourth ;;
		Result:OK:) elapsed=${third%%(*} ;;
		esac
	done <"/proc/net/pktgen/$4"
	printf 'sample\t%s\t%s\t%s\t%s\n' "$1" "$sent" "$errors" "$elapsed"
done
