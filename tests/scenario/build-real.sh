#!/bin/sh
# A real kernel: Debian's linux-source as tinyconfig, once, through bootlap measure, and the record
# that comes of it. Takes minutes: --disable-long-tests leaves it out. Run #2 and the comparison with
# plain make belong to tests/bench/build-vs-make.sh.
. "$srcdir/tests/lib.sh"
export BOOTLAP_STORE="$work/store" BOOTLAP_COLLECTORS="$builddir/collectors"

"$bootlap" corpus --quiet --count 2000 "$work/Maildir"
chmod -R a+rX "$work"
"$bootlap" measure --json --maildir "$work/Maildir" --build >"$work/shown" 2>"$work/progress"
is "measured" "$?" 0
set -- "$BOOTLAP_STORE"/*/*.json
is "one record" "$#" 1
ok "which is valid" "$srcdir/tests/validate-record" "$1"
ok "progress was by objects" grep -qE '^build run #1: [0-9]+ objects$' "$work/progress"

# of EXPRESSION: about the sample of each workload, by python
of() {
        python3 -c 'import json, sys
samples = {s["workload"]: s for s in json.load(open(sys.argv[1]))["samples"]}
build, mail = samples["build.kernel"], samples["maildir.open"]
print(eval(sys.argv[2]))' "$record" "$1"
}
record=$1
is "the mail folder was opened" "$(of 'mail["values"]["messages"]["value"]')" 2000.0
is "the build is run 1" "$(of 'build["run"]')" 1
is "of a kernel of Debian's" "$(of 'build["parameters"]["source_version"].split(".")[0] in "5678"')" True
is "as tinyconfig" "$(of 'build["parameters"]["config"]')" tinyconfig
is "by this compiler" "$(of 'build["parameters"]["compiler"]')" "$(LC_ALL=C gcc --version | head -n 1)"
is "and this make" "$(of '"GNU Make " + build["tool_version"]')" "$(make --version | head -n 1)"
is "as many jobs as processors" "$(of 'build["parameters"]["jobs"]')" "$(nproc)"
is "from a source just unpacked" "$(of 'build["details"]["source_unpacked_now"]')" True
is "the largest process is a compiler's or the linker's" \
        "$(of '30e6 < build["values"]["peak_rss"]["value"] < 2e9')" True
is "hundreds of objects" "$(of 'build["details"]["objects"] > 300')" True
is "real, user and sys were measured" \
        "$(of 'all(build["values"][v]["value"] > 1 for v in ("real", "user", "sys"))')" True
is "the processors did not do more than they can" \
        "$(of 'build["values"]["user"]["value"] + build["values"]["sys"]["value"] <= 1.02 * build["parameters"]["jobs"] * build["values"]["real"]["value"]')" True
ok "nothing is left in /var/tmp" sh -c '! ls -d /var/tmp/bootlap-build.* 2>/dev/null | grep .'
done_testing
