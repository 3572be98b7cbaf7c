# The native lab: the kernel that runs here is the DUT; sender, DUT and receiver share one processor. Sourced.
#
#   a mount, a network and a process namespace of their own, which end with the trial
#   +---------------------------------------------------+
#   | netns sender ---- netns dut ---- netns receiver   |   standard output    result
#   |               (trial.sh)                          |  ------------------->
#   +---------------------------------------------------+
#
# Nothing outside is changed, so nothing is to be put back: the kernel ends every process inside with the first one, and
# takes the rest down with them, however that came. As root, or in a user's own namespace where the host lets one.

PATH=$PATH:/usr/sbin:/sbin
lab_folder=$scripts/labs/netns
. "$scripts/lib/cache.sh"
. "$scripts/labs/netns/kernel.sh"
. "$scripts/labs/netns/tools.sh"
. "$scripts/labs/netns/check.sh"

# One trial at a time on this host, whoever measures. The lock ends with the last process that holds it.
LOCK=/sys/devices/system/cpu
LOCK_PATIENCE_S=${FWDLAB_LOCK_PATIENCE_S:-600}
case $LOCK_PATIENCE_S in *[!0-9]*) refuse "FWDLAB_LOCK_PATIENCE_S: '$LOCK_PATIENCE_S' is not a whole number of seconds" ;; esac

lab_open() {
	need_counts hardware.processor hardware.trial.warmup_ms hardware.trial.slice_ms hardware.trial.samples \
		traffic.frame_size traffic.flows
	need ip iproute2
	need nft nftables
	need ethtool ethtool
	need unshare util-linux
	need setpriv util-linux
	need taskset util-linux
	check_kernel
	check_processor
	check_namespaces
	need_tools
}

lab_build() {
	refuse "the kernel that runs is built already; name a revision with 'source' or 'git' on a machine of another lab"
}

lab_provision() { # folder
	lab_open
	kernel_config >"$1/kernel.config"
	trial probe "$1" "$(case_value hardware.sender)"
	fact "$1/facts" planned_release "$(case_value revision.version)"
	fact "$1/facts" user "$(id -u)"
	fact "$1/facts" processor "number $(case_value hardware.processor) of $(nproc --all)"
	fact "$1/facts" compiler "$(cc --version | head -n 1)"
	fact "$1/facts" sender "$(sender_in "$1/result")"
	fact "$1/facts" time wall
}

lab_trial() { # folder repeat
	lab_open
	trial measure "$1" "$(sender_in "$run_folder/prepare/facts")"
	fact "$1/facts" traffic_s "$(awk -F '\t' '$1 == "sample" { us += $5 } END { printf "%.3f", us / 1e6 }' "$1/result")"
}

lab_profile() { # folder
	lab_open
	need perf linux-perf
	trial profile "$1" "$(sender_in "$run_folder/prepare/facts")"
	[ -s "$1/perf.script" ] || printf '%s: %s\n' "$(case_slug)" "$(tail -n 1 "$1/trial.log")" >&2
}

# The sender that was found to work when the case was prepared: a case has the same one in all its trials.
sender_in() { # file
	awk -F '\t' '$(NF - 1) == "sender" { print $NF; exit }' "$1"
}

trial() { # mode folder sender
	exec 9<"$LOCK"
	flock -w "$LOCK_PATIENCE_S" 9 ||
		give_up "$(uname -n): another trial has held the processors for $LOCK_PATIENCE_S s; wait for it, then run again"
	copy_rules "$2/rules"
	trial_status=0
	isolated timeout --foreground "$(deadline_s)" sh "$lab_folder/trial.sh" "$1" "$2" "$3" "$scripts/lib/path" "$tools" "$case_file" \
		>"$2/result" 2>"$2/trial.log" </dev/null || trial_status=$?
	exec 9<&-
	rm -f "$2/rules"
	check_result "$2"
}

# Far longer than a trial takes; what is stuck ends with it.
deadline_s() {
	echo $((60 + 2 * ($(case_value hardware.trial.warmup_ms) + $(case_value hardware.trial.samples) * $(case_value hardware.trial.slice_ms)) / 1000))
}
