# Whether a guest ended well, and if not, whose fault it was. Sourced.

# Did the guest end well, and was it the kernel that was planned? Its own words come first.
check_guest() { # folder
	hardware=$(case_value hardware.name)
	said=$(printable "$1/result" | sed -n 's/^error//p' | head -n 1)
	case $said in
	'') ;;
	refuse*) refuse "$(case_slug): ${said#refuse}" ;;
	*) blame "$(case_slug): ${said#give_up} ($(last_words "$1"))" ;;
	esac
	panic=$(printable "$1/console.log" | grep -o 'Kernel panic.*' | head -n 1)
	[ -z "$panic" ] || blame "$hardware: the guest stopped with '$panic'; read $evidence/console.log"
	case $emulator_status in
	0) ;;
	124) blame "$hardware: the guest was not done after $BOOT_DEADLINE_S s ($(last_words "$1")); read $evidence/console.log, or raise FWDLAB_BOOT_DEADLINE_S" ;;
	137) give_up "$hardware: $(emulator) was killed; run again" ;;
	*) give_up "$hardware: $(emulator) ended with status $emulator_status ($(tail -n 1 "$1/emulator.log")); read $evidence/emulator.log" ;;
	esac
	[ "$(tail -n 1 "$1/result")" = "end	ok" ] ||
		blame "$hardware: the result is cut off after $(wc -l <"$1/result") lines ($(last_words "$1")); read $evidence/console.log"
	booted=$(awk -F '\t' '$1 == "fact" && $2 == "kernel_release" { print $3 }' "$1/result")
	[ "$booted" = "$(cat "$kernel/release")" ] ||
		give_up "$hardware: the guest booted '$booted', planned was '$(cat "$kernel/release")'; empty $kernel"
}

# A kernel that was patched, or is a commit under test, answers for itself; one as Debian made it for the lab.
blame() { # message
	case $(case_value revision.kind):$(case_value patch.file)$(case_value patch.options) in
	image: | source:) give_up "$1" ;;
	*) refuse "$1" ;;
	esac
}

last_words() { # folder
	printf "last words '%s'" "$(printable "$1/console.log" |
		grep -v -e '^\[.*reboot:' -e '^guest:' | tail -n 1 | cut -c 1-200)"
}

# What a guest wrote, without what would move a terminal's cursor.
printable() { # file
	tr -cd '\n -~' <"$1"
}

# A line of what a tool said, as a sentence can carry it.
printable_line() {
	tr -cd ' -~' | cut -c 1-300
}
