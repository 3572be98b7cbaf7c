#!/bin/sh
# A profile of this node's kernel, by perf: by the processors' own count of cycles, or a clock where there is none.
#
#   profilers/perf.sh take SECONDS | show

. ./say.sh
case $1 in
take)
	command -v perf >/dev/null 2>&1 || {
		echo "'perf' is missing; install the Debian package 'linux-perf' there"
		exit 0
	}
	perf record -q -a -F 4999 -g -o state/perf.data -- sleep "$2" >state/perf.said 2>&1 ||
		echo "perf may not sample ($(last_words state/perf.said)); set kernel.perf_event_paranoid to 0"
	;;
show) [ ! -e state/perf.data ] || perf script -i state/perf.data ;;
esac
