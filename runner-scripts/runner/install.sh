#!/bin/sh
# Put what the runner of a machine needs in place on its host, as root: the user that jobs are, their folders, these
# scripts, the service, and what lab keepers may do. Doing it again brings it up to date; a runner that works goes on.
#
#   install.sh MACHINE
#
# With DESTDIR, which is put before every path, no user is made and nobody is given anything.

set -eu
umask 022
folder=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$folder/place.sh"

libexec=$root/usr/local/libexec/fwdlab-runner # where no job may write
machines=$root/var/lib/fwdlab/machines        # as the labs' scripts know it

[ $# -eq 1 ] || refuse "install.sh: expected MACHINE, got $# words"
check_name "$1"
[ -n "$root" ] || [ "$(id -u)" -eq 0 ] || refuse "install.sh: you are not root; call it as root, or set DESTDIR to look at what it does"

make_user() {
	! id "$job_user" >/dev/null 2>&1 || return 0
	case $(uname -s) in
	FreeBSD) pw useradd "$job_user" -d "$(home_of home)" -s /usr/sbin/nologin -w no -c "jobs of fwdlab" ;;
	*) useradd --system --user-group --home-dir "$(home_of home)" --no-create-home --shell /usr/sbin/nologin "$job_user" ;;
	esac || give_up "$job_user: this user cannot be made, for the reason above; make it, then run this again"
}

make_folder() { # mode path
	{ mkdir -p "$2" && chmod "$1" "$2"; } || give_up "$2: cannot be made; free space or mend the rights"
}

put() { # mode file to
	{ mkdir -p "${3%/*}" && cp "$folder/$2" "$3.new" && chmod "$1" "$3.new" && mv "$3.new" "$3"; } ||
		give_up "$3: cannot be written; free space or mend the rights"
}

# A rule that sudo cannot read would lock everybody out of sudo.
allow_keepers() {
	if ! command -v visudo >/dev/null; then
		echo "install.sh: there is no sudo here, so nobody but root may drain the runner or see its health"
		return
	fi
	said=$(visudo -c -f "$folder/sudoers" 2>&1) ||
		give_up "$folder/sudoers: this sudo does not take it ($(printf '%s\n' "$said" | head -n 1)); install sudo 1.9.10 or later"
	put 0440 sudoers "$etc/sudoers.d/fwdlab-runner"
}

[ -n "$root" ] || make_user
make_folder 0755 "$(home_of home)" # nobody's to write: a job leaves nothing there for the next
make_folder 0755 "$(home_of "$1")"
make_folder 0700 "$configs"
make_folder 2775 "$machines" # leases and quarantine: whoever works on a machine from here is to see the jobs' and they his
give "$(home_of "$1")" "$configs" || give_up "$configs: cannot be given to '$job_user'; mend the rights"
give_group "$machines" || give_up "$machines: cannot be given to the group of '$job_user'; mend the rights"
for script in place.sh checks.sh; do put 0644 "$script" "$libexec/$script"; done
for script in register.sh drain.sh health.sh; do put 0755 "$script" "$libexec/$script"; done
case $(uname -s) in
FreeBSD)
	put 0555 fwdlab_runner.rc "$etc/rc.d/fwdlab_runner"
	start="sysrc fwdlab_runner_enable=YES fwdlab_runner_machine=$1 && service fwdlab_runner start"
	;;
*)
	put 0644 fwdlab-runner@.service "$etc/systemd/system/fwdlab-runner@.service"
	[ -n "$root" ] || ! command -v systemctl >/dev/null || systemctl daemon-reload || true
	start="systemctl enable --now fwdlab-runner@$1"
	;;
esac
allow_keepers
echo "$1: is in place; register it with $libexec/register.sh, then: $start"
