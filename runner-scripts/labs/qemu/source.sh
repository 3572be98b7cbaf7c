# The source a kernel is built from: the tree of a Debian source package, or of a commit in a git repository. Sourced.
#
#   $cache/sources/NAME/git         objects of every version that was built, or a pointer to a local repository's
#                       trees/      VERSION-SHA256: which tree a package's version has
#                       tree index  the work tree, with what git knows of it
#                       build-ARCH-WAY  objects of the last build of a kind, so that the next makes only what differs
#
# There is one work tree, so whoever works on it holds the lock of the source. A patch is in it while it is built, and
# gone when the next build begins.

FETCH_DEADLINE_S=3600 # all of a kernel's source, on a slow line

source_folder() { # kind origin
	case $1 in
	source) printf '%s\n' "$cache/sources/$2" ;;
	git) printf '%s\n' "$cache/sources/git-$(git_place "$2" | sha256sum | cut -c 1-12)" ;;
	*) refuse "revision kind '$1' is none of 'image', 'source' and 'git'; write the case file again" ;;
	esac
}

# A local repository by its whole path, so that a run from another folder finds what this one built.
git_place() { # origin
	{ is_local "$1" && (CDPATH='' cd -- "$1" 2>/dev/null && pwd -P); } || printf '%s\n' "$1"
}

# Git as the source's own folder has it, whatever the user's settings say. It stands in the work tree: `git apply`
# writes where it stands.
source_git() { # git's words
	standing=${work_tree:-$source/tree}
	GIT_INDEX_FILE=${index:-$source/index} GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_COUNT=0 \
		GIT_CONFIG_PARAMETERS='' tether git -C "$standing" --git-dir="$source/git" --work-tree="$standing" \
		-c core.bare=false -c core.autocrlf=false -c core.compression=1 -c safe.directory='*' "$@"
}

# Afterwards $tree is the tree that a version has, as git names it, and its objects are in $source/git. No shell between
# the script and its git: that ends with it. Locks of git found here are of one that was killed: ours keeps others away.
find_tree() { # kind origin version sha256
	mkdir -p "$source/trees" "$source/tree" ||
		give_up "$source: cannot be made; free space, or set FWDLAB_CACHE to another folder"
	rm -rf "$source"/*.lock "$source/git"/*.lock "$source/git.new"
	[ -e "$source/git" ] || { tether git init -q --bare --template= --object-format=sha1 "$source/git.new" &&
		mv "$source/git.new" "$source/git"; } || give_up "$source/git: cannot be made; free space, then run again"
	case $1 in
	source) package_tree "$2" "$3" "$4" ;;
	git) commit_tree "$2" "$3" ;;
	esac
}

package_tree() { # package version sha256
	known=$source/trees/$2-$3
	[ -s "$known" ] || keep_package "$@"
	tree=$(cat "$known")
}

keep_package() { # package version sha256
	rm -rf "$source/new" "$source/new.index"
	mkdir "$source/new" || give_up "$source: cannot be written; free space, then run again"
	unpack_source "$@"
	index=$source/new.index work_tree=$source/new/$1
	{ source_git add -A -f . && source_git write-tree >"$known.partial"; } ||
		give_up "$1: its source cannot be kept in $source; free space, then run again"
	index='' work_tree=''
	rm -rf "$source/new" "$source/new.index"
	mv "$known.partial" "$known"
}

unpack_source() { # package version sha256
	tether env -C "$source/new" apt-get -qq download "$1=$2" >"$source/download.log" 2>&1 ||
		give_up "$1: version '$2' cannot be downloaded ($(complaint "$source/download.log")); plan again, or check the network"
	found=$(sha256 "$source/new"/*.deb)
	[ "$found" = "$3" ] || give_up "$1: the package's SHA-256 is $found, planned was $3; plan again"
	dpkg-deb -x "$source/new"/*.deb "$source/new/all" ||
		give_up "$1: its package cannot be unpacked in $source; free space, then run again"
	[ -e "$source/new/all/usr/src/$1.tar.xz" ] ||
		refuse "$1: has no /usr/src/$1.tar.xz in it; name a source package such as 'linux-source-6.12'"
	tar -xf "$source/new/all/usr/src/$1.tar.xz" -C "$source/new" ||
		give_up "$1: its source cannot be unpacked in $source; free space, then run again"
}

commit_tree() { # origin commit
	if is_local "$1"; then
		objects=$(git -C "$1" rev-parse --path-format=absolute --git-path objects 2>&1) ||
			refuse "$1: is no git repository that can be read ($(git_complaint "$objects")); mend 'git' of the revision"
		in_quotes "$objects" >"$source/git/objects/info/alternates"
	elif ! source_git cat-file -e "$2^{tree}" 2>/dev/null; then
		fetch_commit "$@"
	fi
	tree=$(source_git rev-parse --verify --quiet "$2^{tree}") || refuse "$1: has no commit $2; plan again"
}

# A path as git reads it from a file, whatever is in it.
in_quotes() { # path
	printf '%s\n' "$1" | sed 's/[\\"]/\\&/g' | awk '{ printf "%s%s", NR == 1 ? "\"" : "\\n", $0 } END { print "\"" }'
}

# By the user's settings: they know the way through proxies, and who may read. Nothing is tidied up behind our back.
fetch_commit() { # origin commit
	status=0
	tether timeout "$FETCH_DEADLINE_S" git --git-dir="$source/git" -c gc.auto=0 -c safe.directory='*' \
		fetch -q --depth 1 --no-tags -- "$1" "$2" >"$source/fetch.log" 2>&1 || status=$?
	case $status in
	0) ;;
	124) give_up "$1: commit $2 is not fetched within $FETCH_DEADLINE_S s; check the network" ;;
	*) give_up "$1: commit $2 cannot be fetched ($(git_complaint "$(cat "$source/fetch.log")")); plan again, or check the network" ;;
	esac
}

# Only files that differ are written, so that the next build makes only what depends on them.
check_out() { # tree
	{ source_git read-tree --reset -u "$1" && source_git clean -ffdxq; } >>"$built.log" 2>&1 && return
	rm -rf "$source/index" "$source/tree"
	blame_disk
	give_up "$source: its tree cannot be brought to the source's state; read $(kept_log), remove this folder, then run again"
}
