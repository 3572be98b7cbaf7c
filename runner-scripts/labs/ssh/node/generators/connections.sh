#!/bin/sh
# Connections of a state table's test: made at the sender, answered at the receiver, the answers counted at the sender.
#
#   make|answer INTERFACE MAC DUT_MAC FROM TO FRAME_SIZE COUNT FIRST RATE MILLISECONDS PHASE      `sample` lines; RATE 0:
#                                                                                                 the most there is
#   open INTERFACE, close
#   seen            how many answers have come

. ./say.sh
mkdir -p state
ANSWERS=fwdlab-answers

case $1 in
make | answer)
	# In the place of the generator's own sender: what was made is counted with what that one made.
	tools/connections "$2" "$5" "$6" "$7" "$8" "${11}" "${10}" "$4" "$3" "$1" "$9" >state/send.out 2>state/send.said ||
		give_up "not all connections were offered within ${11} ms ($(last_words state/send.said))"
	read -r frames microseconds <state/send.out
	say sample "${12}" "$frames" 0 "$microseconds"
	;;
open)
	need nft nftables
	cat state/send.out 2>/dev/null | awk 'END { print $1 + 0 }' >>state/sent # of the test before this one
	: >state/send.out
	undo_by answers "nft delete table netdev $ANSWERS"
	nft "table netdev $ANSWERS
		delete table netdev $ANSWERS
		table netdev $ANSWERS { chain ingress { type filter hook ingress device \"$2\" priority 0; policy drop; udp sport 9 counter; }; }" \
		2>state/answers.said || give_up "nftables cannot count at '$2' ($(last_words state/answers.said))"
	;;
seen)
	nft list table netdev "$ANSWERS" 2>state/answers.said | awk '/counter/ { print $(NF - 2); told = 1 } END { exit !told }' ||
		give_up "what counts answers is gone; look at what else sets nftables' rules there"
	;;
close)
	nft delete table netdev "$ANSWERS"
	rm -f state/answers.undo
	;;
esac
