# The firewall's state table. Run in the DUT's namespace.
#
#   table.sh keep             let a state outlive the trial (RFC 9693, section 4.4), as `sysctl` lines of the result
#   table.sh read MOMENT      what the table says of itself, as `counter` lines
#   table.sh entries          how many states it holds

tracking=/proc/sys/net/netfilter
[ -e "$tracking/nf_conntrack_count" ] || { echo "no firewall here keeps states" >&2 && exit 1; }
case $1 in
keep)
	for setting in nf_conntrack_udp_timeout nf_conntrack_udp_timeout_stream; do
		echo 3600 >"$tracking/$setting" || exit
		printf 'sysctl\tnet/netfilter/%s\t%s\n' "$setting" "$(cat "$tracking/$setting")"
	done
	;;
entries) cat "$tracking/nf_conntrack_count" ;;
read)
	printf 'counter\t%s\tdut:table\tentries\t%s\n' "$2" "$(cat "$tracking/nf_conntrack_count")"
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
