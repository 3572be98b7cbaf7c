# The kernel settings that go with the firewall. Sourced by trial.sh, after the rules: some are there only with them.
#
# Each is set in the DUT's namespace, and where that has none, or may not set it, for the whole guest, which is this
# case's alone. What the kernel made of it is read again, and goes into the result.

guest() { "$@"; }

tune() { # NAME=VALUE;NAME=VALUE..., as sysctl names them
	: >/run/tuned
	printf '%s\n' "$1" | tr ';' '\n' >/run/settings
	while IFS='=' read -r name value; do
		[ -z "$name" ] || tune_one "$name" "/proc/sys/$(printf '%s' "$name" | tr . /)" "$value"
	done </run/settings
}

# Those that a result does not have anyway.
tuned() {
	[ ! -e /run/tuned ] || dut sh "$here/sysctls.sh" | grep -vxF -f - /run/tuned || :
}

tune_one() { # name file value
	for place in dut guest; do
		now=$("$place" sh "$here/setting.sh" "$2" "$3") || continue
		[ "$now" = "$3" ] || fail refuse "sysctl '$1' is '$now' after '$3' was written; mend its value"
		printf 'sysctl\t%s\t%s\n' "${2#/proc/sys/}" "$now" >>/run/tuned
		return
	done
	fail refuse "sysctl '$1' takes no '$3', or this kernel has none with these rules; mend the firewall's 'sysctl'"
}
