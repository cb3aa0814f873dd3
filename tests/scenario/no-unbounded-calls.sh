#!/bin/sh
# Calls that cannot be used safely, or that read numbers without saying what they skipped.
. "$srcdir/tests/lib.sh"
cd "$srcdir" || exit 99
for call in strcpy strcat sprintf vsprintf gets atoi atol atoll atof strtok tmpnam mktemp; do
        grep -rnE --include='*.[ch]' "(^|[^A-Za-z_>.])$call *\\(" record witness machine collectors daemon \
                hooks analyze cli 2>/dev/null | grep -vE ':[0-9]+: \*|/\*' >"$work/found"
        is "no $call()" "$(cat "$work/found")" ""
done
grep -rnE --include='*.[ch]' 'scanf.*%(\*?)(s|\[)' record witness machine collectors daemon hooks analyze cli \
        2>/dev/null | grep -vE '%\*(s|\[)' >"$work/found"
is "no scanf() of unbounded text" "$(cat "$work/found")" ""
done_testing
