# Tell pktgen. Run in the sender's namespace.
#
#   pktgen.sh FILE COMMAND...      FILE below /proc/net/pktgen

file=/proc/net/pktgen/$1
shift
for command; do
	echo "$command" >"$file" || exit
done
