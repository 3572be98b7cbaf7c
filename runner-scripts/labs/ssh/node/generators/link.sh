# Whether an interface of this node has a link now, by what its system shows of it. Sourced.

has_link() { # interface
	case $(uname -s) in
	Linux) [ "$(cat "/sys/class/net/$1/carrier" 2>/dev/null)" = 1 ] ;;
	*) ifconfig "$1" | grep -q 'status: active' ;;
	esac
}
