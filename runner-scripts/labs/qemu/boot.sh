# One boot of the guest: its first file system, and the emulator around it. Sourced.

# panic: errors end the machine at once. nokaslr: addresses stay the same from boot to boot, so that profiles can be
# compared. slub_min_objects: with small slabs a boot can end on two that have one free object each, and change slabs for
# every packet (site/content/docs/decisions/output-without-ioeventfd.md). The rest leaves out what costs boot time and is
# on no packet's way: self-tests of ciphers, and keys.
KERNEL_OPTIONS="panic=-1 quiet nokaslr slub_min_objects=64 cryptomgr.notests initcall_blacklist=jent_mod_init,init_encrypted"

BOOT_DEADLINE_S=${FWDLAB_BOOT_DEADLINE_S:-300}
case $BOOT_DEADLINE_S in *[!0-9]*) refuse "FWDLAB_BOOT_DEADLINE_S: '$BOOT_DEADLINE_S' is not a whole number of seconds" ;; esac

# The guest's first file system: programs, modules, and the guest scripts with the case file and its rules.
initramfs() { # folder userland-archive...
	folder=$1
	shift
	guest=$(mktemp -d "$folder/guest.XXXXXX")
	mkdir "$guest/guest"
	cp "$scripts/lib/path"/* "$lab_folder/guest"/* "$guest/guest/"
	mv "$guest/guest/init" "$guest/init"
	chmod +x "$guest/init"
	cp "$case_file" "$guest/guest/case"
	copy_rules "$guest/guest/rules"
	{ cat "$@" "$kernel/modules.cpio" && pack "$guest"; } >"$folder/initramfs" || {
		rm -rf "$folder/initramfs" "$guest"
		give_up "$folder: the guest's first file system cannot be written; free space"
	}
	rm -rf "$guest"
}

# One boot. What the guest takes for random comes from the seed: hash tables differ from repeat to repeat as they do on
# real machines, and the same repeat gives the same numbers to the last digit anywhere. `timeout` stands between us and
# QEMU, so both are tethered to us, and both hear what a terminal sends.
# ioeventfd=off: what the guest writes is taken within the instruction that offers it. Taken by another thread of QEMU,
# its buffers stay in the guest's heap for as long as the host is busy, and on Linux 6.1 a heap cut differently costs
# the forwarding of every packet of that boot 3 % more (site/content/docs/decisions/output-without-ioeventfd.md).
boot() { # mode folder seed userland-archive...
	mode=$1 folder=$2 seed=$3
	shift 3
	initramfs "$folder" "$@"
	path=$(printf '%s\n' "$folder" | sed 's/,/,,/g')
	set -- "$(emulator)" -accel tcg -icount shift=0,sleep=off -rtc base=2000-01-01T00:00:00,clock=vm \
		-seed "$seed" -smp 1 -m "$(case_value hardware.memory)" -cpu "$(case_value hardware.cpu "$(usual_cpu)")" \
		-nodefaults -no-user-config -display none -no-reboot -kernel "$kernel/image" -initrd "$folder/initramfs" \
		-serial "file:$folder/console.log" -device virtio-serial-pci,ioeventfd=off \
		-chardev "file,id=result,path=$path/result" -device virtserialport,chardev=result,name=fwdlab.result
	set -- "$@" -chardev "file,id=mark,path=$path/mark" -device virtserialport,chardev=mark,name=fwdlab.mark
	[ "$mode" != profile ] || set -- "$@" \
		-chardev "file,id=profile,path=$path/perf.script" -device virtserialport,chardev=profile,name=fwdlab.profile
	# nolapic: its calibration spins for seconds of our time; without it forwarding moves by less than 0.1 %.
	case $machine in
	x86_64) set -- "$@" -machine q35 -append "console=ttyS0 nolapic $KERNEL_OPTIONS fwdlab.mode=$mode" ;;
	aarch64) set -- "$@" -machine virt,gic-version=3 -append "console=ttyAMA0 $KERNEL_OPTIONS fwdlab.mode=$mode" ;;
	esac
	printf '%s\n' "$@" >"$folder/command"
	emulator_status=0
	for file in began result console.log; do : >"$folder/$file"; done
	tether timeout --foreground -k 5 "$BOOT_DEADLINE_S" setpriv --pdeathsig KILL "$@" >"$folder/emulator.log" 2>&1 </dev/null ||
		emulator_status=$?
	# It did not end when it was told to, so `timeout` killed it.
	[ "$emulator_status" -ne 137 ] || [ "$(seconds_since "$folder/began")" -lt "$BOOT_DEADLINE_S" ] || emulator_status=124
	full=
	has_room "$folder" || full=yes
	rm -f "$folder/initramfs"
	[ -z "$full" ] || give_up "$folder: the disk is full; free space, then run again"
	fact "$folder/facts" boot_s "$(seconds_between "$folder/began" "$folder/mark")"
	fact "$folder/facts" traffic_s "$(seconds_between "$folder/mark" "$folder/result")"
	rm -f "$folder/began" "$folder/mark"
}

seconds_since() { # file
	echo $(($(date +%s) - $(stat -c %Y "$1")))
}

# Host seconds between the last writes of two files: the guest cannot see this clock.
seconds_between() { # file file
	stat -c %.3Y "$1" "$2" 2>/dev/null | awk 'NR == 1 { begin = $1 } NR == 2 { printf "%.3f", $1 - begin }'
}
