#!/bin/sh
# Every header compiles by itself: nobody has to know what to include before it.
. "$srcdir/tests/lib.sh"
cd "$srcdir" || exit 99
for header in $(find . -name '*.h' -not -path './build*' -not -path './tests/data/*' | sort); do
        echo "#include \"${header#./}\"" >"$work/alone.c"
        # shellcheck disable=SC2086 # flags are words
        ok "${header#./}" $header_cc -include "$builddir/config.h" -I. -fsyntax-only "$work/alone.c"
done
done_testing
