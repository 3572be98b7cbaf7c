# Bringing the DUT to a revision that it does not run: what its next boot is of, and what the loader sets for it. Sourced.
#
# How a kind of revision gets onto a machine is node/provision/OS-KIND.sh, one file each.

provision_dut() { # folder
	kind=$(case_value revision.kind) from=$(case_value revision.package | sed "s/{patch}/$(case_value patch.name)/g")
	if [ "$kind" != running ]; then
		[ -e "$lab_folder/node/provision/$dut_os-$kind.sh" ] ||
			refuse "$(host_of dut): nothing brings a $dut_os node to a revision of kind '$kind'; take another, or 'running: kernel'"
		case $kind in
		upgrade) stream_image "$1" ;;
		*) on dut 900 "provision/$dut_os-$kind.sh" "$from" "$(case_value revision.version)" ;;
		esac
	fi
	set_loader
	restart_dut "$1"
}

# An image never lies on the node: it is read as it comes, and its room is where the next boot is from.
stream_image() { # folder
	[ -f "$from" ] && [ -r "$from" ] || refuse "$from: image cannot be read; mend the revision entry of the matrix"
	case $from in
	*.xz) need xz xz-utils && unpack=xz ;;
	*.gz) unpack=gzip ;;
	*) unpack='cat' ;;
	esac
	[ "$unpack" = cat ] || unpack="$unpack -dc"
	fact "$1/facts" image_sha256 "$(sha256 "$from")"
	$unpack <"$from" | over_ssh dut "/bin/sh $remote-dut/provision/$dut_os-upgrade.sh" 1800 || blame dut $? "the upgrade" 1800
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
