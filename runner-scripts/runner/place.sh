# Where the runner of a machine lives on its host, what it is doing, and how these scripts end. Sourced.

export LC_ALL=C   # what programs say is read here
root=${DESTDIR:-} # before every path, to try things out: whoever does that is who jobs are, and gives nothing away
[ -n "$root" ] || PATH=$PATH:/usr/local/bin:/usr/sbin:/sbin
case $(uname -s) in
FreeBSD) etc=$root/usr/local/etc ;;
*) etc=$root/etc ;;
esac
configs=$etc/fwdlab-runner
job_user=fwdlab # runner and jobs are one user
[ -z "$root" ] || job_user=$(id -un)

# The folder of a machine's jobs.
home_of() { # machine
	printf '%s\n' "$root/var/lib/fwdlab-runner/$1"
}

give() { # path...
	[ -n "$root" ] || chown -R "$job_user" "$@"
}

# To the user of jobs and to whoever is in his group.
give_group() { # path
	[ -n "$root" ] || chown "$job_user:$(id -g "$job_user")" "$1"
}

# What was given is wrong: exit status 2.
refuse() { # message
	printf '%s\n' "$*" >&2
	exit 2
}

# The lab is broken: exit status 3.
give_up() { # message
	printf '%s\n' "$*" >&2
	exit 3
}

need() { # command Debian-package
	command -v "$1" >/dev/null 2>&1 || give_up "$(uname -n): '$1' is missing; install the Debian package '$2'"
}

check_name() { # machine
	case $1 in
	'' | *[!A-Za-z0-9._-]* | [._-]*) refuse "'$1': cannot be the name of a machine that has a runner; write the one of the matrix" ;;
	esac
}

open_machine() { # machine
	check_name "$1"
	machine=$1 config=$configs/$1.toml
	[ -e "$config" ] || refuse "$config: is not there; register the runner of '$machine' first"
	[ -r "$config" ] || refuse "$config: you may not read it; call this as root"
}

# A text of a configuration that 'fwdlab runner' wrote: the first line `key = "text"`. Nothing of it is evaluated.
config_value() { # file key
	awk -v key="$2" '$1 == key && $2 == "=" && $3 ~ /^"/ { sub(/^[^"]*"/, ""); sub(/".*/, ""); print; exit }' "$1"
}

# The processes that take jobs by this configuration.
daemons() { # config
	ps axww -o pid= -o args= | wanted=$1 awk '
		$2 ~ /(^|\/)gitlab-runner$/ && index($0 " ", " run --config " ENVIRON["wanted"] " ") { print $1 }'
}

# The addresses at GitLab of the jobs below these processes, each once.
jobs_below() { # processes
	ps axeww -o pid= -o ppid= -o command= | above=$1 awk '
		BEGIN { count = split(ENVIRON["above"], roots, " "); for (i = 1; i <= count; i++) below[roots[i]] = 1 }
		{ parent[$1] = $2; for (word = 3; word <= NF; word++) if ($word ~ /^CI_JOB_URL=./) url[$1] = substr($word, 12) }
		END {
			for (process in url) {
				for (up = process; up > 1 && !(up in below); up = parent[up]) continue
				if (up in below) print url[process]
			}
		}' | sort -u
}

# What GitLab says of the token in a configuration: `valid`, `refused`, or why nobody knows. The runner itself says
# "failed" and ends with 0 where GitLab does not answer, so it is its words that count.
verified() { # config
	said=$(timeout 60 gitlab-runner verify --config "$1" 2>&1 </dev/null | tr -d '\033' | sed 's/\[[0-9;]*m//g') || true
	case $said in
	*"... is valid"*) echo valid ;;
	*"... is not valid"*) echo refused ;;
	*) printf '%s\n' "$said" | sed 's/.*status=//' | grep . | tail -n 1 | cut -c 1-300 ;;
	esac
}
