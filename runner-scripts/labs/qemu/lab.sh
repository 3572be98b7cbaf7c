# The virtual lab: one guest is sender, DUT and receiver; one instruction is one nanosecond of its time. Sourced.
#
#   QEMU TCG -icount shift=0,sleep=off
#   +---------------------------------------------------+      virtio-serial   result
#   | netns sender ---- netns dut ---- netns receiver   |  ------------------->
#   |               (guest/trial.sh)                    |      serial          console.log
#   +---------------------------------------------------+  ------------------->
#
# No root, no KVM, no network device on the host; whatever else the host does changes the wall time, not the result.

lab_folder=$scripts/labs/qemu
. "$scripts/lib/cache.sh"
. "$scripts/labs/qemu/archive.sh"
. "$scripts/labs/qemu/git.sh"
. "$scripts/labs/qemu/kernel.sh"
. "$scripts/labs/qemu/source.sh"
. "$scripts/labs/qemu/patch.sh"
. "$scripts/labs/qemu/compile.sh"
. "$scripts/labs/qemu/build-fault.sh"
. "$scripts/labs/qemu/build.sh"
. "$scripts/labs/qemu/userland.sh"
. "$scripts/labs/qemu/boot.sh"
. "$scripts/labs/qemu/guest-state.sh"

# Kernel and programs of this case, from the cache or the archive.
lab_open() {
	case_value hardware.memory >/dev/null
	need_counts hardware.trial.warmup hardware.trial.samples hardware.trial.packets traffic.frame_size traffic.flows
	machine=$(case_value hardware.arch)
	architecture=$(debian_arch "$machine")
	case $(case_value revision.kind) in
	image | source) check_package "$(case_value revision.package)" "$(case_value revision.version)" ;;
	esac
	need "$(emulator)" "$(emulator_package)"
	need setpriv util-linux
	need cpio cpio
	need unxz xz-utils
	need zstd zstd
	need lz4 lz4
	PATH=$PATH:/sbin:/usr/sbin need depmod kmod
	need_userland
	need_kernel
}

lab_build() {
	lab_open
	[ ! -s "$kernel/offsets" ] || tell_offsets
	printf '%s\n' "$kernel"
}

emulator() { echo "qemu-system-$machine"; }

# x86: all the emulator can do, since a kernel avoids what an old processor lacks, but for fast string instructions:
# each octet they move would count as an instruction. arm64: a processor that exists.
usual_cpu() {
	case $machine in
	x86_64) echo max,-erms,-fsrm ;;
	*) echo cortex-a72 ;;
	esac
}

emulator_package() {
	case $machine in
	x86_64) echo qemu-system-x86 ;;
	*) echo qemu-system-arm ;;
	esac
}

lab_provision() { # folder
	lab_open
	cp "$kernel/config" "$1/kernel.config"
	[ ! -e "$kernel/build.log" ] || provision_built "$1"
	cp "$userland/packages" "$1/guest.packages"
	fact "$1/facts" emulator "$("$(emulator)" --version | head -n 1)"
	fact "$1/facts" planned_release "$(cat "$kernel/release")"
	fact "$1/facts" kernel_sha256 "$(sha256 "$kernel/image")"
	fact "$1/facts" kernel_config_sha256 "$(sha256 "$kernel/config")"
	fact "$1/facts" userland_sha256 "$(sha256 "$userland/base.cpio")"
	fact "$1/facts" cpu "$(case_value hardware.cpu "$(usual_cpu)")"
	fact "$1/facts" time virtual
}

lab_trial() { # folder repeat
	lab_open
	same_kernel
	fact "$1/facts" seed "$2"
	boot measure "$1" "$2" "$userland/base.cpio"
	check_guest "$1"
}

# Each trial is a boot of its own.
lab_boot() { # folder
	boot=
}

lab_profile() { # folder
	lab_open
	same_kernel
	boot profile "$1" 1 "$userland/base.cpio" "$userland/perf.cpio"
	check_guest "$1"
	[ -s "$1/perf.script" ] || give_up "$(case_slug): the profile is empty ($(last_words "$1")); read $evidence/console.log"
}
