# Whether this node's iperf3 is recent enough. Sourced, after say.sh.

OLDEST=9 # 3.9 is what Debian 11 has

recent_iperf3() {
	need iperf3 iperf3
	version=$(iperf3 --version 2>&1 | awk '$1 == "iperf" { print $2; exit }')
	case $version in
	3.[0-9]*) minor=${version#3.} && [ "${minor%%[!0-9]*}" -lt "$OLDEST" ] || return 0 ;;
	esac
	give_up "iperf3 is of version '$version', needed is 3.$OLDEST or one after it; install a newer package 'iperf3' there"
}
