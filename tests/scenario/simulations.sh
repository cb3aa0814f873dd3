#!/bin/sh
# The analyzer's claims hold as often as it says: tests/bench/simulate with few draws, each limit
# widened by three standard errors of so few. The full run and its table: docs/evidence.md.
. "$srcdir/tests/lib.sh"
"$builddir/tests/bench/simulate" 400 >"$work/table"
is "every cell is within its limit" $? 0
is "no cell is outside" "$(grep OUTSIDE "$work/table")" ""
is "the table is whole" "$(sed -n 's/^\([0-9]* cells\), .*/\1/p' "$work/table")" \
        "$(grep -c ' at \(most\|least\) ' "$work/table") cells"
done_testing
