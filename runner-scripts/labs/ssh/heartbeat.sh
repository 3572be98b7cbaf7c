#!/bin/sh
# Renew leases for as long as they are ours, six times in the time that one lasts.
#
#   heartbeat.sh LIST TOKEN SECONDS      LIST names a lease a line; who starts this ends it
#
# It sleeps by seconds: what a killed one leaves is over at once. Where the disk is full the lease stays as it is.

set -eu
list=$1 token=$2 lasting=$3

renew() { # lease
	{ read -r _ holder <"$1"; } 2>/dev/null && [ "$holder" = "$token" ] || exit 0
	{ awk -F '\t' -v expires=$(($(date +%s) + lasting)) '
		BEGIN { OFS = "\t" }
		$1 == "expires" { $2 = expires }
		{ print }' "$1" >"$1.new"; } 2>/dev/null && mv "$1.new" "$1" || true
}

passed=0
while sleep 1; do
	passed=$((passed + 1))
	[ $((passed * 6)) -ge "$lasting" ] || continue
	passed=0
	while read -r lease; do
		exec 9>>"${lease%.lease}.lock"
		flock 9
		renew "$lease"
		exec 9>&-
	done <"$list"
done
