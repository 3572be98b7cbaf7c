# The Python environment: .lab/venv, filled from a lock of requirements/ with every hash checked.
#
# A stamp in it, run.stamp or dev.stamp, says which Python and which locks it was made from; dev.lock holds all of
# run.lock. No stamp means that a set-up was cut short, and the environment is made anew.

venv=${root:?}/.lab/venv

# python_ready LOCK: whether the environment is whole and made from that lock as it stands; two short processes.
python_ready() {
	[ -x "$venv/bin/python" ] || return
	now=$(identity)
	[ "$now" = "$(stamp dev)" ] || [ "$now" = "$(stamp "$1")" ]
}

# The Python that the environment links to, its version in the name, and every lock with its path and hash.
identity() {
	readlink -f "$venv/bin/python"
	sha256sum "$root/requirements/"*.lock
}

stamp() {
	[ ! -e "$venv/$1.stamp" ] || cat "$venv/$1.stamp"
}

find_python() {
	for python in python3 python3.14 python3.13 python3.12 python3.11; do
		if "$python" -I -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
			command -v "$python"
			return
		fi
	done
	return 1
}

# The Debian package that must come before an environment can be made; it brings a Python where there is none.
missing_python() {
	if python=$(find_python); then
		"$python" -I -c 'import ensurepip' 2>/dev/null || echo python3-venv
	else
		command -v python3 >/dev/null || echo python3-venv
	fi
}

# install_python LOCK: makes the environment, or brings a whole one to that lock.
install_python() {
	python=$(find_python) || fail "no Python of 3.11 or later on PATH; install one (Debian 12: apt-get install python3)"
	say "setting up Python packages from requirements/$1.lock in .lab/venv"
	whole_environment || "$python" -I -m venv --clear "$venv" ||
		fail "$venv: no virtual environment could be made with $python; remove .lab and look at what it said above"
	rm -f "$venv/"*.stamp
	"$venv/bin/python" -I -m pip install --quiet --no-input --disable-pip-version-check --only-binary :all: \
		--no-user --require-hashes -r "$root/requirements/$1.lock" || fail "requirements/$1.lock: its packages could not be" \
		"installed; check network and disk, or name a mirror in PIP_INDEX_URL, and call ./lab again"
	identity >"$venv/$1.stamp"
}

# Whether an earlier set-up ended well, here and with a Python that still runs: only then may pip build on it.
whole_environment() {
	grep -qsF "  $root/requirements/" "$venv/"*.stamp && "$venv/bin/python" -I -m pip --version >/dev/null 2>&1
}
