# The key that opens every node. Sourced.

# What a shell makes of a path of the matrix.
at_home() { # path
	case $1 in [~]/*) echo "${HOME:-}/${1#??}" ;; *) echo "$1" ;; esac
}

# One that ssh cannot use would look like one that each node refuses.
usable_key() {
	need ssh-keygen openssh-client
	key=$(case_value access.identity)
	file=$(at_home "$key")
	[ -f "$file" ] || give_up "$(uname -n): there is no key '$key'; make it by 'ssh-keygen -t ed25519 -N \"\" -f FILE', and add its public half to the authorized_keys of every node"
	said=$(ssh-keygen -y -P '' -f "$file" 2>&1 >/dev/null </dev/null) && return
	case $said in
	*passphrase*) found="has a passphrase, which nobody is asked for; name one without" ;;
	*permissions*) found="may be read by others; chmod 600 it" ;;
	*) found="is no private key ($(printf '%s\n' "$said" | tail -n 1 | tr -cd ' -~')); name the private half" ;;
	esac
	give_up "$(uname -n): key '$key' $found"
}
