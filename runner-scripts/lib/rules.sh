# The rules of the case. Sourced; expects $scripts and an open case.

# The case's rule file, byte for byte as it was planned, or generated as it says; nothing where it has none.
copy_rules() { # to
	[ -z "$(case_value firewall.generate '')" ] || { generate_rules "$1" && return; }
	[ -z "$(case_value firewall.rules)" ] || copy_named firewall rules "rule file" "$1"
}

# Rules by the numbers of the case, such as 'rules=1000 table=10000 seed=1', in the syntax that the firewall's name begins with.
generate_rules() { # to
	name=$(case_value firewall.name)
	case $name in *stateful*) state=stateful ;; *) state=stateless ;; esac
	set -- "$1" -v "tool=${name%%-*}" -v "state=$state" -v "family=$(case_value traffic.family)"
	for given in $(case_value firewall.generate); do set -- "$@" -v "$given"; done
	to=$1
	shift
	awk "$@" -f "$scripts/lib/rules.awk" >"$to" || give_up "$to: rules cannot be generated; free space, then run again"
}
