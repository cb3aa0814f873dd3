#!/bin/sh
# The build collector where something is wrong: with the tree, the tarball, the configuration, the
# programs, the compiler, the environment, the command line. The real kernel is built by
# build-real.sh; interruptions and full disks are build-cleanup.sh's.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/build-tree.sh"

# --- a good build, and what is said of it
echo "$whole" | tree good
ok "a build" run_build good --runs 3 --jobs 3
is "three runs" "$(of '[s["run"] for s in samples]')" "[1, 2, 3]"
is "what decides whether it can be compared" "$(of 'sorted(samples[0]["parameters"])')" \
        "['cache', 'compiler', 'config', 'config_sha256', 'jobs', 'source_version']"
is "the compiler" "$(of 'samples[0]["parameters"]["compiler"]')" "$(LC_ALL=C gcc --version | head -n 1)"
is "make's version" "$(of '"GNU Make " + samples[0]["tool_version"]')" "$(make --version | head -n 1)"
is "the configuration's hash" "$(of 'samples[0]["parameters"]["config_sha256"]')" \
        "$(echo CONFIG_FAKE=y | sha256sum | cut -d ' ' -f 1)"
is "the source's version" "$(of 'samples[0]["parameters"]["source_version"]')" 1.2.3-fake
is "objects" "$(of 'samples[2]["details"]["objects"]')" 4
is "jobs" "$(of 'samples[0]["parameters"]["jobs"]')" 3
is "values" "$(of 'sorted(samples[0]["values"])')" "['peak_rss', 'real', 'sys', 'user']"
is "peak memory is a compiler's" "$(of 'samples[0]["values"]["peak_rss"]["value"] > 4e6')" True
nothing_left "a good build"
ok "as many jobs as there are processors for us" \
        taskset -c 0 "$build" --quiet --source "$work/good" --dir "$dir"
cp "$work/ok.out" "$work/result"
is "which is one, here" "$(of 'samples[0]["parameters"]["jobs"]')" 1
# shellcheck disable=SC2016
printf '%s\n' "$whole" 'some: ; @echo "  CC      some.o"' | tree part
ok "a part of the tree" run_build part --target some
is "is not mistaken for the whole" "$(of 'samples[0]["parameters"]["target"]')" some

# --- trees that do not build
tree broken <<'MAKEFILE'
$(O)/vmlinux: $(O)/a.o $(O)/b.o
	@echo "fs/c.c:7:2: warning: unused" >&2
	@echo "fs/c.c:8:1: error: expected ';' before '}'" >&2
	@echo "fs/d.c:9:1: error: another" >&2
	@exit 1
MAKEFILE
fails_with "the first error, in one line" 1 \
        "^build: run #1 is incomplete: make ended with status 2 after 2 objects: fs/c.c:8:1: error: expected ';' before '}'\$" \
        run_build broken
is "and no sample" "$(cat "$work/result")" ""
: >"$work/log"
chmod a+w "$work/log"
fails_with "with the log's name" 1 "before '}'; the whole log is $work/log\$" \
        run_build broken --log "$work/log"
is "which is whole" "$(grep -c 'error:' "$work/log")" 2
"$build" --source "$work/broken" --dir "$dir" >"$work/result" 2>"$work/err"
is "without --quiet, the log's tail comes before it" \
        "$(grep -c '^build log: ' "$work/err") $(tail -n 1 "$work/err" | cut -c 1-14)" "6 build: run #1 "
# shellcheck disable=SC2016
echo '$(O)/vmlinux:;@echo "  CC      a.o"' | tree hollow
fails_with "make content, and no vmlinux" 1 'run #1 is incomplete: make ended well and left no vmlinux' \
        run_build hollow
# shellcheck disable=SC2016
echo '$(O)/vmlinux:;@kill -9 $$PPID' | tree killed
fails_with "make killed" 1 'run #1 is incomplete: make was killed by signal 9' run_build killed
# shellcheck disable=SC2016
printf '%s\n' '$(O)/vmlinux:' '	@no-such-tool x' | tree wanting
fails_with "a program that only the build knows of" 77 \
        'the build wants no-such-tool, which is not installed' run_build wanting
echo 'tinyconfig: broken' | tree unconfigurable
fails_with "a tree that cannot be configured" 1 \
        "tinyconfig is incomplete: .*No rule to make target 'broken'" run_build unconfigurable
nothing_left "trees that do not build"

# --- what is no clean kernel tree
fails_with "nothing there" 1 "^build: $work/absent: No such file or directory" run_build absent
mkdir "$work/empty"
fails_with "an empty folder" 1 "$work/empty is not a Linux kernel tree" run_build empty
echo 'all:' >"$work/empty/Makefile"
fails_with "another project's tree" 1 'its Makefile names no VERSION' run_build empty
mkfifo "$work/fifo"
fails_with "a FIFO" 1 'neither a folder nor a tarball' run_build fifo
for found in .config include/config arch/x86/include/generated; do
        cp -r "$work/good" "$work/dirty"
        mkdir -p "$work/dirty/$found"
        fails_with "a tree that was built in: $found" 1 "holds an earlier build \($found\).*mrproper" \
                run_build dirty
        rm -r "$work/dirty"
done
cp -r "$work/good" "$work/a blank"
fails_with "a blank in the path" 1 'make cannot build where a path has blanks or colons' \
        run_build "a blank"

# --- tarballs
head -c 300000 /dev/urandom >"$work/good/random"
for tarball in good.tar.xz good.tar.gz; do
        tar -C "$work" -caf "$work/$tarball" good
        ok "$tarball" run_build $tarball
        is "$tarball: just unpacked" "$(of 'samples[0]["details"]["source_unpacked_now"]')" True
        head -c 200000 "$work/$tarball" >"$work/cut-$tarball"
        fails_with "$tarball, truncated" 1 "^build: $work/cut-$tarball: " run_build cut-$tarball
done
tar -C "$work/good" -cf "$work/flat.tar" .
ok "a tarball without a folder of its own" run_build flat.tar
: >"$work/none.tar"
fails_with "an empty file" 1 "^build: $work/none.tar: " run_build none.tar
head -c 100000 /dev/urandom >"$work/noise.tar.xz"
fails_with "no tarball at all" 1 "^build: $work/noise.tar.xz: " run_build noise.tar.xz
tar -C "$work" -cf "$work/other.tar" empty
fails_with "another project's tarball" 1 'other.tar is not a Linux kernel tree' run_build other.tar

echo x >"$work/x"
tar -C "$work" -Pcf "$work/up.tar" --transform 's,^x,../escaped,' x
tar -C "$work" -Pcf "$work/absolute.tar" --transform "s,^x,$dir/escaped," x
mkdir "$work/sub"
ln -s "$dir" "$work/sub/link"
tar -C "$work/sub" -cf "$work/through.tar" link
tar -C "$work" -rf "$work/through.tar" --transform 's,^x,link/escaped,' x
python3 - "$work" <<'PYTHON'
import sys, tarfile
for name, kind, target in (("hard", tarfile.LNKTYPE, "../../x"), ("hard-absolute", tarfile.LNKTYPE, "/etc/passwd"),
                           ("device", tarfile.CHRTYPE, ""), ("pipe", tarfile.FIFOTYPE, "")):
    with tarfile.open(sys.argv[1] + "/" + name + ".tar", "w") as tar:
        member = tarfile.TarInfo("linux/escaped")
        member.type = kind
        member.linkname = target
        tar.addfile(member)
PYTHON
fails_with "a path with .." 1 "up.tar: member '../escaped': .*'\.\.'" run_build up.tar
fails_with "an absolute path" 1 "absolute.tar: member '$dir/escaped': .*absolute" run_build absolute.tar
fails_with "a path through a symbolic link" 1 "through.tar: member 'link/escaped': .*symlink" \
        run_build through.tar
for trick in hard hard-absolute; do
        fails_with "a $trick link to outside" 1 \
                "$trick.tar: member 'linux/escaped': a hard link to outside" run_build $trick.tar
done
for trick in device pipe; do
        fails_with "a $trick" 1 "$trick.tar: member 'linux/escaped': neither a file nor a folder" \
                run_build $trick.tar
done
nothing_left "tarballs"

# --- the cache of unpacked trees
mkdir -m 1777 "$work/trees"
ok "unpacked to stay" run_build good.tar.xz --tree-cache "$work/trees"
ok "found again" run_build good.tar.xz --tree-cache "$work/trees"
is "and said so" "$(of 'samples[0]["details"]["source_unpacked_now"]')" False
touch -d '2001-01-01' "$work/good.tar.xz"
ok "another tarball of that name" run_build good.tar.xz --tree-cache "$work/trees"
is "is another one" "$(of 'samples[0]["details"]["source_unpacked_now"]')" True
run_build cut-good.tar.xz --tree-cache "$work/trees" 2>/dev/null
run_build other.tar --tree-cache "$work/trees" 2>/dev/null
is "half a tree and another project's do not stay" \
        "$(find "$work/trees" -mindepth 1 -maxdepth 1 | wc -l)" 2

# --- configurations
fails_with "a configuration that is not there" 1 "^build: configuration $work/absent: No such file" \
        run_build good --config "$work/absent"
fails_with "a file that is none" 1 'is not a kernel configuration' run_build good --config "$work/x"
echo 'CONFIG_MINE=y' >"$work/mine"
ok "a file of one's own" run_build good --config "$work/mine"
is "which is brought up to date" "$(of 'samples[0]["parameters"]["config_sha256"]')" \
        "$(printf 'CONFIG_MINE=y\nCONFIG_FAKE=y\n' | sha256sum | cut -d ' ' -f 1)"
nothing_left "configurations"

# --- missing programs and headers, each with its package
mkdir "$work/bin"
fails_with "no compiler, no linker, no make" 77 \
        '^build: not installed: make \(package make\), gcc \(package gcc\), ld \(package binutils\)$' \
        env PATH="$work/bin" "$build" --quiet --source "$work/good" --dir "$dir"
fails_with "which is found out before unpacking" 77 '^build: not installed: make ' \
        env PATH="$work/bin" "$build" --quiet --source "$work/cut-good.tar.xz" --dir "$dir"
for tool in make gcc ld as sh cat; do ln -s "$(command -v $tool)" "$work/bin/$tool"; done
cp -r "$work/good" "$work/newer"
mkdir -p "$work/newer/tools/objtool"
: >"$work/newer/scripts/kconfig/lexer.l"
: >"$work/newer/scripts/kconfig/parser.y"
: >"$work/newer/tools/objtool/elf.c"
fails_with "no flex and bison" 77 \
        '^build: not installed: flex \(package flex\), bison \(package bison\)$' \
        env PATH="$work/bin" "$build" --quiet --source "$work/newer" --dir "$dir"
echo CONFIG_KERNEL_XZ=y >"$work/xz"
fails_with "a program that a configuration wants" 77 \
        '^build: not installed: xz \(package xz-utils\)$' \
        env PATH="$work/bin" "$build" --quiet --source "$work/good" --dir "$dir" --config "$work/xz"
mkdir "$work/bin2"
printf '#!/bin/sh\ncase "$*" in *gelf.h*) exit 1 ;; esac\nexec %s "$@"\n' "$(command -v gcc)" \
        >"$work/bin2/gcc"
chmod 755 "$work/bin2/gcc"
echo CONFIG_OBJTOOL=y >"$work/objtool"
fails_with "a header that a configuration wants" 77 \
        '^build: not installed: gelf.h \(package libelf-dev\)$' \
        env PATH="$work/bin2:$PATH" "$build" --quiet --source "$work/newer" --dir "$dir" \
        --config "$work/objtool"

# --- compilers that are not what they seem
mkdir "$work/cc"
printf '#!/bin/sh\nexec "$@"\n' >"$work/cc/ccache"
chmod 755 "$work/cc/ccache"
ln -s ccache "$work/cc/gcc"
fails_with "ccache in the compiler's place" 77 "^build: $work/cc/gcc is ccache: .*out of PATH\$" \
        env PATH="$work/cc:$PATH" "$build" --quiet --source "$work/good" --dir "$dir"
rm "$work/cc/gcc"
ok "ccache beside the compiler is no harm" env PATH="$work/cc:$PATH" "$build" --quiet \
        --source "$work/good" --dir "$dir"
fails_with "ccache in \$CC" 77 '^build: CC asks for ccache' \
        env CC="ccache gcc" "$build" --quiet --source "$work/good" --dir "$dir"
fails_with "distcc in \$CROSS_COMPILE" 77 '^build: CROSS_COMPILE asks for distcc' \
        env CROSS_COMPILE="distcc " "$build" --quiet --source "$work/good" --dir "$dir"
nothing_left "what was refused"

# --- nothing of the environment reaches make
# shellcheck disable=SC2016
printf '%s\n' 'all: show' 'show:;@env; echo "compiler $(CC) for $(ARCH)."; id -u' '.PHONY: show' \
        "$whole" | tree open
: >"$work/log"
ok "a build in a strange environment" env ARCH=leaked SUBARCH=leaked CROSS_COMPILE=leaked CC=leaked \
        CFLAGS=leaked KCFLAGS=leaked KBUILD_OUTPUT=leaked KBUILD_VERBOSE=leaked V=leaked O=leaked \
        MAKEFLAGS=-s MFLAGS=leaked GNUMAKEFLAGS=-s MAKEFILES=leaked LOCALVERSION=leaked LLVM=leaked \
        CPATH=leaked LC_ALL=de_DE.UTF-8 LANG=leaked HOME=/leaked TMPDIR=/leaked BASH_ENV=leaked \
        ENV=leaked "$build" --quiet --source "$work/open" --dir "$dir" --log "$work/log"
cp "$work/ok.out" "$work/result"
is "nothing of it is seen inside" "$(grep -iE 'leaked|de_DE|^GNUMAKEFLAGS|BOOTLAP_' "$work/log")" ""
is "make's own compiler" "$(grep compiler "$work/log")" "compiler cc for ."
is "the C locale" "$(grep ^LC_ALL "$work/log")" LC_ALL=C
is "temporary files go with the rest" "$(grep ^TMPDIR "$work/log" | sed 's,bootlap-build.*,,')" \
        "TMPDIR=$dir/"
is "what was set in vain is named" \
        "$(of '"KCFLAGS" in samples[0]["details"]["environment_ignored"]')" True
if [ "$(id -u)" -eq 0 ]; then
        is "root builds as nobody" "$(grep -xE '[0-9]+' "$work/log")" "$(id -u nobody)"
else
        is "whoever starts it builds" "$(grep -xE '[0-9]+' "$work/log")" "$(id -u)"
fi

# --- the command line
for wrong in --jobs=0 --jobs=x --jobs=99999 --target=-k --target=CC=x --cache=hot --runs=0 word --bogus; do
        "$build" $wrong >"$work/out" 2>"$work/err"
        is "$wrong is refused" "$? $(cat "$work/out")" "2 "
done
fails_with "a folder that is not there" 1 "^build: $work/absent: No such file" \
        run_build good --dir "$work/absent"
fails_with "a file for a folder" 1 "^build: $work/x: Not a directory" run_build good --dir "$work/x"
nothing_left "the end"
done_testing
