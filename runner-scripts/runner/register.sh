#!/bin/sh
# Register the runner of a machine on this host: put its token into its configuration, when GitLab knows the token.
#
#   fwdlab runner MACHINE --url URL >FILE      on any checkout; the first lines of FILE say how to make the runner there
#   register.sh FILE <TOKEN_FILE               here, as root; or register.sh FILE TOKEN_FILE, or type the token
#
# Tags, protection, lock, untagged jobs and the longest time of a job belong to the runner at GitLab: a token of the new
# kind (glrt-...) brings them along, and nothing here can set them. Doing this twice is doing it once. A service that
# runs takes the new configuration by itself.
#
# Exit status: 0 registered; 2 file, token or address are wrong; 3 GitLab or the disk do not answer.

set -eu
umask 077
folder=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$folder/place.sh"

TOKENS="the token of a new runner begins with 'glrt-'; GitLab shows it once, under Settings > CI/CD > Runners"

check_words() { # word...
	for word; do
		case $word in
		gl[a-z]*-* | GR*) refuse "register.sh: a token on a command line is seen by all who call ps, so it is spent; make a new one, and give it in a file" ;;
		esac
	done
	[ $# -eq 1 ] || [ $# -eq 2 ] || refuse "register.sh: expected FILE and perhaps TOKEN_FILE, got $# words"
}

check_file() { # file
	[ -f "$1" ] && [ -r "$1" ] || refuse "$1: cannot be read; write it with 'fwdlab runner'"
	[ "$(grep -c '^token = ""$' "$1")" = 1 ] && [ "$(grep -c '^\[\[runners\]\]$' "$1")" = 1 ] ||
		refuse "$1: has no place for a token; write it again with 'fwdlab runner'"
	check_name "$(config_value "$1" name)"
	case $(config_value "$1" url) in
	https://?* | http://127.0.0.1 | http://127.0.0.1[:/]* | http://localhost | http://localhost[:/]*) ;;
	*) refuse "$1: '$(config_value "$1" url)' is no address for a token; write GitLab's own, such as 'https://gitlab.example.org'" ;;
	esac
}

# From a file that nobody else reads, from standard input, or typed unseen.
read_token() { # [file]
	token='' where=${1:-token}
	if [ $# -eq 1 ]; then
		[ -f "$1" ] && [ -r "$1" ] || refuse "$1: cannot be read; write the token into it"
		[ -z "$(find "$1" \( -perm -040 -o -perm -004 \))" ] || refuse "$1: others may read the token; make a new one, and chmod 600 its file"
		IFS= read -r token <"$1" || true
	elif [ -t 0 ]; then
		trap 'stty echo' EXIT
		stty -echo
		printf 'token: ' >&2
		IFS= read -r token || true
		echo >&2
	else
		IFS= read -r token || true
	fi
}

check_token() {
	case $token in
	'') refuse "$where: is empty; $TOKENS" ;;
	GR1348941*) refuse "$where: is a registration token, of the kind that GitLab gives up; $TOKENS" ;;
	glpat-*) refuse "$where: is a person's or project's access token; $TOKENS" ;;
	glrt-*[!A-Za-z0-9_.-]*) refuse "$where: has a character that no token has; copy it again" ;;
	glrt-????????????????*) ;;
	glrt-*) refuse "$where: is cut off; copy it again" ;;
	*) refuse "$where: is no runner's token; $TOKENS" ;;
	esac
}

# The token goes through a pipe, where no list of processes shows it.
write_config() { # file to
	{ printf '%s\n' "$token" && cat "$1"; } |
		awk 'NR == 1 { token = $0; next } $0 == "token = \"\"" { $0 = "token = \"" token "\"" } { print }' >"$2" ||
		give_up "$2: cannot be written; call this as root, or free space"
}

check_words "$@"
check_file "$1"
machine=$(config_value "$1" name) url=$(config_value "$1" url)
command -v gitlab-runner >/dev/null || give_up "$(uname -n): 'gitlab-runner' is missing; install GitLab's package of it"
file=$1
shift
read_token "$@"
check_token
[ -d "$configs" ] && [ -w "$configs" ] || give_up "$configs: cannot be written to; call install.sh first, and this as root"
new=$configs/.$machine.new
trap 'rm -f "$new"' EXIT
trap 'exit 3' HUP INT TERM
write_config "$file" "$new"
answer=$(verified "$new")
case $answer in
valid) ;;
refused) refuse "$where: GitLab at $url does not know it; see that the runner is still there, and of that GitLab" ;;
*) give_up "$url: does not say whether the token is good (${answer:-no answer in 60 s}); try again when it does" ;;
esac
if cmp -s "$new" "$configs/$machine.toml"; then
	echo "$machine: is registered already, as it is in $file"
	exit 0
fi
give "$configs" || give_up "$configs: cannot be given to '$job_user'; call install.sh first"
sync
mv "$new" "$configs/$machine.toml"
echo "$machine: is registered at $url; see there that tags and protection are as $file says"
