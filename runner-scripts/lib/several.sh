# A repeat of several trials: a search, or the loads of a curve. Sourced.
#
#   FOLDER/trial-1/case      the case this trial was, with a load of its own; beside it what a repeat of one trial holds
#   FOLDER/trial-2/...
#
# What to offer next is asked of the controller (`fwdlab next-load`), which reads the trials so far: scripts decide nothing.

controller=${FWDLAB_CONTROLLER:-$scripts/../lab}

# Is the load of the case none that a sender could be told?
takes_several() {
	case $(case_value traffic.load) in max) return 1 ;; *[!0-9]*) return 0 ;; *) return 1 ;; esac
}

# Do for every trial of the repeat; each in a folder of its own.
several_trials() { # folder command...
	several=$1 whole_case=$case_file number=0
	shift
	while ask_next "$several" && [ -s "$several/next" ]; do
		number=$((number + 1))
		mkdir "$several/trial-$number"
		case_with "$several/next" >"$several/trial-$number/case"
		case_file=$several/trial-$number/case
		evidence=$attempt/trial-$number
		"$@" "$several/trial-$number"
		evidence=$attempt
		case_file=$whole_case
	done
	rm "$several/next"
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
