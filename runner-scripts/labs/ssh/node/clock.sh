#!/bin/sh
# What time it is on this node, in seconds.
#
#   clock.sh

date -u +%s
