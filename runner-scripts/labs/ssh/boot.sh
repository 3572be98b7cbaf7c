# Bringing the DUT to the revision of the case, and proving that it is there. Sourced.
#
#   boot_dut FOLDER      afterwards the planned revision runs, started anew where the case asks for it
#
# How a kind of revision gets onto a machine is node/provision/OS-KIND.sh, one file each.

boot_dut() { # folder
	dut_os=$(os_of dut)
	on dut 30 system.sh "$dut_os" -- "$dut_os/booted.sh" >"$ssh_folder/booted"
	check_booted
}

# Release or revision, whichever the matrix planned: a release is one word, a revision one of the words of the version.
check_booted() {
	planned=$(case_value revision.version)
	awk -F '\t' -v planned="$planned" '
		$2 == planned { found = 1 }
		{ count = split($3, words, /[ :]+/); for (i = 1; i <= count; i++) if (words[i] == planned) found = 1 }
		END { exit !found }' "$ssh_folder/booted" ||
		give_up "$(host_of dut): booted '$(cut -f 2 "$ssh_folder/booted")', planned was '$planned'; look at what it boots from, or mend 'version' in the matrix"
}

# A trial is of the kernel that was prepared, to its last option.
same_configuration() {
	found=$(cut -f 4 "$ssh_folder/booted")
	planned=$(awk -F '\t' '$1 == "kernel_config_sha256" { print $2 }' "$run_folder/prepare/facts")
	[ "$found" = "$planned" ] ||
		give_up "$(host_of dut): the kernel that runs has another configuration than the prepared one; boot that, or remove $run_folder"
}
