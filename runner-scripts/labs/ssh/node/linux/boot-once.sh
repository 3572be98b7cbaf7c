# Telling this node to boot /boot/fwdlab once: by kexec where its kernel allows that, else by an entry of GRUB's. Sourced.
#
# kexec forgets when the power goes. GRUB takes its choice back before it boots it, and its usual entry stays as it was:
# what hangs is gone after a power cycle either way. What it will be booted by is said.

boot_once() { # release
	if command -v kexec >/dev/null 2>&1 && load_kernel; then
		echo kexec
	elif command -v grub-reboot >/dev/null 2>&1 && [ -e /boot/grub/grub.cfg ]; then
		enter_kernel "$1"
		echo "an entry of GRUB's"
	elif command -v kexec >/dev/null 2>&1; then
		give_up "kexec cannot load kernel $1 ($(last_words state/kexec)), and there is no GRUB; start what allows that, or install the package 'grub-pc'"
	else
		give_up "has neither 'kexec' nor GRUB, one of which boots a kernel once; install the package 'kexec-tools' there"
	fi
}

load_kernel() {
	set -- --reuse-cmdline
	[ ! -e "$place/initrd" ] || set -- "$@" "--initrd=$place/initrd"
	kexec -u >/dev/null 2>&1
	kexec -l "$place/image" "$@" >state/kexec 2>&1
}

# In GRUB's own file for what others add; an entry at the end is nobody's default.
enter_kernel() { # release
	grep -q 'custom[.]cfg' /boot/grub/grub.cfg ||
		give_up "its GRUB reads no 'custom.cfg'; run 'update-grub' there, or install the package 'kexec-tools'"
	root=$(grub-mkrelpath "$place") disk=$(grub-probe --target=fs_uuid "$place")
	[ -n "$root" ] && [ -n "$disk" ] || give_up "GRUB does not know where '$place' lies; look at what 'grub-probe $place' says there"
	write_entry "$1" 2>state/grub || give_up "'/boot/grub/custom.cfg' cannot be written; free space or mount it for writing"
	grub-reboot fwdlab >state/grub 2>&1 || give_up "'grub-reboot' does not take the entry ($(last_words state/grub)); mend that"
}

write_entry() { # release
	{
		sed '/^# fwdlab: begin$/,/^# fwdlab: end$/d' /boot/grub/custom.cfg 2>/dev/null
		echo "# fwdlab: begin"
		echo "menuentry 'fwdlab $1' --id fwdlab {"
		echo "	search --no-floppy --fs-uuid --set=root $disk"
		echo "	linux $root/image $(sed 's/BOOT_IMAGE=[^ ]* *//' /proc/cmdline)"
		[ ! -e "$place/initrd" ] || echo "	initrd $root/initrd"
		echo "}"
		echo "# fwdlab: end"
	} >/boot/grub/custom.cfg.new && mv /boot/grub/custom.cfg.new /boot/grub/custom.cfg
}
