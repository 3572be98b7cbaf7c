# The kernel that runs here: the only one this lab can measure. Sourced.

running_release() { uname -r; }

# What the release alone does not tell: who built it, of which configuration, with which command line it was started.
running_sha256() {
	{ cat /proc/version /proc/cmdline && kernel_config; } | sha256sum | cut -d ' ' -f 1
}

# The kernel's configuration, where it is kept.
kernel_config() {
	if [ -r /proc/config.gz ]; then
		gzip -dc /proc/config.gz
	elif [ -r "/boot/config-$(running_release)" ]; then
		cat "/boot/config-$(running_release)"
	fi
}
