# A repeat of several trials: a search, or the loads of a curve. Sourced.
#
#   FOLDER/trial-1/case      the case this trial was, with a load of its own; beside it what a repeat of one trial holds
#   FOLDER/trial-2/...
#
# What to offer next is asked of the controller (`fwdlab next-load`), which reads the trials so far: scripts decide nothing.
# So a repeat that ended before its time is taken up again: the same trials follow, and those that were made are copied.

controller=${FWDLAB_CONTROLLER:-$scripts/../lab}

# Is the load of the case none that a sender could be told?
takes_several() {
	case $(case_value traffic.load) in max) return 1 ;; *[!0-9]*) return 0 ;; *) return 1 ;; esac
}

# Do for every trial of the repeat; each in a folder of its own.
several_trials() { # folder command...
	several=$1 whole_case=$case_file number=0 kept=0
	earlier=$run_folder/failed/$step.$((${attempt##*.} - 1))
	shift
	while ask_next "$several" && [ -s "$several/next" ]; do
		number=$((number + 1))
		mkdir "$several/trial-$number"
		case_with "$several/next" >"$several/trial-$number/case"
		case_file=$several/trial-$number/case
		evidence=$attempt/trial-$number
		look_at_earlier "$several/trial-$number"
		if [ -n "$earlier" ]; then
			cp "$earlier/trial-$number"/* "$several/trial-$number"
			kept=$number
		else
			"$@" "$several/trial-$number"
		fi
		evidence=$attempt
		case_file=$whole_case
	done
	rm "$several/next"
	[ "$kept" -eq 0 ] || fact "$several/facts" kept_trials "$kept"
}

# $earlier is the attempt before this one, and empty from the first trial on that has to be made: another one, one of
# another boot, or the last of that attempt, since what ended the attempt may have begun in it.
look_at_earlier() { # folder of the trial
	if ! is_whole "$earlier/trial-$number" || ! is_whole "$earlier/trial-$((number + 1))" ||
		! is_same_case "$earlier/trial-$number/case" "$1/case" || ! command -v lab_boot >/dev/null; then
		earlier=
		return
	fi
	lab_boot "$1"
	[ "$boot" = "$(awk -F '\t' '$1 == "boot" { print $2 }' "$earlier/trial-$number/facts")" ] || earlier=
}

is_whole() { # folder of a trial
	tail -n 1 "$1/result" 2>/dev/null | grep -qx 'end	ok'
}

# Lines of a case file for the next trial; none where there is none.
ask_next() { # folder
	"$controller" next-load "$case_file" "$1" >"$1/next" </dev/null || {
		asked=$?
		said=$(tail -n 1 "$1/messages")
		[ "$asked" -ne 2 ] || refuse "$said"
		give_up "$said"
	}
}

# The case, some lines of it replaced.
case_with() { # lines
	awk -F '\t' 'NR == FNR { with[$1] = $0; next }
		$1 in with { print with[$1]; delete with[$1]; next } { print }
		END { for (key in with) print with[key] }' "$1" "$case_file"
}

# A profile is of one load: the most there is, where the case has several.
at_maximum() { # command...
	whole_case=$case_file
	if ! takes_several; then
		"$@"
		return
	fi
	printf 'traffic.load\tmax\n' >"$run_folder/$step.partial/load"
	case_with "$run_folder/$step.partial/load" >"$run_folder/$step.partial/case"
	rm "$run_folder/$step.partial/load"
	case_file=$run_folder/$step.partial/case
	"$@"
	case_file=$whole_case
}
