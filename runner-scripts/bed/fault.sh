#!/bin/sh
# Break something in the laboratory of bed.sh, as time and people do. Called on the controller.
#
#   fault.sh FOLDER cut NODE                  its connections break; what they began goes on by itself
#   fault.sh FOLDER hang NODE                 nothing there goes on until its power is cycled
#   fault.sh FOLDER kill NODE PROGRAM...      its processes of these names die; exit status 1 where there is none
#   fault.sh FOLDER uncount NODE              what it counts received frames with goes; 1 where there is none
#   fault.sh FOLDER ouch|hush NODE            the port that its pkt-gen has fails, 1 where there is none; will not fail
#   fault.sh FOLDER unplug NODE LINK SECONDS  the link is down for so long
#   fault.sh FOLDER release NODE TEXT         it says that this is the kernel's release; without TEXT the truth again
#   fault.sh FOLDER fill|free NODE            its disk has no room; has room again
#   fault.sh FOLDER left NODE                 says what sessions left there, a line each

set -eu
folder=$1 fault=$2 node=$3
PATH=$PATH:/usr/sbin:/sbin

processes() { # [name]...
	for pid in $(ip netns pids "$node"); do
		name=$(cat "/proc/$pid/comm" 2>/dev/null) || continue
		case " ${*:-$name} " in *" $name "*) echo "$pid" ;; esac
	done
}

# With the disk that the node has, which its first process knows.
inside() { # command...
	nsenter --target="$(ip netns pids "$node" | head -n 1)" --mount --net -- "$@"
}

cut_connections() {
	for pid in $(processes sshd); do
		[ "$pid" = "$(cat "$folder/$node/sshd.pid")" ] || kill -KILL "$pid" 2>/dev/null || true
	done
}

left() {
	inside find /var/tmp -maxdepth 1 -name 'fwdlab-*-*' | sed "s/^/$node: folder /"
	inside nft list tables 2>/dev/null | grep fwdlab | sed "s/^/$node: /" || true
	for pid in $(processes); do
		case $(cat "/proc/$pid/comm" 2>/dev/null) in '' | sshd) ;; *) echo "$node: process $(tr '\0' ' ' <"/proc/$pid/cmdline")" ;; esac
	done
}

case $fault in
cut) cut_connections ;;
hang) for pid in $(processes); do kill -STOP "$pid" 2>/dev/null || true; done ;;
kill)
	shift 3
	found=$(processes "$@")
	[ -n "$found" ] || exit 1
	for pid in $found; do kill -KILL "$pid" 2>/dev/null || true; done
	;;
uncount) inside nft delete table netdev fwdlab-sink 2>/dev/null || exit 1 ;;
ouch)
	[ -n "$(processes pkt-gen)" ] || exit 1
	: >"$folder/$node/ouch"
	;;
hush) rm -f "$folder/$node/ouch" ;;
unplug)
	ip -n "$node" link set "$4" down
	sleep "$5"
	ip -n "$node" link set "$4" up
	;;
release)
	rm -f "$folder/$node/bin/uname"
	[ $# -gt 3 ] || exit 0
	printf '#!/bin/sh\n[ "$*" != -r ] || exec echo "%s"\nexec /usr/bin/uname "$@"\n' "$4" >"$folder/$node/bin/uname.new"
	chmod +x "$folder/$node/bin/uname.new"
	mv "$folder/$node/bin/uname.new" "$folder/$node/bin/uname"
	;;
fill)
	: >"$folder/$node/full"
	while [ -e "$folder/$node/full" ]; do
		inside sh -c 'head -c 64m /dev/zero >>/var/tmp/full' || true
		sleep 0.05
	done >/dev/null 2>&1 </dev/null &
	;;
free)
	rm -f "$folder/$node/full"
	sleep 0.2
	inside rm -f /var/tmp/full
	;;
left) left ;;
*)
	echo "fault.sh: '$fault' is not known" >&2
	exit 2
	;;
esac
