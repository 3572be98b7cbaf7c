# What the controller knows of its machines between jobs: leases, and which machine no job may use. Sourced, after a case is
# open.

. "$scripts/lib/cache.sh"
machines=${FWDLAB_MACHINES:-/var/lib/fwdlab/machines}
[ -n "${FWDLAB_MACHINES:-}" ] || [ -d "$machines" ] || machines=$cache/machines

# Whose folder this is may lock a machine in it, whichever of its users was there first.
open_lock() { # machine
	(umask 0 && true >>"$machines/$1.lock") 2>/dev/null || true
}

quarantine_file() {
	echo "$machines/$(case_value hardware.name).quarantine"
}

# A machine that failed its examination is left alone until it passes one.
refuse_quarantined() {
	! [ -e "$(quarantine_file)" ] || give_up "$(case_value hardware.name): $(quarantine_words); './lab doctor $(case_value hardware.name)' lifts it when all is well"
}

quarantine_words() {
	awk -F '\t' '{ said[$1] = $2 } END { printf "quarantined since %s because %s", said["since"], said["why"] }' "$(quarantine_file)" |
		tr -cd ' -~'
}

quarantine() { # why
	{ mkdir -p "$machines" && printf 'since\t%s\nwhy\t%s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$1" >"$(quarantine_file).new"; } 2>/dev/null ||
		give_up "$machines: cannot be written; free space, mend the rights, or set FWDLAB_MACHINES to another folder"
	mv "$(quarantine_file).new" "$(quarantine_file)"
}

lift_quarantine() {
	[ -e "$(quarantine_file)" ] || return 0
	echo "$(case_value hardware.name): was $(quarantine_words); lifted"
	rm "$(quarantine_file)"
}
