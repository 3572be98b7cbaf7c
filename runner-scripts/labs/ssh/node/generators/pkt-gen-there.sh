# Whether this node has pkt-gen. Sourced, after say.sh.

need_pkt_gen() {
	! command -v pkt-gen >/dev/null 2>&1 || return 0
	case $(uname -s) in
	Linux) give_up "'pkt-gen' is missing, which Debian has no package of; build it there from netmap's sources" ;;
	*) give_up "'pkt-gen' is missing; install the package 'pkt-gen' there" ;;
	esac
}
