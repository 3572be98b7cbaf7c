# Where the load comes from and goes to. Sourced.
#
# The networks lie behind the sender and the receiver, among those for benchmarking of RFC 2544 (C.2.2) and RFC 5180
# (section 8); tests never leave them.

flow_addresses() { # family
	case $1 in
	inet) source_net=198.18.100.0/24 source_ip=198.18.100.1 sink_net=198.19.100.0/24 sink_ip=198.19.100.1 ;;
	inet6) source_net=2001:2:0:a::/64 source_ip=2001:2:0:a::1 sink_net=2001:2:0:b::/64 sink_ip=2001:2:0:b::1 ;;
	*) fail refuse "family '$1' is neither inet nor inet6; mend the traffic entry of the matrix" ;;
	esac
}
