#!/bin/sh
# The next boot is of a kernel that comes as a package.
#
#   provision/freebsd-package.sh NAME VERSION

. ./say.sh
pkg install -y "$1-$2" >state/pkg 2>&1 || give_up "package '$1-$2' cannot be installed ($(last_words state/pkg)); look at its repositories"
pkg info -e "$1-$2" || give_up "package '$1' is there in another version than $2; mend 'version' in the matrix"
