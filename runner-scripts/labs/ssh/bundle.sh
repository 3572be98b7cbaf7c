# What a node is given: the scripts of node/, this lab's own generator where the case uses it, and the case's rules.
# Sourced.
#
#   $remote-ROLE      the folder on each node; its name is this session's, so nothing is copied over another

make_bundle() {
	bundle=$ssh_folder/bundle
	mkdir "$bundle"
	cp -R "$lab_folder/node/." "$bundle"
	cp "$scripts/lib/path/settings.sh" "$scripts/lib/path/table.sh" "$bundle/linux"
	case $generator in
	live-frames | packets | pktgen | iperf3) copy_tools "$bundle/tools" ;;
	esac
	[ "$generator" != trex ] || case_value access.trex >"$bundle/trex/folder"
	copy_rules "$bundle/rules"
	[ "$(case_value revision.kind)" != command ] || copy_command "$bundle/command"
	remote=/var/tmp/fwdlab-${ssh_folder##*.}
	tar -c -f "$ssh_folder/bundle.tar" -C "$bundle" . || give_up "$ssh_folder: cannot be written; free space, then run again"
}

# Linked statically: a node need not have the controller's libraries.
copy_tools() { # to
	tool_flags=-static
	need_tools
	mkdir "$1"
	for program in $PROGRAMS; do cp "$tools/$program" "$1"; done
}

# The operator's own way to the revision of the case.
copy_command() { # to
	command=$(case_value revision.package | sed "s/{patch}/$(case_value patch.name)/g")
	[ -f "$command" ] && [ -r "$command" ] || refuse "$command: script cannot be read; mend the revision entry of the matrix"
	cat <"$command" >"$1"
}
