#!/bin/sh
# What a person's session runs: sourced into Xsession, and started from the autostart folder.
# shellcheck disable=SC2016,SC2317 # inner shells expand; ok() calls functions
. "$srcdir/tests/lib.sh"
mkdir -p "$work/bin"
cp "$builddir/bootlap-stamp" "$work/bin/"
configured hooks/session/60bootlap.in "$work/60bootlap"
configured hooks/session/bootlap.desktop.in "$work/bootlap.desktop"
export BOOTLAP_RUN_DIR="$work/run" DISPLAY=:7
# Xsession is a script under set -e, and goes on after what it sourced
session() {
        [ "$(sh -euc '. "$1"; echo goes on' sh "$work/60bootlap")" = "goes on" ]
}
ok "Xsession" session
is "is marked, with its display" "$(cut -f1,3,4 "$work/run/marks")" "xsession	Xsession	:7"
exec_line=$(sed -n 's/^Exec=//p' "$work/bootlap.desktop")
# shellcheck disable=SC2086 # a command line
ok "autostart" $exec_line
is "is marked" "$(mark_names "$work/run/marks")" "xsession autostart"
rm -r "$work/run"
: >"$work/run"
ok "a file in the folder's place fails nothing" session
rm "$work/bin/bootlap-stamp"
ok "nor does a missing stamp program" session
is "TryExec names the program" "$(sed -n 's/^TryExec=//p' "$work/bootlap.desktop")" "$work/bin/bootlap-stamp"
done_testing
