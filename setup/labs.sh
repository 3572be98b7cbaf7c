# Which Debian packages a run needs: those of the labs that its matrix names.

# need_for WORD...: afterwards they are there; all of the virtual lab where no lab can be read of the matrix.
need_for() {
	matrix=$(matrix_of "$@")
	set -- run
	labs=$(sed -n 's/^\([^#]*[ {,]\)lab: *["'\'']\{0,1\}\([a-z]*\).*/\2/p' "$matrix" 2>/dev/null | sort -u)
	for named in $labs; do
		case $named in
		qemu) set -- "$@" run build ;;
		netns | ssh) set -- "$@" "$named" ;;
		esac
	done
	! grep -q '^[^#]*kernel_config:' "$matrix" 2>/dev/null || set -- "$@" build
	[ $# -gt 1 ] || set -- run run build
	need "$@"
}

# matrix_of WORD...: the file that is given, or the one that is taken where none is.
matrix_of() {
	file=matrix.yaml
	while [ $# -gt 0 ]; do
		case $1 in
		-m | --matrix) file=${2:-} ;;
		--matrix=*) file=${1#*=} ;;
		-m*) file=${1#-m} ;;
		esac
		shift
	done
	printf '%s\n' "$file"
}
