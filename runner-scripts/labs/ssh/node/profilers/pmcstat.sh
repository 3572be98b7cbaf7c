#!/bin/sh
# A profile of this node's kernel, by pmcstat: by the processors' own count of cycles, whose name is the vendor's.
#
#   profilers/pmcstat.sh take SECONDS | show

. ./say.sh

# The first of the names that this kernel knows for its processor.
event() {
	case $(sysctl -n hw.model) in
	*Intel*) set -- CPU_CLK_UNHALTED.THREAD_P CPU_CLK_UNHALTED.CORE_P CPU_CLK_UNHALTED.CORE CPU_CLK_UNHALTED_CORE UNHALTED_CORE_CYCLES ;;
	*AMD*) set -- LS_NOT_HALTED_CYC BU_CPU_CLK_UNHALTED K8-BU-CPU-CLK-UNHALTED ;;
	*) set -- CPU_CYCLES CYCLES ;;
	esac
	for name; do
		pmccontrol -L | awk -v name="$name" 'toupper($1) == name { print $1; found = 1; exit } END { exit !found }' && return
	done
	return 1
}

case $1 in
take)
	kldload -n hwpmc 2>state/pmc.said || { echo "hwpmc cannot be loaded ($(last_words state/pmc.said))" && exit 0; }
	name=$(event) || { echo "pmcstat knows no event for cycles of '$(sysctl -n hw.model)'; look at 'pmccontrol -L'" && exit 0; }
	pmcstat -S "$name" -O state/pmc.log sleep "$2" >state/pmc.said 2>&1 ||
		echo "pmcstat cannot sample '$name' ($(last_words state/pmc.said))"
	;;
show)
	[ -s state/pmc.log ] || exit 0
	pmcstat -R state/pmc.log -z 100 -G state/pmc.graph >state/pmc.said 2>&1 && cat state/pmc.graph
	;;
esac
