# shellcheck shell=sh disable=SC2034
# tests/lib.sh - TAP for the shell scenarios: . "$srcdir/tests/lib.sh" first, done_testing last.
# Every scenario works below $work, which goes when it ends.
set -u
n_checks=0
work=$(mktemp -d "${TMPDIR:-/tmp}/bootlap-test.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
bootlap=$builddir/bootlap

# ok WHAT COMMAND...: passes when the command does
ok() {
        what=$1
        shift
        n_checks=$((n_checks + 1))
        if "$@" >"$work/ok.out" 2>&1; then
                echo "ok $n_checks - $what"
        else
                echo "not ok $n_checks - $what"
                sed 's/^/# /' "$work/ok.out"
        fi
}

# is WHAT GOT WANT
is() {
        n_checks=$((n_checks + 1))
        if [ "$2" = "$3" ]; then
                echo "ok $n_checks - $1"
        else
                echo "not ok $n_checks - $1"
                printf 'got:  %s\nwant: %s\n' "$2" "$3" | sed 's/^/# /'
        fi
}

# fails_with WHAT STATUS PATTERN COMMAND...: exit status and exactly one line on stderr that matches
# the extended regular expression
fails_with() {
        what=$1 want=$2 pattern=$3
        shift 3
        n_checks=$((n_checks + 1))
        "$@" >"$work/out" 2>"$work/err"
        status=$?
        if [ $status -eq "$want" ] && [ "$(wc -l <"$work/err")" -eq 1 ] &&
                grep -qE -- "$pattern" "$work/err"; then
                echo "ok $n_checks - $what"
        else
                echo "not ok $n_checks - $what"
                { echo "status $status, want $want; want one line: $pattern"; cat "$work/err"; } |
                        sed 's/^/# /'
        fi
}

skip() {
        n_checks=$((n_checks + 1))
        echo "ok $n_checks - $1 # SKIP $2"
}

# configured FILE.in TARGET: what make would install, had its folders been below $work
configured() {
        mkdir -p "${2%/*}"
        sed -e "s|@bindir@|$work/bin|g" -e "s|@sbindir@|$work/sbin|g" -e "s|@pkgdatadir@|$work/share|g" "$srcdir/$1" >"$2" &&
                chmod 755 "$2"
}

# await COMMAND...: until it succeeds, for what announces itself by nothing but being there
await() {
        for _ in $(seq 1500); do
                "$@" && return 0
                sleep 0.02
        done
        echo "waited for 30 s: $*"
        return 1
}

# mark_names FILE: the marks in it, on one line
mark_names() {
        cut -f1 "$1" 2>/dev/null | tr '\n' ' ' | sed 's/ $//'
}

done_testing() {
        echo "1..$n_checks"
        exit 0
}
