# A folder is whole or not there: work goes to NAME.partial, which takes its name when all is in it. Sourced.

# What an earlier, killed attempt left under this name goes first.
new_partial() { # final
	rm -rf "$1.partial"
	mkdir -p "$1.partial" || give_up "$1.partial: cannot be made; free space or mend the rights"
}

keep_partial() { # final
	sync "$1.partial"/* || give_up "$1.partial: cannot be written to the disk; free space"
	mv "$1.partial" "$1" || give_up "$1: cannot be written; free space or mend the rights"
}

# What went wrong stays as evidence: RUN/failed/NAME.1, NAME.2, ... each with its reason.
keep_failed() { # run-folder name
	number=1
	while [ -e "$1/failed/$2.$number" ]; do number=$((number + 1)); done
	mkdir -p "$1/failed" && mv "$1/$2.partial" "$1/failed/$2.$number"
}

# Do a step of a run in a folder of its own: whole and kept, or failed, kept as evidence, and said.
in_folder() { # run-folder name command...
	run_folder=$1 name=$2
	shift 2
	new_partial "$run_folder/$name"
	status=0
	("$@" "$run_folder/$name.partial") 2>"$run_folder/$name.partial/messages" || status=$?
	cat "$run_folder/$name.partial/messages" >&2
	if [ "$status" -eq 0 ]; then
		keep_partial "$run_folder/$name"
	else
		printf '%s\t%s\n' "$status" "$(tail -n 1 "$run_folder/$name.partial/messages")" \
			>"$run_folder/$name.partial/reason" || true
		keep_failed "$run_folder" "$name"
		exit "$status"
	fi
}
