# What the tests of a state table share, wherever the path lies. Sourced.

STRAY=100 # answers that belong to no connection
STRAY_RATE=10000

is_elementary_test() { [ -n "$(case_value trial.answers '')" ]; }

# Answers leave more slowly than the connections were made, so that only a missing state loses them.
answers_rate() { # frames microseconds
	awk -v share="$(case_value trial.answers)" -v frames="$1" -v us="$2" 'BEGIN { printf "%.0f", 1 + frames * 1e6 / us * share }'
}

# The last of those that senders of ours tell apart.
first_stray() { echo 10039900; }

# What passes without a state says nothing of states.
refuse_strays() { # answers that came
	[ "$1" -eq 0 ] ||
		fail refuse "the rules let answers pass that belong to no connection; a state table is measured with a stateful firewall"
}
