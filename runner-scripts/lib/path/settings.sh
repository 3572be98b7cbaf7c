# Set those of the named kernel settings that there are. Run in a node's namespace.
#
#   settings.sh NAME=VALUE...      NAME below /proc/sys

for setting; do
	file=/proc/sys/${setting%%=*}
	[ ! -e "$file" ] || echo "${setting#*=}" >"$file" || exit
done
