#!/bin/sh
# bootlap config diff: two 32-bit kernels on one machine, two machines, and records with their kept
# kernel configs.
. "$srcdir/tests/lib.sh"
data=$srcdir/tests/data/machine
for name in i386-pae i386-nopae nvme bare; do
        mkdir "$work/$name"
        "$srcdir/tests/unpack-tree" "$data/$name.tree" "$work/$name"
done

"$bootlap" config diff "$work/i386-nopae" "$work/i386-pae" >"$work/out"
is "two kernels: status" $? 0
# keys LIST: of one list of the JSON
keys() { sed -n "/\"$1\": \[/,/^ \]/s/^ *\"key\": \"\(.*\)\",/\1/p" "$work/json" | tr '\n' ' '; }
"$bootlap" config diff "$work/i386-nopae" "$work/i386-pae" --json >"$work/json"
is "one group differs, the kernel" "$(keys factors)" \
        "kernel.config_sha256 kernel.highmem kernel.pae kernel.release "
is "and what follows from it" "$(keys implied)" "kernel.cmdline memory.usable_bytes "
ok "HIGHMEM" grep -qE '^ +kernel.highmem +4g +64g$' "$work/out"
ok "PAE" grep -qE '^ +kernel.pae +no +yes$' "$work/out"
is "the options that differ" "$(sed -n 's/^\(CONFIG_[A-Z0-9_]*\)  *\([yn-]\)  \([yn-]\)$/\1 \2 \3/p' "$work/out")" \
        "CONFIG_HIGHMEM4G y n
CONFIG_HIGHMEM64G n y
CONFIG_X86_PAE - y"
"$bootlap" config diff "$work/i386-pae" "$work/i386-pae" >"$work/out"
is "a machine and itself" "$(cat "$work/out")" "No factor differs."
"$bootlap" config diff "$work/nvme" "$work/bare" >"$work/out"
ok "what one side does not know" grep -qE 'drive.rpm +0 +not known' "$work/out"
ok "no config on one side" grep -q '^Kernel options are not compared: .*bare: names no running kernel' "$work/out"
"$bootlap" config diff "$work/nvme" "$work/bare" --json >"$work/out"
ok "with the reason" grep -q '"b_absent": "/proc/self/mountinfo: No such file' "$work/out"

# Records: the configs were kept by measure, once.
BOOTLAP_STORE=$work/state/records
export BOOTLAP_STORE
"$bootlap" measure --quiet >/dev/null
"$bootlap" label note=x
"$bootlap" measure --quiet >/dev/null
if "$bootlap" config | grep -q kernel.config_sha256; then
        is "one config, kept once" "$(find "$BOOTLAP_STORE/kernel-configs" -type f | wc -l)" 1
        config=$(ls "$BOOTLAP_STORE"/kernel-configs/*)
        is "whole" "$(zcat "$config" | sha256sum | cut -d' ' -f1)" "$(basename "$config" .gz)"
        is "no record to the store" "$("$bootlap" list | wc -l)" 2
        sed 's/"kernel.release": "/&other-/' "$BOOTLAP_STORE"/*/*.json >"$work/other.json"
        fails_with "a changed record" 1 "damaged: the checksum" "$bootlap" config diff last "$work/other.json"
        "$bootlap" config diff last last >"$work/out"
        is "a record and itself" "$(cat "$work/out")" "No factor differs."
        "$bootlap" config diff last "$work/i386-pae" >"$work/out"
        ok "a record and a tree" grep -qE '^CONFIG_X86_PAE +(-|n) +y$' "$work/out"
        ok "labels too" grep -qE '^label +note +x +-$' "$work/out"
        echo damaged >"$config"
        "$bootlap" config diff last "$work/i386-pae" >"$work/out"
        ok "a damaged config is named" grep -qE 'not compared: .*\.gz: damaged' "$work/out"
        rm "$config"
        "$bootlap" config diff last "$work/i386-pae" >"$work/out"
        ok "so is one that is gone" grep -qE 'not compared: .*\.gz: No such file' "$work/out"
else
        skip "kept kernel configs" "this kernel shows no config"
fi
fails_with "three records" 2 "wants two records" sh -c "$bootlap config diff a b c 2>&1 | head -n 1 >&2; exit 2"
fails_with "one record" 2 "diff wants two" sh -c "$bootlap config diff a 2>&1 | head -n 1 >&2; exit 2"
done_testing
