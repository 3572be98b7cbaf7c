#!/bin/sh
# Start this node anew, soon: the connection that asks for it is to end well before.
#
#   freebsd/restart.sh

sync
(sleep 1 && exec shutdown -r now) >/dev/null 2>&1 </dev/null &
