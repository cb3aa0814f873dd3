#!/bin/sh
# shellcheck disable=SC3045 # dash and bash know ulimit -v
# What is no text, or far too much of it, ends with one line and within 64 MiB of address space.
. "$srcdir/tests/lib.sh"
limit=65536
# A sanitizer's shadow memory alone is larger: then only the outcome is looked at.
(ulimit -v $limit && "$bootlap" --version) >/dev/null 2>&1 || limit=unlimited
limited() {
        (ulimit -v $limit && exec timeout 300 "$bootlap" import --dry-run "$@")
}
line() { # a line of 1 MiB out of WORDS
        yes "$1" | tr -d '\n' | head -c 1048576
        echo
}

ok "an ordinary text fits the limit" limited "$srcdir/tests/data/import/unixbench/published.txt"
fails_with "/dev/zero" 1 "^bootlap: /dev/zero: more than 16 MiB" limited /dev/zero
fails_with "/dev/urandom" 1 "^bootlap: /dev/urandom: more than 16 MiB" limited /dev/urandom
truncate -s 1G "$work/sparse"
fails_with "1 GiB" 1 "^bootlap: $work/sparse: more than 16 MiB" limited "$work/sparse"
head -c 1000000 /dev/urandom >"$work/binary"
fails_with "binary" 1 "^bootlap: $work/binary: is binary" limited "$work/binary"
head -c 1000000 /dev/zero >"$work/zeros"
fails_with "NUL bytes alone" 1 "^bootlap: $work/zeros: " limited "$work/zeros"
mkfifo "$work/fifo"
fails_with "a FIFO that nobody writes to" 1 "nothing recognized" limited "$work/fifo"
awk 'BEGIN { for (i = 0; i < 3000000; i++) print "" }' >"$work/blank"
fails_with "nothing but line ends" 1 "more than 400000 lines" limited "$work/blank"

for i in 1 2 3 4 5 6 7 8; do line "real 0m1.0s user 0m0.5s sys 0m0.1s / boot $i: 27 X start "; done >"$work/long"
fails_with "lines of 1 MiB" 1 "nothing recognized" limited "$work/long"
for words in '| ' '[' '{"fio version": [' '<a>' '&amp;' '> > ' '=3D' '1:' 'min: '; do
        line "$words" >"$work/long"
        fails_with "1 MiB of '$words'" 1 "nothing recognized" limited "$work/long"
done
{ line '[0,'; cat "$srcdir/tests/data/import/resp/published.txt"; line '<pre>'; } >"$work/between"
limited "$work/between" >"$work/out" 2>"$work/err"
is "what stands between such lines is imported" "$? $(wc -l <"$work/out")" "0 5"

awk 'BEGIN { for (i = 0; i < 60000; i++) print "real 0m1.000s\nuser 0m0.900s\nsys 0m0.100s" }' >"$work/many"
fails_with "more results than one import holds" 1 "^bootlap: $work/many: too many results" limited "$work/many"
awk 'BEGIN { for (i = 0; i < 90000; i++) print "{ \"fio version\" : \"3\"," }' >"$work/torn"
fails_with "JSON that never ends, again and again" 1 "nothing recognized" limited "$work/torn"
{ printf '<?xml version="1.0"?>\n<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
  awk 'BEGIN { p = "a"; for (i = 0; i < 12; i++) { n = "b" i; s = ""; for (k = 0; k < 10; k++) s = s "&" p ";"; printf "<!ENTITY %s \"%s\">", n, s; p = n } }'
  printf ']>\n<PhoronixTestSuite><Generated><Title>&b11;</Title></Generated></PhoronixTestSuite>\n'; } >"$work/laughs"
limited "$work/laughs" >"$work/out" 2>"$work/err"
is "entities that would grow without end are not even defined" "$? $(grep -c 'undefined entity' "$work/err")" "1 1"
done_testing
