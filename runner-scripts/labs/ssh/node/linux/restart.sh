#!/bin/sh
# Start this node anew, soon: the connection that asks for it is to end well before.
#
#   linux/restart.sh

. ./say.sh
need reboot systemd-sysv
sync
(sleep 1 && exec reboot) >/dev/null 2>&1 </dev/null &
