# The lab of real machines: its nodes are reached over an admin network, where this runs on the controller. Sourced.
#
#             test networks, nothing on them but the load
#   [ sender ]----------->[ dut ]----------->[ receiver ]        two-nodes: sender and receiver are one host
#       |    \              | \                   |              two-senders: an attacker beside the sender
#       |     [ attacker ]  |  [ reference ]      |              tunnel: a reference endpoint before the receiver
#       +-------------------+---------------------+--------- admin network, ssh --------- [ controller ]
#
# What runs on a node lies in node/, is copied there whole, and goes when the connection ends, however that came.

lab_folder=$scripts/labs/ssh
. "$scripts/lib/cache.sh"
. "$scripts/lib/path/flows.sh"
. "$scripts/labs/netns/tools.sh"
. "$scripts/labs/ssh/lease.sh"
. "$scripts/labs/ssh/key.sh"
. "$scripts/labs/ssh/connect.sh"
. "$scripts/labs/ssh/access.sh"
. "$scripts/labs/ssh/blame.sh"
. "$scripts/labs/ssh/bundle.sh"
. "$scripts/labs/ssh/kernel.sh"
. "$scripts/labs/ssh/boot.sh"
. "$scripts/labs/ssh/provision.sh"
. "$scripts/labs/ssh/restart.sh"
. "$scripts/labs/ssh/power.sh"
. "$scripts/labs/ssh/console.sh"
. "$scripts/labs/ssh/recover.sh"
. "$scripts/labs/ssh/configure.sh"
. "$scripts/labs/ssh/offer.sh"
. "$scripts/labs/ssh/connections.sh"
. "$scripts/labs/ssh/clocks.sh"
. "$scripts/labs/ssh/trial.sh"

lab_open() {
	need_counts hardware.trial.warmup_ms hardware.trial.slice_ms hardware.trial.samples hardware.line_rate_bps \
		traffic.frame_size traffic.flows
	for key in access.identity access.known_hosts access.dut.host; do case_value "$key" >/dev/null; done
	need ssh openssh-client
	usable_key
	lab_close
	roles=$(roles_of "$(case_value hardware.topology)")
	flow_addresses "$(case_value traffic.family)"
	generator=$(case_value hardware.generator)
	new_ssh_folder
	ssh_configuration >"$ssh_folder/config"
	take_leases
	start_console
	make_bundle
	open_nodes
}

# How what is shared with the trials of other labs ends.
fail() { # whose message
	"$@"
}

roles_of() { # topology
	case $1 in
	two-nodes | three-nodes) echo sender dut receiver ;;
	two-senders) echo sender attacker dut receiver ;;
	tunnel) echo sender dut reference receiver ;;
	*) refuse "topology '$1' is not known; mend the hardware entry of the matrix" ;;
	esac
}

# In this process, which does nothing else: several of its steps have the virtual lab's names.
lab_build() {
	. "$scripts/labs/ssh/compile.sh"
	work_folder=$(mktemp -d) || give_up "${TMPDIR:-/tmp}: cannot be written; free space, then run again"
	lab_close() { rm -rf "$work_folder"; }
	build_for_machine
	lab_close
}

lab_provision() { # folder
	settle_kernel "$1"
	lab_open
	boot_dut "$1"
	on dut 60 "$dut_os/kernel-config.sh" >"$1/kernel.config"
	for role in $roles; do
		on "$role" 30 "$(os_of "$role")/facts.sh" >"$ssh_folder/facts"
		sed "s/^fact	/$role./" "$ssh_folder/facts" >>"$1/facts"
		[ "$role" != dut ] || sed -n 's/^fact	//p' "$ssh_folder/facts" >>"$1/facts" # conditions are the DUT's
	done
	for key in topology nic; do fact "$1/facts" "$key" "$(case_value "hardware.$key")"; done
	fact "$1/facts" line_rate "$(case_value hardware.line_rate_bps | awk '{ print $1 / 1e9 " Gbit/s" }')"
	note_kernel "$1"
	fact "$1/facts" planned_release "$(planned_release)"
	fact "$1/facts" kernel_config_sha256 "$(sha256 "$1/kernel.config")"
	fact "$1/facts" time wall
	check_ports
	close_nodes
}

# The trials of a repeat are one session: the nodes are connected, brought to the case and configured once.
lab_trial() { # folder repeat
	lab_boot "$1"
	fact "$1/facts" boot "$boot"
	note_clocks
	trial measure "$1"
	steady_clocks
	fact "$1/facts" traffic_s "$(awk -F '\t' '$1 == "sample" { us += $5 } END { printf "%.3f", us / 1e6 }' "$1/result")"
	tell_low_load "$1/result"
}

lab_rest() {
	close_nodes
}

lab_profile() { # folder
	open_prepared "$1"
	trial profile "$1"
	close_nodes
}
