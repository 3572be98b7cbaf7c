#!/bin/sh
# What 'reboot' is on a node of the laboratory: everything that runs there ends, and its sshd begins again, in another boot.
#
#   reboot.sh      $HOME is the node's folder; the new boot takes as many seconds as its file 'boot_s' says

if [ "${1:-}" != now ]; then
	setsid "$0" now >>"$HOME/sshd.log" 2>&1 </dev/null &
	exit 0
fi
for pid in $(/sbin/ip netns pids "${HOME##*/}"); do
	[ "$pid" = $$ ] || kill -KILL "$pid" 2>/dev/null
done
rm -rf /var/tmp/*
cat /proc/sys/kernel/random/uuid >"$HOME/boot_id"
sleep "$(cat "$HOME/boot_s")"
exec /usr/sbin/sshd -D -e -f "$HOME/sshd_config"
