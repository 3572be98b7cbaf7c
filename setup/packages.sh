# Debian packages: which of a list are missing, and how they come.
#
# A list is a file beside this one, NAME.packages: what shows that a package is there (a command, or a file by its
# whole path), then the package. Looking starts no process, so every call of ./lab can afford it.

lists=${root:?}/setup

# missing_packages LIST...: the packages of those lists that are not there, one a line.
missing_packages() {
	for list in "$@"; do
		while read -r sign package; do
			case $sign in
			/*) [ -e "$sign" ] || echo "$package" ;;
			*) command -v "$sign" >/dev/null || echo "$package" ;;
			esac
		done <"$lists/$list.packages"
	done
}

# install_packages: installs the packages named on standard input, one a line, through sudo when not root.
install_packages() {
	set --
	while read -r package; do set -- "$@" "$package"; done
	[ $# -gt 0 ] || return 0
	advice="as root, run: apt-get update && apt-get install -y --no-install-recommends $*"
	say "these Debian packages are missing and will now be installed: $*"
	command -v apt-get >/dev/null || fail "there is no apt-get here; install the like of them with what this system has"
	[ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null || fail "you are not root and there is no sudo; $advice"
	have_lists || apt_get update -q || true # what is wrong shows in the installation
	apt_install "$@" || { apt_get update -q && apt_install "$@"; } || fail "apt-get could not install them, for the reason above; $advice"
}

apt_install() (
	export DEBIAN_FRONTEND=noninteractive
	apt_get install -q -y --no-install-recommends "$@"
)

have_lists() {
	[ -n "$(find /var/lib/apt/lists -name '*_Packages*' 2>/dev/null)" ]
}

apt_get() {
	if [ "$(id -u)" -eq 0 ]; then apt-get "$@"; else sudo apt-get "$@"; fi
}
