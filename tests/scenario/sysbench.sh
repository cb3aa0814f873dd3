#!/bin/sh
# Other people's programs run and read: Debian's sysbench, and a stand-in where UnixBench would be.
. "$srcdir/tests/lib.sh"
sysbench=$builddir/collectors/sysbench unixbench=$builddir/collectors/unixbench
dir=$work/dir
mkdir "$dir" "$work/bin"
chmod 755 "$work"
chmod 777 "$dir"

figure() {
        python3 -c 'import json, sys
j = json.load(open(sys.argv[1])); S = j["samples"]; n = [s["workload"] for s in S]
v = {s["workload"]: {k: x["value"] for k, x in s["values"].items()} for s in S}
p = {s["workload"]: s["parameters"] for s in S}; print(eval(sys.argv[2]))' "$work/json" "$1"
}
measure() { timeout 300 "$sysbench" --quiet --dir "$dir" --time 1 "$@" >"$work/json" 2>"$work/err"; }

# --- the real one
measure -- --file-total-size=8M --file-num=4
is "status" "$? $(cat "$work/err")" "0 "
is "its three tests" "$(figure 'n')" "['sysbench.cpu', 'sysbench.memory', 'sysbench.fileio']"
is "the version is that of the program" "$(figure '{s["tool"] + " " + s["tool_version"] for s in S}')" \
        "{'$(sysbench --version)'}"
is "what it was told" "$(figure 'p["sysbench.fileio"]["file_total_size"], p["sysbench.fileio"]["file_num"], p["sysbench.fileio"]["time"], p["sysbench.cpu"]["cpu_max_prime"], "file_num" in p["sysbench.cpu"]')" \
        "('8M', 4, 1, 10000, False)"
is "figures that fit each other" "$(figure 'abs(v["sysbench.cpu"]["events"] / v["sysbench.cpu"]["total_time"] / v["sysbench.cpu"]["events_per_s"] - 1) < 0.05, v["sysbench.fileio"]["reads_per_s"] > 0')" \
        "(True, True)"
is "no files are left" "$(ls -A "$dir")" ""
measure --name x --runs 2 --threads 2 cpu
is "runs, a name, threads" "$? $(figure 'n, [s["run"] for s in S], p[n[0]]["threads"]')" \
        "0 (['sysbench.cpu.x', 'sysbench.cpu.x'], [1, 2], 2)"
measure fileio -- --file-test-mode=seqwr --file-total-size=8M
is "an option replaces ours" "$? $(figure 'p[n[0]]["file_test_mode"], v[n[0]]["writes_per_s"] > 0, v[n[0]]["reads_per_s"]')" \
        "0 ('seqwr', True, 0.0)"
fails_with "its own complaint" 1 '^sysbench: sysbench fileio .*ended with status 1: .*bogus' \
        timeout 60 "$sysbench" --quiet --dir "$dir" fileio -- --file-test-mode=bogus --file-total-size=8M
is "and no files are left" "$(ls -A "$dir")" ""
fails_with "more than there is room for" 77 "^sysbench: $dir: [0-9]+ MiB free, and sysbench fileio takes about" \
        timeout 60 "$sysbench" --quiet --dir "$dir" fileio -- --file-total-size=900T
fails_with "no size" 1 'file-total-size=8Q is no size' timeout 60 "$sysbench" --quiet --dir "$dir" fileio -- --file-total-size=8Q
fails_with "no number of files" 1 'file-num wants 1 to' timeout 60 "$sysbench" --quiet --dir "$dir" fileio -- --file-num=0
for wrong in 'disk' '--threads 0' '--time 0' '--bogus' '-- --debug' '-- -x'; do
        # shellcheck disable=SC2086
        "$sysbench" $wrong >"$work/out" 2>"$work/err"
        is "usage: $wrong" "$? $(wc -l <"$work/err") $(wc -c <"$work/out")" "2 2 0"
done

files() { find "$dir" -name 'test_file.*' | wc -l; }
# running: sysbench itself, below the collector and its reaper
running() {
        pgrep -P "$(pgrep -P "$own" | paste -sd,)" -f ' run$'
}
is_running() { [ -n "$(running)" ] && [ "$(files)" = 16 ]; }
for signal in INT TERM KILL; do
        env --default-signal=INT "$sysbench" --quiet --dir "$dir" --time 600 fileio -- --file-total-size=8M \
                >"$work/out" 2>"$work/err" &
        own=$!
        ok "SIG$signal: it is at work" await is_running
        pid=$(running)
        kill -$signal $own
        wait $own 2>/dev/null
        is "SIG$signal: died of it, without a word" "$(kill -l $?) $(cat "$work/out" "$work/err")" "$signal "
        ok "SIG$signal: sysbench is gone" timeout 30 tail -s 0.05 --pid="$pid" -f /dev/null
        case $signal in
        KILL) # nobody was left to remove them: the next run does
                measure fileio -- --file-total-size=8M ;;
        esac
        is "SIG$signal: so are its files" "$(ls -A "$dir")" ""
done

# --- one that misbehaves
program() { { echo '#!/bin/sh'; cat; } >"$work/bin/$1"; chmod 755 "$work/bin/$1"; }
fails_with "not installed" 77 "^sysbench: sysbench is not installed: Debian's package sysbench\$" \
        env PATH="$work/bin" "$sysbench" --quiet --dir "$dir"
program sysbench <<'E'
case $* in
*prepare*) echo 'FATAL: Failed to write file! file: 0 pos: 4096 errno = 28 (No space left on device)'; exit 1 ;;
*memory*) kill -SEGV $$ ;;
*) echo 'nothing of use' ;;
esac
E
PATH=$work/bin:$PATH
export PATH
fails_with "the disk fills up" 1 '^sysbench: sysbench fileio prepare ended with status 1: FATAL.*No space left on device' \
        timeout 60 "$sysbench" --quiet --dir "$dir" fileio
is "nothing is left on it" "$(ls -A "$dir")" ""
fails_with "a crash" 1 '^sysbench: sysbench memory was killed by signal 11' timeout 60 "$sysbench" --quiet memory
fails_with "no result" 1 '^sysbench: sysbench printed no result that can be read$' timeout 60 "$sysbench" --quiet cpu

# --- UnixBench: not in Debian. The stand-in works as its Run does: in its own folder, with the results
# where UB_RESULTDIR says, progress and report on stdout.
fails_with "UnixBench is not there" 77 '^unixbench: unixbench is not installed: name its Run script with --program$' \
        timeout 60 "$unixbench" --quiet
mkdir "$work/ub"
cat >"$work/ub/Run" <<'E'
#!/bin/sh
[ -f ./pgms ] || { echo 'not where my programs are' >&2; exit 1; }
echo here >"$UB_TMPDIR/tmp" && echo log >"$UB_RESULTDIR/log" || exit 1
cat <<'T'
make all
1 x Dhrystone 2 using register variables  1 2 3 4 5 6 7 8 9 10

1 x Pipe Throughput  1 2 3 4 5 6 7 8 9 10

========================================================================
   BYTE UNIX Benchmarks (Version 5.1.3)

   System: box: GNU/Linux
   OS: GNU/Linux -- 6.1.0-9-amd64 -- #1 SMP Debian
   Machine: x86_64 (unknown)
   CPU 0: A processor (4000.0 bogomips)
   12:00:00 up 1 day,  1 user,  load average: 0.10, 0.20, 0.30; runlevel 5

------------------------------------------------------------------------
Benchmark Run: Tue Dec 01 2026 12:00:00 - 12:01:10
1 CPU in system; running 1 parallel copy of tests

Dhrystone 2 using register variables       23340000.0 lps   (10.0 s, 7 samples)
Pipe Throughput                             1244000.0 lps   (10.0 s, 7 samples)

System Benchmarks Partial Index              BASELINE       RESULT    INDEX
Dhrystone 2 using register variables         116700.0   23340000.0   2000.0
Pipe Throughput                               12440.0    1244000.0   1000.0
                                                                   ========
System Benchmarks Index Score (Partial Only)                         1414.2

T
E
chmod 755 "$work/ub/Run"
touch "$work/ub/pgms"
timeout 60 "$unixbench" --quiet --dir "$dir" --program "$work/ub/Run" -- -c 1 dhry2reg pipe >"$work/json" 2>"$work/err"
is "its report is read" "$? $(cat "$work/err") $(figure 'sorted(n)')" \
        "0  ['unixbench.dhry2reg', 'unixbench.partial_score', 'unixbench.pipe']"
is "its figures" "$(figure 'v["unixbench.dhry2reg"]["index"], v["unixbench.partial_score"]["index"], p["unixbench.pipe"]["arguments"], S[0]["tool_version"]')" \
        "(2000.0, 1414.2, '-c 1 dhry2reg pipe', '5.1.3')"
is "nothing is left" "$(ls -A "$dir")" ""
rm "$work/ub/pgms"
fails_with "UnixBench's own complaint" 1 '^unixbench: unixbench ended with status 1: not where my programs are$' \
        timeout 60 "$unixbench" --quiet --dir "$dir" --program "$work/ub/Run"
fails_with "no such script" 77 "^unixbench: $work/none: is not there\$" timeout 60 "$unixbench" --program "$work/none"
touch "$work/plain"
fails_with "no program" 1 "^unixbench: $work/plain: Permission denied\$" timeout 60 "$unixbench" --program "$work/plain"
done_testing
