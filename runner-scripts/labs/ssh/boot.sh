# Bringing the DUT to the revision of the case, and proving that it is there. Sourced.
#
#   boot_dut FOLDER      afterwards the planned system runs, started anew where the case asks for it
#
# What the DUT was brought to last, and for which case, it remembers itself, together with the boot that this was true of.

boot_dut() { # folder
	dut_os=$(os_of dut)
	look_at_dut
	if must_provision || { boots_once && must_restart; }; then
		provision_dut "$1"
	elif must_restart; then
		restart_dut "$1"
	fi
	check_booted
	on dut 20 remember.sh write "$(field booted 1)" "$system" "$case_mark"
}

open_prepared() { # folder
	settle_kernel "$1"
	lab_open
	boot_dut "$1"
	same_configuration
}

# The boot that the DUT is in, and will be in until the session ends.
lab_boot() { # folder
	[ -n "${ssh_folder:-}" ] || open_prepared "$1"
	boot=$(field booted 1)
}

# Number of the boot, release, version line, SHA-256 of the kernel's configuration, of Linux its build ID; then boot, system and case remembered.
look_at_dut() {
	on dut 30 system.sh "$dut_os" -- "$dut_os/booted.sh" -- remember.sh read >"$ssh_folder/said"
	sed -n 1p "$ssh_folder/said" >"$ssh_folder/booted"
	sed -n 2p "$ssh_folder/said" >"$ssh_folder/remembered"
	system=$(grep -e '^revision[.]' -e '^patch[.]' -e '^hardware[.]tuning[.]loader[.]' "$case_file" | sha256sum | cut -c 1-12)
	case_mark=$(grep -v '^access[.]' "${whole_case:-$case_file}" | sha256sum | cut -c 1-12)
}

field() { # file number
	cut -f "$2" "$ssh_folder/$1"
}

# What runs is taken as it is, but for what its loader sets. Else what it was brought to says whether it is that still:
# patches share a version.
must_provision() {
	{ [ "$(case_value revision.kind)" != running ] || grep -q '^hardware[.]tuning[.]loader[.]' "$case_file"; } || return 1
	[ "$(field remembered 2)" != "$system" ] || { boots_once && [ "$(field remembered 1)" != "$(field booted 1)" ]; }
}

# A Linux DUT is brought to what is measured for one boot; every other start is of what it boots by itself.
boots_once() {
	[ "$dut_os" = linux ] && [ "$(case_value revision.kind)" != running ]
}

must_restart() {
	case $(case_value hardware.reboot) in
	never) return 1 ;;
	case) [ "$(field remembered 1) $(field remembered 3)" != "$(field booted 1) $case_mark" ] ;;
	esac
}

# Release or revision, whichever the matrix planned: a release is one word, a revision one of the words of the version.
# A kernel that was built here is itself, to the last octet of its code.
check_booted() {
	planned=$(planned_release)
	awk -F '\t' -v planned="$planned" '
		$2 == planned { found = 1 }
		{ count = split($3, words, /[ :]+/); for (i = 1; i <= count; i++) if (words[i] == planned) found = 1 }
		END { exit !found }' "$ssh_folder/booted" ||
		give_up "$(host_of dut): booted '$(field booted 2)', planned was '$planned'; look at what it boots from, or mend 'version' in the matrix"
	[ -z "$kernel" ] || [ "$(field booted 5)" = "$(cat "$kernel/build_id")" ] ||
		give_up "$(host_of dut): booted a '$planned' with build ID '$(field booted 5)', built was '$(cat "$kernel/build_id")'; look at its console whether the kernel was started"
}

# A trial is of the kernel that was prepared, to its last option.
same_configuration() {
	planned=$(awk -F '\t' '$1 == "kernel_config_sha256" { print $2 }' "$run_folder/prepare/facts")
	[ "$(field booted 4)" = "$planned" ] ||
		give_up "$(host_of dut): the kernel that runs has another configuration than the prepared one; boot that, or remove $run_folder"
}
