# Write one kernel setting and print what became of it, tabs as spaces. Run in a node's namespace.
#
#   setting.sh FILE VALUE

[ -e "$1" ] && echo "$2" >"$1" && now=$(cat "$1") && printf '%s\n' "$now" | tr '\t' ' '
