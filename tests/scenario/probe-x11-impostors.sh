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

# A compositor whose X socket is there before its Wayland socket: asked, it would start Xwayland
start_probe "$work/early.marks" "$x11_probe"
: >"$work/asked"
"$impostor" compositor "$work/wayland-9" >"$work/asked" 9>&- &
fake=$!
started="$started $fake"
await "$work/asked" '^[0-9]'
number=$(head -n 1 "$work/asked")
ok "compositor: told by the socket that came later" await "$marks" \
        "^probe.absent	.*milestone=x.ready session=:${number}[^ ]* reason=the%20socket%20is%20Xwayland.*held%20by%20impostor"
is "compositor: it was not asked" "$(cat "$work/asked")" "$number"
exec 9>&-
wait "$probe"
stop "$fake"

if [ "$(id -u)" -eq 0 ]; then
        pretend unheld 'no%20process%20that%20holds'
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
        skip "another user's listener, and nobody's" "wants root"
fi
done_testing
