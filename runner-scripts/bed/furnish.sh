#!/bin/sh
# What a machine of the laboratory has beside Debian's packages: its address, and nothing that starts by itself.
#
#   furnish.sh ROOT

set -eu
cat >"$1/etc/systemd/system/admin.service" <<-END
	[Service]
	Type=oneshot
	ExecStart=/sbin/ip address add 10.0.0.12/24 dev eth0
	ExecStart=/sbin/ip link set eth0 up
	[Install]
	WantedBy=multi-user.target
END
echo dut >"$1/etc/hostname"
rm -f "$1"/etc/ssh/ssh_host_*
mkdir -p "$1/root/.ssh"
chmod 700 "$1/root/.ssh"
chroot "$1" systemctl -q enable admin ssh
chroot "$1" systemctl -q mask apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer fstrim.timer \
	systemd-machine-id-commit.service serial-getty@ttyS0.service getty@tty1.service \
	kexec-load.service kexec.service
chroot "$1" systemctl -q set-default multi-user.target
