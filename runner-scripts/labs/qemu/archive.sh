# Debian's archive, read without root: a package index of our own for each architecture, in the cache. Sourced.
#
#   $cache/apt/ARCH/     apt's state, lists and downloads     (ARCH in Debian's words: amd64, arm64)

SUITE=bookworm
INDEX_AGE_MINUTES=${FWDLAB_INDEX_AGE_MINUTES:-360}

debian_arch() { # machine
	case $1 in
	x86_64) echo amd64 ;;
	aarch64) echo arm64 ;;
	*) refuse "arch '$1' is neither 'x86_64' nor 'aarch64'; mend the hardware entry of the matrix" ;;
	esac
}

# The sources of this machine that carry the suite, or those the operator names.
archive_sources() {
	if [ -n "${FWDLAB_APT_SOURCES:-}" ]; then
		cat <"$FWDLAB_APT_SOURCES" || give_up "$FWDLAB_APT_SOURCES: cannot be read; mend FWDLAB_APT_SOURCES"
		return
	fi
	apt-get indextargets --format "\$(REPO_URI) \$(RELEASE) \$(COMPONENT)" 'Created-By: Packages' |
		awk -v suite="$SUITE" '$2 ~ "^" suite "(-updates|-security)?$" && $3 == "main" && !seen[$0]++ {
			print "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] " $0 }'
}

archive_is_fresh() { # Debian-architecture
	[ -n "$(find "$cache/apt/$1/updated" -mmin "-$INDEX_AGE_MINUTES" 2>/dev/null)" ]
}

# From here on apt reads and writes our index instead of the machine's.
open_archive() { # Debian-architecture
	need apt-get apt
	archive=$cache/apt/$1
	mkdir -p "$archive/lists/partial" "$archive/archives/partial" ||
		give_up "$archive: cannot be made; free space, or set FWDLAB_CACHE to another folder"
	with_lock "$archive/lock" refresh_index "$1"
	export APT_CONFIG="$archive/apt.conf"
}

# A new index where there is none or it is old; an old one will do where the archive cannot be reached.
refresh_index() { # Debian-architecture
	! archive_is_fresh "$1" || return 0
	configure_apt "$1"
	if APT_CONFIG=$archive/apt.conf apt-get -qq -o APT::Update::Error-Mode=any update >"$archive/update.log" 2>&1; then
		rm -rf "$archive/resolved"
		: >"$archive/updated"
	elif [ -e "$archive/updated" ]; then
		echo "debian/$1: the archive does not answer; using the package index of $(date -r "$archive/updated" +%F)" >&2
	else
		give_up "debian/$1: the archive does not answer ($(complaint "$archive/update.log")); check the network and apt's sources"
	fi
}

configure_apt() { # Debian-architecture
	: >"$archive/status"
	archive_sources >"$archive/sources.list"
	[ -s "$archive/sources.list" ] ||
		give_up "$(uname -n): apt knows no source of Debian $SUITE; set FWDLAB_APT_SOURCES to a sources.list that does"
	cat >"$archive/apt.conf" <<-EOF
		APT::Architecture "$1";
		APT::Architectures { "$1"; };
		APT::Sandbox::User "";
		APT::Install-Recommends "false";
		Acquire::Languages "none";
		Acquire::Retries "3";
		Dir::State "$archive";
		Dir::State::lists "$archive/lists";
		Dir::State::status "$archive/status";
		Dir::Cache "$archive";
		Dir::Cache::archives "$archive/archives";
		Dir::Etc::sourcelist "$archive/sources.list";
		Dir::Etc::sourceparts "/dev/null";
		Dir::Etc::preferencesparts "/dev/null";
		Debug::NoLocking "true";
	EOF
}

# What apt was not content with.
complaint() { # log
	grep -m 1 '^E:' "$1" || tail -n 1 "$1"
}

# Names and versions as Debian's policy has them: nothing else may reach apt or become a folder.
check_package() { # package version
	case "$1=$2" in
	*[!A-Za-z0-9.+:~=-]* | *=*=* | [!A-Za-z0-9]* | *=[!A-Za-z0-9]* | *=)
		refuse "package '$1' in version '$2' cannot be one of Debian's; mend the revision"
		;;
	esac
}

# The exact package behind a name: `linux-image-cloud-amd64` is a signpost that depends on the kernel of the day.
concrete_package() { # package
	target=$(apt-cache depends --important "$1" 2>/dev/null |
		awk '$1 == "Depends:" && $2 ~ /^linux-(image|source)-[0-9]/ { print $2; exit }')
	echo "${target:-$1}"
}

# One field of a package's entry in the index; nothing where there is no such version.
package_field() { # package version|latest field
	if [ "$2" = latest ]; then
		apt-cache --no-all-versions show "$1" 2>/dev/null
	else
		apt-cache show "$1=$2" 2>/dev/null
	fi | awk -v field="$3:" '$1 == field { print $2; exit }'
}
