#!/bin/sh
# The manual and --help say the same: every verb has a section, and every option of a verb stands in
# that section or among the common ones.
. "$srcdir/tests/lib.sh"
page=$srcdir/man/bootlap.1

# section NAME: the text of one .SS, without the dashes' backslashes
section() {
        awk -v want="$1" '$1 == ".SS" { on = $2 == want } $1 == ".SH" { on = $2 == "COMMON" } on' "$page" |
                sed 's/[\\]//g'
}

verbs=$("$bootlap" --help | awk '/^  [a-z]/ { print $1 }')
ok "there are verbs" test -n "$verbs"
for verb in $verbs; do
        ok "a section for $verb" grep -qE "^\.SS $verb( |\$)" "$page"
        section "$verb" >"$work/section"
        "$bootlap" "$verb" --help </dev/null >"$work/help" 2>"$work/err"
        status=$?
        is "$verb --help: status" "$status" 0
        is "$verb --help: nothing on stderr" "$(cat "$work/err")" ""
        # argp leaves the newline out when its last line is exactly full
        is "$verb --help: ends its last line" "$(tail -c 1 "$work/help")" ""
        for option in $(grep -oE '(^|[ ,])--[a-z][a-z-]*' "$work/help" | tr -d ' ,' | sort -u); do
                ok "$verb $option is in the manual" grep -qF -e "$option" "$work/section"
        done
done

is "the sections of VERBS are the verbs" \
        "$(awk '$1 == ".SH" { on = $2 == "VERBS" } on && $1 == ".SS" { print $2 }' "$page" | sort -u)" \
        "$(echo "$verbs" | sort)"

# Collectors have sections of their own, and what all of them take stands before the first.
awk '$1 == ".SH" { on = $2 == "COLLECTORS" } $1 == ".SS" { on = 0 } on' "$page" | sed 's/[\\]//g' \
        >"$work/common"
awk '$1 == ".SH" { on = $2 == "COLLECTORS" } on && $1 == ".SS" { print $2 }' "$page" >"$work/collectors"
is "each collector has a section" "$(sort "$work/collectors")" \
        "$(cd "$builddir/collectors" && find . -maxdepth 1 -type f -perm -u+x | sed 's,^\./,,' | sort)"
while read -r collector; do
        section "$collector" >"$work/section"
        "$builddir/collectors/$collector" --help >"$work/help"
        for option in $(grep -oE '(^|[ ,])--[a-z][a-z-]*' "$work/help" | tr -d ' ,' | sort -u); do
                case $option in
                --help | --usage | --version) ;;
                *) ok "$collector $option is in the manual" \
                        grep -qF -e "$option" "$work/section" "$work/common" ;;
                esac
        done
done <"$work/collectors"
for each in "$srcdir"/man/*.[1-8]; do
        is "${each##*/} is well-formed" "$(man --warnings -l "$each" 2>&1 >/dev/null)" ""
done
done_testing
