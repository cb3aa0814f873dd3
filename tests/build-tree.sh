# shellcheck shell=sh disable=SC2034
# tests/build-tree.sh - trees that stand in for a kernel's, for the build collector's faults. Read it
# after tests/lib.sh; it takes $work/dir as the folder to build in.
build=$builddir/collectors/build
dir=$work/dir
chmod 755 "$work" # the collector works as nobody when root starts it
mkdir -m 1777 "$dir"
# What a test's own make has put there is not meant for the builds that are tested.
unset CC HOSTCC CXX HOSTCXX CROSS_COMPILE MAKEFLAGS MFLAGS MAKELEVEL GNUMAKEFLAGS MAKEOVERRIDES

# A rule that builds everything, to follow tree's.
# shellcheck disable=SC2016 # make's variables
whole='$(O)/vmlinux: $(OBJECTS:%=$(O)/%.o)
	@cat $^ >$@'

# tree NAME: a tree whose Makefile goes on with the text on stdin. An object that is there already
# is an error: every run is to start from a clean folder.
tree() {
        mkdir -p "$work/$1/arch" "$work/$1/scripts/kconfig"
        : >"$work/$1/Kbuild"
        {
                cat <<'MAKEFILE'
VERSION = 1
PATCHLEVEL = 2
SUBLEVEL = 3
EXTRAVERSION = -fake
OBJECTS = a b c d
all: $(O)/vmlinux
tinyconfig defconfig olddefconfig:
	@test ! -e $(O)/a.o
	@echo "CONFIG_FAKE=y" >>$(O)/.config
$(O)/%.o:
	@echo "  CC      $*.o"
	@echo "int $*;" | gcc -x c -c -o $@ -
MAKEFILE
                cat
        } >"$work/$1/Makefile"
        chmod -R a+rX "$work/$1"
}

# run_build NAME [OPTION...]: a tree or tarball below $work; the result goes to $work/result
run_build() {
        name=$1
        shift
        "$build" --quiet --source "$work/$name" --dir "$dir" "$@" >"$work/result"
}

# of EXPRESSION: about the samples of the last result, in Python
of() {
        python3 -c 'import json, sys
samples = json.load(open(sys.argv[1]))["samples"]
print(eval(sys.argv[2]))' "$work/result" "$1"
}

nothing_left() {
        is "nothing is left in the folder: $1" "$(ls -A "$dir")" ""
}
