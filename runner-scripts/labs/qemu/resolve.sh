#!/bin/sh
# Say what exactly a revision means today: package, version and SHA-256, tab-separated, on one line.
#
#   resolve.sh image|source PACKAGE VERSION ARCH    VERSION may be `latest`, ARCH is x86_64 or aarch64
#   resolve.sh git REPOSITORY REF ARCH              the version is the commit's name, and there is no hash beside it
#
# Run in the folder of the matrix: local repositories are found from there.

set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$here/../../lib/common.sh"
. "$here/../../lib/cache.sh"
. "$here/archive.sh"
. "$here/git.sh"

ASK_DEADLINE_S=120

resolve_package() { # kind package version
	check_package "$2" "$3"
	answer=$cache/apt/$architecture/resolved/$2=$3
	if ! archive_is_fresh "$architecture" || [ ! -s "$answer" ]; then
		open_archive "$architecture"
		package=$(concrete_package "$2")
		version=$(package_field "$package" "$3" Version)
		[ -n "$version" ] ||
			refuse "debian/$architecture: no package '$2' in version '$3'; see 'apt-cache search linux-$1' and mend the revision"
		mkdir -p "${answer%/*}"
		printf '%s\t%s\t%s\n' "$package" "$version" "$(package_field "$package" "$version" SHA256)" >"$answer.$$"
		mv "$answer.$$" "$answer"
	fi
	cat "$answer"
}

resolve_commit() { # repository ref
	need_git
	if is_local "$1"; then commit=$(local_commit "$1" "$2"); else commit=$(remote_commit "$1" "$2"); fi
	printf '%s\t%s\t\n' "$1" "$commit"
}

# What is not committed would not be measured, so it is refused.
local_commit() { # repository ref
	said=$(git -C "$1" rev-parse --git-dir 2>&1) ||
		refuse "$1: is no git repository that can be read ($(git_complaint "$said")); mend 'git' of the revision"
	changed=$(git --no-optional-locks -C "$1" status --porcelain --untracked-files=no 2>/dev/null | head -n 1 | cut -c 4-)
	[ -z "$changed" ] || refuse "$1: has local changes ($changed), and only what is committed is measured; commit or stash them"
	git -C "$1" rev-parse --verify --quiet "$2^{commit}" ||
		refuse "$1: has no branch, tag or commit '$2'; mend 'version' of the revision"
}

remote_commit() { # repository ref
	case $2 in
	*[!0-9a-f]*) ;;
	????????????????????????????????????????) echo "$2" && return ;;
	esac
	status=0
	refs=$(timeout "$ASK_DEADLINE_S" git ls-remote -- "$1" "$2" "$2^{}" 2>&1) || status=$?
	case $status in
	0) ;;
	124) give_up "$1: does not answer within $ASK_DEADLINE_S s; check the network, or 'git' of the revision" ;;
	*) give_up "$1: does not answer ($(git_complaint "$refs")); check the network, or 'git' of the revision" ;;
	esac
	commit=$(printf '%s\n' "$refs" | named_commit "$2")
	[ -n "$commit" ] ||
		refuse "$1: has no branch or tag '$2'; mend 'version' of the revision, where a commit has its 40 digits"
	echo "$commit"
}

# The commit among the lines of `git ls-remote` that a name means, by git's own order; a tag's commit, not the tag.
named_commit() { # ref
	ref=$1 awk -F '\t' '
		{ commit[$2] = $1 }
		END {
			places = split(" refs/ refs/tags/ refs/heads/ refs/remotes/", place, " ")
			for (at = 0; at <= places; at++) {
				name = place[at] ENVIRON["ref"]
				if (name "^{}" in commit) { print commit[name "^{}"]; exit }
				if (name in commit) { print commit[name]; exit }
			}
		}'
}

[ $# -eq 4 ] || refuse "resolve.sh: expected KIND PACKAGE VERSION ARCH, got $# words"
architecture=$(debian_arch "$4")
case $1 in
image | source) resolve_package "$1" "$2" "$3" ;;
git) resolve_commit "$2" "$3" ;;
running) refuse "a guest boots a kernel of its own; exclude this revision there, or name a 'package', 'source' or 'git'" ;;
*) refuse "resolve.sh: kind '$1' is none of 'image', 'source' and 'git'" ;;
esac
