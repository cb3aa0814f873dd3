#!/bin/sh
# What listens on an X socket and is no X server, or is none of ours: the right reason, and a probe
# that goes on.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/xlib.sh"

# pretend HOW REASON
pretend() {
        how=$1
        : >"$work/number"
        "$impostor" "$how" >"$work/number" 9>&- &
        fake=$!
        started="$started $fake"
        await "$work/number" '^[0-9]'
        start_probe "$work/$how.marks" "$x11_probe" ":$(cat "$work/number")"
        ok "$how: $2" await "$marks" "^probe.absent	.*milestone=x.ready.*$2"
        is "$how: nothing is ready" "$(n_marks x.ready)" 0
        ok "$how: the probe lives" kill -0 "$probe"
        most_kib=$(most_kib "$probe")
        ok "$how: no more than 64 MiB in any of its processes: $most_kib KiB" test "$most_kib" -lt 65536
        exec 9>&-
        wait "$probe"
        is "$how: it ends well" $? 0
        stop "$fake"
}

pretend silent 'not%20answered.*10%20s'
pretend garbage 'closed%20the%20connection|makes%20no%20sense'
pretend failed 'refused%20us'
pretend closes 'closed%20the%20connection'
pretend endless 'closed%20the%20connection|makes%20no%20sense|no%20memory'

if [ "$(id -u)" -eq 0 ]; then
        chmod 755 "$work"
        : >"$work/number"
        setpriv --reuid=65534 --regid=65534 --clear-groups "$impostor" silent >"$work/number" 9>&- &
        fake=$!
        started="$started $fake"
        await "$work/number" '^[0-9]'
        start_probe "$work/other.marks" "$x11_probe" ":$(cat "$work/number")"
        ok "another user's listener" await "$marks" "^probe.absent	.*uid%2065534,%20who%20has%20no"
        exec 9>&-
        wait "$probe"
        stop "$fake"
else
        skip "another user's listener" "wants root"
fi
done_testing
