# What reports of iperf3 say, one after another in a file, each as it prints them: a key a line, a tab a level.
#
#   ask=count      how many there are
#       said       the error that one of them has, the last one
#       sent       datagrams, by reports of who sent them
#       received   datagrams, by reports of who received them: those that were due, less those that are missing

/^}/ { count++; end = 0 }
/^\t"error":/ {
	said = $0
	sub(/^\t"error":[\t ]*"/, "", said)
	sub(/",?$/, "", said)
}
/^\t"end":/ { end = 1 }
end && /^\t\t"sum":/ { sum = 1 }
end && sum && $1 == "\"packets\":" { packets += $2 }
end && sum && $1 == "\"lost_packets\":" { lost += $2 }
/^\t\t}/ { sum = 0 }
END {
	if (ask == "count") printf "%d\n", count
	else if (ask == "said") print said
	else if (ask == "sent") printf "%d\n", packets
	else printf "%d\n", packets - lost
}
