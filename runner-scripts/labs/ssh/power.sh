# Power of the DUT, by what the matrix names: its management controller, a command of the operator's, or nothing. Sourced.
#
#   power on|off|cycle|status    true where it was done; else $power_said says in a sentence why not
#   has_power                    whether there is anything that could
#   words_of LINE COMMAND...     call the command with the words of a line behind it: none of them is read by a shell

POWER_S=30

has_power() {
	[ -n "$(case_value access.power.ipmi '')$(case_value access.power.command '')" ]
}

power() { # action
	power_said=
	if [ -n "$(case_value access.power.ipmi '')" ]; then
		power_by_ipmi "$1"
	elif [ -n "$(case_value access.power.command '')" ]; then
		set -- "$1" "$(case_value access.power.command | sed "s/{action}/$1/g")"
		words_of "$2" ask_power "command '${2%% *}'"
	else
		power_said="the matrix names no 'power', so switch it off and on by hand"
		return 1
	fi
}

# The password stays in its file: a command line can be read by everybody on this host.
power_by_ipmi() { # action
	secret=$(at_home "$(case_value access.power.password_file '')")
	set -- "$1" -I lanplus -H "$(case_value access.power.ipmi)" -U "$(case_value access.power.user ADMIN)"
	if ! command -v ipmitool >/dev/null; then
		power_said="'ipmitool' is missing on this host; install the Debian package 'ipmitool'"
	elif [ -n "$secret" ] && { [ ! -f "$secret" ] || [ ! -r "$secret" ]; }; then
		power_said="'$secret' cannot be read; mend 'password_file' in the matrix"
	fi
	[ -z "$power_said" ] || return 1
	[ -z "$secret" ] || set -- "$@" -f "$secret"
	suite=$(case_value access.power.cipher_suite '')
	[ -z "$suite" ] || set -- "$@" -C "$suite"
	action=$1
	shift
	# What is off cannot be cycled.
	if [ "$action" = cycle ] && ask_power ipmitool ipmitool "$@" chassis power status && grep -q 'is off$' "$ssh_folder/power"; then
		action=on
	fi
	ask_power ipmitool ipmitool "$@" chassis power "$action"
}

# What it says stays in $ssh_folder/power. It has no input: one that asks for a password ends.
ask_power() { # name command...
	name=$1 power_said=
	shift
	tether timeout -k 5 "$POWER_S" "$@" >"$ssh_folder/power" 2>&1 </dev/null && return
	answer=$(printable "$ssh_folder/power" | grep . | tail -n 1 | cut -c 1-200) || true
	power_said="$name did not do it (${answer:-without a word}); look at the power controller, its address and its password"
	return 1
}

words_of() { # line command...
	line=$1
	shift
	while IFS= read -r word; do set -- "$@" "$word"; done <<-END
		$(printf '%s' "$line" | tr -s ' ' '\n')
	END
	"$@"
}
