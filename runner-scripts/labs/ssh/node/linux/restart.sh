#!/bin/sh
# Start this node anew, soon: the connection that asks for it is to end well before.
#
#   linux/restart.sh [once]      'once': of the kernel that was loaded for that, where one was

. ./say.sh
if [ "${1:-}" != once ] || [ "$(cat /sys/kernel/kexec_loaded 2>/dev/null)" != 1 ]; then
	need reboot systemd-sysv
	set -- reboot
elif [ -d /run/systemd/system ]; then
	set -- systemctl kexec
else
	set -- kexec -e
fi
sync
(sleep 1 && exec "$@") >/dev/null 2>&1 </dev/null &
