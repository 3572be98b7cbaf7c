# What becomes of each option: as asked for, if there is one of that name and what it depends on is there.
#
#   awk -f configure.awk WANTED OPTIONS      OPTIONS: a name and what it depends on, a line

FNR == NR {
	if (match($0, /^CONFIG_[A-Za-z0-9_]+=/)) wanted[substr($0, 1, RLENGTH - 1)] = substr($0, RLENGTH + 1)
	next
}
($1 in wanted) && wanted[$1] != "n" && (NF == 1 || $2 in set) {
	set[$1] = 1
	print $1 "=" wanted[$1]
	next
}
{ print "# " $1 " is not set" }
