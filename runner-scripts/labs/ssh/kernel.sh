# A kernel for a real machine: the revision's source with the patch and the configuration of that machine. Sourced.
#
#   $cache/kernels/built-KEY/image  modules/  config  release  build_id      what the node is given, and is asked for
#                            vmlinux  build.log  compiler  patch  offsets
#
# The build is the virtual lab's; what it makes differs. It is made before any machine is waited for or held.

. "$scripts/labs/qemu/patch.sh"

# Afterwards $kernel is the folder of the case's kernel; empty where it comes built.
settle_kernel() { # folder
	kernel='' patch_file=$(case_value patch.file)
	case $(case_value revision.kind) in source | git) ;; *) return 0 ;; esac
	origin=$(case_value revision.package) version=$(case_value revision.version)
	status=0
	tether "$scripts/build.sh" "$case_file" >"$1/kernel" || status=$?
	kernel=$(cat "$1/kernel")
	rm "$1/kernel"
	[ "$status" -ne 2 ] || exit "$REFUSED"
	[ "$status" -eq 0 ] || exit 3
	used "$kernel"
}

# What the DUT says it runs when it is what was planned.
planned_release() {
	if [ -n "$kernel" ]; then cat "$kernel/release"; else case_value revision.version; fi
}

# What a kernel that was built tells of itself.
note_kernel() { # folder
	[ -n "$kernel" ] || return 0
	cp "$kernel/build.log" "$1/build.log"
	fact "$1/facts" compiler "$(cat "$kernel/compiler")"
	fact "$1/facts" kernel_sha256 "$(sha256 "$kernel/image")"
	fact "$1/facts" kernel_build_id "$(cat "$kernel/build_id")"
	[ -z "$patch_file" ] || cp "$kernel/patch" "$1/patch"
	[ -s "$kernel/offsets" ] || return 0
	tell_offsets
	fact "$1/facts" patch_offsets "$offsets"
}
