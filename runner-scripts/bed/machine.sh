#!/bin/sh
# One node of the laboratory that is a machine of its own: an emulator with the node's disk, and a card for each cable.
#
#   machine.sh FOLDER      in the namespace of the node; FOLDER has disk, kernel, and gets what the console shows
#
#   cable ---- [ bridge ]---- tap ---- eth0, eth1, ... of the machine, in the order of the lines of 'cards'

set -eu
folder=$1
PATH=$PATH:/usr/sbin:/sbin
sysctl -q -w net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1
set -- -accel tcg -m 384 -smp 1 -cpu max -nodefaults -no-user-config -display none \
	-drive "file=$folder/disk,if=virtio,format=raw,cache=unsafe" \
	-kernel "$folder/kernel" -append "root=/dev/vda rw console=ttyS0 net.ifnames=0 loglevel=4" \
	-chardev "file,id=console,path=$folder/console,append=on" -serial chardev:console -device virtio-rng-pci
number=0
while read -r card; do
	if [ ! -e "/sys/class/net/tap$number" ]; then
		ip address flush dev "$card"
		ip link add "bridge$number" type bridge
		ip tuntap add "tap$number" mode tap
		ip link set "$card" master "bridge$number" up
		ip link set "tap$number" master "bridge$number" up
		ip link set "bridge$number" up
	fi
	set -- "$@" -netdev "tap,id=card$number,ifname=tap$number,script=no,downscript=no" \
		-device "virtio-net-pci,netdev=card$number,mac=02:00:00:00:0c:0$number,romfile="
	number=$((number + 1))
done <"$folder/cards"
exec qemu-system-x86_64 "$@"
