# The firewall's state table. Run in the DUT's namespace.
#
#   table.sh keep             let a state outlive the trial (RFC 9693, section 4.4), as `sysctl` lines of the result
#   table.sh empty FORGET     take every state out of it; FORGET is the program that does
#   table.sh read MOMENT      what the table says of itself, as `counter` lines

tracking=/proc/sys/net/netfilter
OWN=16 # states of the node's own connections, such as ours to it: they come back at once

no_state() {
	echo "the rules keep no state of a connection; a state table is measured with a stateful firewall" >&2
	exit 92
}

[ -e "$tracking/nf_conntrack_count" ] || no_state
case $1 in
keep)
	for setting in nf_conntrack_udp_timeout nf_conntrack_udp_timeout_stream; do
		echo 3600 >"$tracking/$setting" || exit
		printf 'sysctl\tnet/netfilter/%s\t%s\n' "$setting" "$(cat "$tracking/$setting")"
	done
	;;
empty)
	"$2" || exit
	patience=200
	until [ "$(cat "$tracking/nf_conntrack_count")" -le "$OWN" ]; do
		patience=$((patience - 1))
		[ "$patience" -gt 0 ] || {
			echo "the state table is not empty after it was emptied; look at what else sends there" >&2
			exit 3
		}
		sleep 0.05
	done
	;;
read)
	entries=$(cat "$tracking/nf_conntrack_count") # a shell's read takes an octet at a time, and gets the first alone
	[ "$2 $entries" != "after 0" ] || no_state
	printf 'counter\t%s\tdut:table\tentries\t%s\n' "$2" "$entries"
	# A column a counter, a line a processor, in hexadecimal.
	[ ! -e /proc/net/stat/nf_conntrack ] || for counter in drop early_drop insert_failed; do
		column=$(head -n 1 /proc/net/stat/nf_conntrack | tr -s '[:space:]' '\n' | grep -nx "$counter") || continue
		sum=0
		for value in $(tail -n +2 /proc/net/stat/nf_conntrack | tr -s '[:blank:]' ' ' | cut -d ' ' -f "${column%:*}"); do
			sum=$((sum + 0x$value))
		done
		printf 'counter\t%s\tdut:table\t%s\t%s\n' "$2" "$counter" "$sum"
	done
	;;
esac
