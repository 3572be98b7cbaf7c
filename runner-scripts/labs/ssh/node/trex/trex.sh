# How TRex's client is called for a port of its server, which the matrix calls 'port0' and so on. Sourced.

. ./say.sh
mkdir -p state

trex() { # port verb word...
	number=${1#port}
	shift
	python3 -B trex/client.py "$(cat trex/folder)" "$number" "$@"
}

# The last report: microseconds, packets, octets and errors out, packets, octets and errors in, full queues.
last_report() { # file
	awk 'NF == 8 { last = $0 } END { print last }' "$1"
}
