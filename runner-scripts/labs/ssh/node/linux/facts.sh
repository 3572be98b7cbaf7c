#!/bin/sh
# What this node is, as `fact` lines.
#
#   linux/facts.sh

. ./say.sh
say fact kernel_release "$(uname -r)"
say fact kernel_version "$(uname -v)"
say fact machine "$(uname -m)"
say fact cpus "$(nproc --all)"
say fact cpu "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
say fact kernel_command_line "$(cat /proc/cmdline)"
