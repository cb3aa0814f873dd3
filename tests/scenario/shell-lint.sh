#!/bin/sh
# Every shell script of the tree passes shellcheck, and quickstart refuses a wrong word.
. "$srcdir/tests/lib.sh"
cd "$srcdir" || exit 99
for script in quickstart $(find tests hooks -name '*.sh' 2>/dev/null | sort); do
        # SC1091: a sourced file is checked by itself; SC2154: what tests/lib.sh and make set
        ok "$script" shellcheck -e SC1091,SC2154 "$script"
done
# Hooks have no suffix, and templates in place of paths. SC2034, SC2148: files that others source.
for script in $(grep -rlE '^#!/(usr/)?bin/(ba|a)?sh' hooks | sort) hooks/grub/bootlap.cfg hooks/session/60bootlap.in; do
        case $script in
        *.cfg | *60bootlap.in) ok "$script" shellcheck -s sh -e SC1091,SC2154,SC2034 "$script" ;;
        *) ok "$script" shellcheck -e SC1091,SC2154 "$script" ;;
        esac
done
fails_with "quickstart with a wrong word" 2 "^usage: " ./quickstart chekc
done_testing
