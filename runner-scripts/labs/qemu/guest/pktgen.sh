# Tell pktgen. Run in the namespace of the interface.
#
#   pktgen.sh FILE COMMAND...      FILE below /proc/net/pktgen

file=/proc/net/pktgen/$1
shift
for command; do
	echo "$command" >"$file" || exit
done
