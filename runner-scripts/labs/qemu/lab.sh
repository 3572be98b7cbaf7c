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
. "$scripts/labs/qemu/archive.sh"
. "$scripts/labs/qemu/kernel.sh"
. "$scripts/labs/qemu/userland.sh"

BOOT_DEADLINE_S=${FWDLAB_BOOT_DEADLINE_S:-300}

# Kernel and programs of this case, from the cache or the archive.
lab_open() {
	machine=$(case_value hardware.arch)
	need "$(emulator)" "$(emulator_package)"
	need cpio cpio
	need unxz xz-utils
	PATH=$PATH:/sbin:/usr/sbin need depmod kmod
	mkdir -p "$cache/kernels" "$cache/userland" ||
		give_up "$cache: cannot be made; free space, or set FWDLAB_CACHE to another folder"
	need_userland "$machine"
	need_kernel "$machine" "$(case_value revision.package)" "$(case_value revision.version)" "$(case_value revision.sha256)"
}

emulator() { echo "qemu-system-$machine"; }

# The newest the emulator can do, since mitigations of what an old one lacks are no cost of the code under test; on
# arm64 a core that exists, since the newest has features no kernel of these revisions knows.
usual_cpu() {
	case $machine in
	x86_64) echo max ;;
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
	cp "$userland/packages" "$1/guest.packages"
	fact "$1/facts" emulator "$("$(emulator)" --version | head -n 1)"
	fact "$1/facts" kernel_sha256 "$(sha256 "$kernel/vmlinuz")"
	fact "$1/facts" kernel_config_sha256 "$(sha256 "$kernel/config")"
	fact "$1/facts" userland_sha256 "$(sha256 "$userland/base.cpio")"
	fact "$1/facts" cpu "$(case_value hardware.cpu "$(usual_cpu)")"
	fact "$1/facts" time virtual
}

lab_trial() { # folder
	lab_open
	boot measure "$1" "$userland/base.cpio"
	check_guest "$1"
}

lab_profile() { # folder
	lab_open
	boot profile "$1" "$userland/base.cpio" "$userland/perf.cpio"
	check_guest "$1"
	[ -s "$1/perf.script" ] || give_up "$(case_slug): the profile is empty ($(last_words "$1")); read $1/console.log"
}

# The guest's first file system: programs, modules, and the guest scripts with the case file and its rules.
initramfs() { # folder userland-archive...
	folder=$1
	shift
	guest=$(mktemp -d "$folder/guest.XXXXXX")
	mkdir "$guest/guest"
	cp "$lab_folder/guest"/* "$guest/guest/"
	mv "$guest/guest/init" "$guest/init"
	chmod +x "$guest/init"
	cp "$case_file" "$guest/guest/case"
	rules=$(case_value firewall.rules)
	[ -z "$rules" ] || cp "$rules" "$guest/guest/rules" || refuse "$rules: rule file cannot be read; mend the firewall entry"
	{ cat "$@" "$kernel/modules.cpio" && pack "$guest"; } >"$folder/initramfs" ||
		give_up "$folder: initramfs cannot be written; free space"
	rm -rf "$guest"
}

# One boot. `timeout` stands between us and QEMU, so both are tethered to us.
boot() { # mode folder userland-archive...
	mode=$1 folder=$2
	shift 2
	initramfs "$folder" "$@"
	set -- "$(emulator)" -accel tcg -icount shift=0,sleep=off -rtc base=2000-01-01T00:00:00,clock=vm -smp 1 \
		-m "$(case_value hardware.memory)" -cpu "$(case_value hardware.cpu "$(usual_cpu)")" \
		-nodefaults -no-user-config -display none -no-reboot -kernel "$kernel/vmlinuz" -initrd "$folder/initramfs" \
		-serial "file:$folder/console.log" -device virtio-serial-pci \
		-chardev "file,id=result,path=$folder/result" -device virtserialport,chardev=result,name=fwdlab.result
	set -- "$@" -chardev "file,id=mark,path=$folder/mark" -device virtserialport,chardev=mark,name=fwdlab.mark
	[ "$mode" != profile ] || set -- "$@" \
		-chardev "file,id=profile,path=$folder/perf.script" -device virtserialport,chardev=profile,name=fwdlab.profile
	# nolapic: its calibration spins for seconds of our time; one processor forwards the same without it.
	case $machine in
	x86_64) set -- "$@" -machine q35 -append "console=ttyS0 nolapic $KERNEL_OPTIONS fwdlab.mode=$mode" ;;
	aarch64) set -- "$@" -machine virt,gic-version=3 -append "console=ttyAMA0 $KERNEL_OPTIONS fwdlab.mode=$mode" ;;
	esac
	printf '%s\n' "$@" >"$folder/command"
	emulator_status=0
	: >"$folder/began"
	tether timeout -k 5 "$BOOT_DEADLINE_S" setpriv --pdeathsig KILL "$@" >"$folder/emulator.log" 2>&1 </dev/null ||
		emulator_status=$?
	rm -f "$folder/initramfs"
	fact "$folder/facts" boot_s "$(seconds_between "$folder/began" "$folder/mark")"
	fact "$folder/facts" traffic_s "$(seconds_between "$folder/mark" "$folder/result")"
	rm -f "$folder/began" "$folder/mark"
}

# Host seconds between the last writes of two files: the guest cannot see this clock.
seconds_between() { # file file
	stat -c %.3Y "$1" "$2" 2>/dev/null | awk 'NR == 1 { begin = $1 } NR == 2 { printf "%.3f", $1 - begin }'
}

# Addresses stay the same from boot to boot so that profiles can be compared; errors end the machine at once.
KERNEL_OPTIONS="panic=-1 quiet nokaslr"

# Did the guest end well, and was it the kernel that was planned? Its own words come first.
check_guest() { # folder
	hardware=$(case_value hardware.name)
	if said=$(sed -n 's/^error\t//p' "$1/result" | head -n 1) && [ -n "$said" ]; then
		case $said in
		refuse*) refuse "$(case_slug): ${said#refuse	} ($(last_words "$1"))" ;;
		*) give_up "$(case_slug): ${said#give_up	} ($(last_words "$1"))" ;;
		esac
	fi
	panic=$(grep -ao 'Kernel panic.*' "$1/console.log" | head -n 1 || true)
	[ -z "$panic" ] || give_up "$hardware: the guest stopped with '$panic'; read $1/console.log"
	case $emulator_status in
	0) ;;
	124) give_up "$hardware: the guest was not done after $BOOT_DEADLINE_S s ($(last_words "$1")); read $1/console.log, or raise FWDLAB_BOOT_DEADLINE_S" ;;
	137) give_up "$hardware: $(emulator) was killed; run again" ;;
	*) give_up "$hardware: $(emulator) ended with status $emulator_status ($(tail -n 1 "$1/emulator.log")); read $1/emulator.log" ;;
	esac
	[ "$(tail -n 1 "$1/result")" = "end	ok" ] ||
		give_up "$hardware: the result is cut off after $(wc -l <"$1/result") lines ($(last_words "$1")); read $1/console.log"
	booted=$(awk -F '\t' '$1 == "fact" && $2 == "kernel_release" { print $3 }' "$1/result")
	[ "$booted" = "$(cat "$kernel/release")" ] ||
		give_up "$hardware: the guest booted '$booted', planned was '$(cat "$kernel/release")'; empty $kernel"
}

last_words() { # folder
	printf "last words '%s'" "$(tr -d '\r' <"$1/console.log" | grep -av '^\[.*reboot:' | grep -v '^guest:' | tail -n 1)"
}
