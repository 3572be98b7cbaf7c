# Bringing the DUT to a revision that it does not run: what its next boot is of, and what the loader sets for it. Sourced.
#
# How a kind of revision gets onto a machine is node/provision/OS-KIND.sh, one file each.

provision_dut() { # folder
	kind=$(case_value revision.kind) from=$(case_value revision.package | sed "s/{patch}/$(case_value patch.name)/g")
	once=once
	case $kind in
	running) once= ;;
	upgrade) stream_image "$1" ;;
	source | git) stream_kernel "$1" ;;
	*) bring_revision "$1" ;;
	esac
	set_loader
	restart_dut "$1" "$once"
}

# By the operating system's own script for it, or that of any.
script_for() { # way
	for script in "provision/$dut_os-$1.sh" "provision/$1.sh"; do
		[ ! -e "$lab_folder/node/$script" ] || { echo "$script" && return; }
	done
	refuse "$(host_of dut): nothing brings a $dut_os node to a revision of kind '$kind'; take another, or 'running: kernel'"
}

bring_revision() { # folder
	case $kind in image) way=package ;; *) way=$kind ;; esac
	script=$(script_for "$way")
	on dut 900 "$script" "$from" "$(case_value revision.version)" "$(interface_of dut.ingress)" "$(interface_of dut.egress)" \
		>"$ssh_folder/booted-by"
	tell_way "$1"
}

# Kernel, configuration and modules as one stream; what they are was settled before any node was asked.
stream_kernel() { # folder
	script=$(script_for kernel)
	{ interface_of dut.ingress && interface_of dut.egress; } >"$ssh_folder/interfaces"
	tar -c -f - -C "$kernel" image config release modules -C "$ssh_folder" interfaces |
		over_ssh dut "/bin/sh $remote-dut/$script" 900 >"$ssh_folder/booted-by" || blame dut $? "the kernel" 900
	tell_way "$1"
}

tell_way() { # folder
	[ ! -s "$ssh_folder/booted-by" ] || fact "$1/facts" booted_by "$(printable "$ssh_folder/booted-by" | tail -n 1)"
}

# An image never lies on the node: it is read as it comes, and its room is where the next boot is from.
stream_image() { # folder
	script=$(script_for upgrade)
	[ -f "$from" ] && [ -r "$from" ] || refuse "$from: image cannot be read; mend the revision entry of the matrix"
	case $from in
	*.xz) need xz xz-utils && unpack=xz ;;
	*.gz) unpack=gzip ;;
	*) unpack='cat' ;;
	esac
	[ "$unpack" = cat ] || unpack="$unpack -dc"
	fact "$1/facts" image_sha256 "$(sha256 "$from")"
	$unpack <"$from" | over_ssh dut "/bin/sh $remote-dut/$script" 1800 || blame dut $? "the upgrade" 1800
}

# What an earlier case set goes, also where this one sets nothing.
set_loader() {
	[ "$dut_os" = freebsd ] || return 0
	sed -n 's/^hardware[.]tuning[.]loader[.]//p' "$case_file" >"$ssh_folder/loader"
	case $kind in
	boot-environment) environment=$from ;;
	upgrade)
		[ ! -s "$ssh_folder/loader" ] || refuse "$from: an image has its own loader settings; put 'loader' of 'tunings' into it"
		return 0
		;;
	*) environment=- ;;
	esac
	set -- freebsd/loader.sh "$environment"
	while IFS='	' read -r name value; do set -- "$@" "$name" "$value"; done <"$ssh_folder/loader"
	on dut 60 "$@"
}
