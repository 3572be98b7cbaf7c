# A rule set of many rules, the last of which matches: the load is held against every rule and every table before it.
#
#   awk -v tool=nft -v state=stateless -v family=inet -v rules=1000 -v table=10000 -v seed=1 -f rules.awk
#
# Addresses are of networks that no load has (10/8, 2001:db8::/32), all different, and the same on every host: they are
# a sequence of whole numbers below 2^24 that has each of them once, in products that any awk has exactly.

function address() {
	number = (number * 1664525 + 12345) % 16777216
	if (family == "inet6") return sprintf("2001:db8::%x:%x", int(number / 65536), number % 65536)
	return sprintf("10.%d.%d.%d", int(number / 65536), int(number / 256) % 256, number % 256)
}

function nft(  i) {
	word = family == "inet6" ? "ip6" : "ip"
	print "table inet filter {"
	if (table) {
		printf "\tset refused {\n\t\ttype %s\n\t\telements = {\n", family == "inet6" ? "ipv6_addr" : "ipv4_addr"
		for (i = 1; i <= table; i++) printf "\t\t\t%s%s\n", address(), i < table ? "," : ""
		print "\t\t}\n\t}"
	}
	print "\tchain forward {\n\t\ttype filter hook forward priority filter; policy drop;"
	if (state == "stateful") print "\t\tct state established,related accept"
	for (i = 1; i <= rules; i++) printf "\t\t%s saddr %s drop\n", word, address()
	if (table) printf "\t\t%s saddr @refused drop\n", word
	printf "\t\tudp dport 9 %scounter accept\n\t}\n}\n", state == "stateful" ? "ct state new " : ""
}

function iptables(  i) {
	print "*filter\n:FORWARD DROP [0:0]"
	if (state == "stateful") print "-A FORWARD -m conntrack --ctstate ESTABLISHED,RELATED -j ACCEPT"
	for (i = 1; i <= rules; i++) printf "-A FORWARD -s %s -j DROP\n", address()
	print "-A FORWARD -p udp -m udp --dport 9 -j ACCEPT\nCOMMIT"
}

function ipfw(  i) {
	if (table) print "table 1 create type addr"
	for (i = 1; i <= table; i++) printf "table 1 add %s\n", address()
	if (state == "stateful") print "add 100 check-state"
	for (i = 1; i <= rules; i++) printf "add %d deny ip from %s to any\n", 200 + int(i * 60000 / rules), address()
	if (table) print "add 60300 deny ip from table(1) to any"
	printf "add 60400 allow ip from any to any%s\n", state == "stateful" ? " keep-state" : ""
}

function pf(  i) {
	if (table) {
		printf "set limit table-entries %d\ntable <refused> { %s", table + 200000, address()
		for (i = 2; i <= table; i++) printf " %s", address()
		print " }"
	}
	for (i = 1; i <= rules; i++) printf "block in quick from %s to any\n", address()
	if (table) print "block in quick from <refused> to any"
	printf "pass all %s state\n", state == "stateful" ? "keep" : "no"
}

function ipf(  i) {
	for (i = 1; i <= rules; i++) printf "block in quick from %s to any\n", address()
	keep = state == "stateful" ? " keep state" : ""
	printf "pass in quick all%s\npass out quick all%s\n", keep, keep
}

BEGIN {
	number = seed % 16777216
	if (tool == "nft") nft()
	else if (tool == "iptables") iptables()
	else if (tool == "ipfw") ipfw()
	else if (tool == "pf") pf()
	else if (tool == "ipf") ipf()
	else exit 1
}
