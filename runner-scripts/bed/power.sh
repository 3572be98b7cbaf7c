#!/bin/sh
# The power switch of a node of the laboratory: without power nothing runs there, and no link of it is up.
#
#   power.sh FOLDER NODE on|off|cycle|status      called on the controller

set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
folder=$1 node=$2 action=$3
PATH=$PATH:/usr/sbin:/sbin

set_links() { # up|down
	for link in $(ip -n "$node" -o link show | awk -F '[ :@]+' '{ print $2 }'); do ip -n "$node" link set "$link" "$1"; done
}

off() {
	set_links down
	while running=$(ip netns pids "$node") && [ -n "$running" ]; do
		for pid in $running; do kill -KILL "$pid" 2>/dev/null || true; done
		sleep 0.05
	done
}

on() {
	[ -z "$(ip netns pids "$node")" ] || return 0
	set_links up
	cat /proc/sys/kernel/random/uuid >"$folder/$node/boot_id"
	setsid ip netns exec "$node" "$here/node.sh" "$folder/$node" >>"$folder/$node/sshd.log" 2>&1 </dev/null &
}

case $action in
on | off) "$action" ;;
cycle) off && on ;;
status) [ -n "$(ip netns pids "$node")" ] && echo "power is on" || echo "power is off" ;;
*)
	echo "power.sh: '$action' is not known; known are on, off, cycle, status" >&2
	exit 2
	;;
esac
