#!/bin/sh
# Build nothing, and print the folder it would be in.
#
#   build.sh CASE_FILE

. "${0%/*}/fake.sh"
(sleep "${FAKE_SECONDS:-0}")
kernel_status
echo "/kernels/$(value hardware.name)/$(value revision.name)-$(value patch.name)"
