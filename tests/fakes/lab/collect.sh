#!/bin/sh
# Leave a profile and the manifest.
#
#   collect.sh CASE_FILE RUN_FOLDER

. "${0%/*}/fake.sh"
if [ ! -e "$run/profile" ]; then
	begin profile
	printf 'kpktgend_0   125 [000]     2.588502:     100270 cpu-clock: \n\tffffffff81844279 %s\n\tffffffff8184511b %s\n\n' \
		'ip_forward+0x239 ([kernel.kallsyms])' 'net_rx_action+0x11b ([kernel.kallsyms])' >"$run/profile.partial/perf.script"
	finish profile
fi
(cd "$run" && find . -type f ! -name 'manifest*' | LC_ALL=C sort | sed 's,^\./,,' | xargs sha256sum) >"$run/manifest.partial"
mv "$run/manifest.partial" "$run/manifest"
