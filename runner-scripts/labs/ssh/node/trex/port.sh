#!/bin/sh
# What a port of TRex is, once it has a link: the port of the path, its name, Ethernet address and driver.
#
#   trex/port.sh PORT INTERFACE MAC      PORT as the path calls it; MAC as the matrix has it, or '-'

. trex/trex.sh
need python3 python3
trex "$2" look >state/look 2>state/look.said || give_up "$(last_words state/look.said)"
IFS='	' read -r mac driver speed <state/look
[ "$3" = - ] || [ "$3" = "$mac" ] ||
	give_up "interface '$2' has address $mac, the matrix says $3; look at what is cabled where, or mend the matrix"
echo "$speed" >"state/$2.speed"
printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$mac" "$driver"
