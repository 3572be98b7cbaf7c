# Git, whoever calls: what a hook, an editor or a shell told it of another repository is forgotten. Sourced.

need_git() {
	need git git
	for name in $(git rev-parse --local-env-vars); do
		case $name in GIT_CONFIG*) ;; *) unset "$name" ;; esac
	done
	export GIT_TERMINAL_PROMPT=0 GIT_ALLOW_PROTOCOL=file:git:http:https:ssh
	export GIT_SSH_COMMAND="${GIT_SSH_COMMAND:-ssh -o BatchMode=yes}"
}

# What git had against it, without its own word for that.
git_complaint() { # git's-words
	printf '%s\n' "$1" | sed -n 's/^\(fatal\|error\|remote\): *//p' | head -n 1
}

# Is a repository's place a path of this machine, not a URL?
is_local() { # place
	case $1 in *://*) return 1 ;; esac
}
