# What the tests of a state table share where the whole path is on one machine. Sourced; expects path.sh and say.sh.

. "$here/validate.sh"

table() { # verb word...
	dut sh "$here/table.sh" "$@" 2>/run/table.log || {
		[ $? -eq 92 ] || fail give_up "the DUT's state table: $(tail -n 1 /run/table.log)"
		fail refuse "$(tail -n 1 /run/table.log)"
	}
}

count_both() { # moment
	count_hops "$1"
	[ "$1" = after ] || table read before
	say counter "$1" sender:sink rx_packets "$(answers_seen)"
}

answers_seen() { sender nft list table netdev answers | awk '/counter/ { print $(NF - 2) }'; }
