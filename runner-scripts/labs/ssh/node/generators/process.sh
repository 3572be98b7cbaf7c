# One end of a load as a process of this node that outlives the script which starts it. Sourced by the generators.

. ./say.sh
mkdir -p state

start() { # end command...
	end=$1
	shift
	"$@" >"state/$end.out" 2>"state/$end.said" </dev/null &
	echo $! >"state/$end.pid" || {
		kill $! # nobody else could
		give_up "the $end process cannot be noted; look at the disk"
	}
}

running() { # end
	kill -0 "$(cat "state/$1.pid")" 2>/dev/null
}

stopped() { # end
	! running "$1"
}

stop() { # end
	kill "$(cat "state/$1.pid")" 2>/dev/null || true
	wait_until 10 "the end of the $1 process" stopped "$1"
	rm -f "state/$1.pid"
}
