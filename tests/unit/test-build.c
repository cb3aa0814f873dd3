/* tests/unit/test-build.c - what the build collector reads: make's words, Makefiles, programs */
#include "tests/test.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "collectors/build_log.h"
#include "collectors/kernel_config.h"
#include "collectors/kernel_source.h"
#include "collectors/scratch.h"
#include "collectors/toolchain.h"

static const struct log_case {
        const char *what, *output;
        uint64_t n_objects;
        const char *reason, *tool; /* tool: NULL for none */
} log_cases[] = {
        { "objects are compiled files, not archives and links",
          "  CC      init/main.o\n  CC [M]  fs/ext2/dir.o\n  AS      arch/x86/lib/a.o\n"
          "  HOSTCC  scripts/mod/b.o\n  AR      init/built-in.a\n  LD      vmlinux.o\n"
          "  CC      kernel/bounds.s\n  UPD     include/generated/bounds.h\n CC x.o\nCC y.o\n",
          4, "CC y.o", NULL },
        { "a last line without its newline counts", "  CC      a.o\n  CC      b.o", 2,
          "  CC      b.o", NULL },
        { "nothing", "", 0, "no output", NULL },
        { "the compiler's error before make's",
          "  CC      a.o\na.c: In function 'f':\na.c:3:1: warning: x\n"
          "a.c:4:1: error: expected ';'\na.c:9:1: error: other\n"
          "make[2]: *** [scripts/Makefile.build:250: a.o] Error 1\n",
          1, "a.c:4:1: error: expected ';'", NULL },
        { "a path with 'error' in it is none", "  CC      lib/error.o\n  CC      error/a.o\nok\n",
          2, "ok", NULL },
        { "make's own words when there are no others",
          "make[1]: *** Waiting for unfinished jobs....\nmake: *** No rule to make target 'x'.  "
          "Stop.\n"
          "bye\n",
          0, "make: *** No rule to make target 'x'.  Stop.", NULL },
        { "the linker", "/usr/bin/ld: warning: a\nld: b.o: in function 'c':\nmake: *** x\n", 0,
          "ld: b.o: in function 'c':", NULL },
        { "the assembler", "a.S:1: Error: no such instruction: `x'\n", 0,
          "a.S:1: Error: no such instruction: `x'", NULL },
        { "a program that is missing, dash",
          "/bin/sh: 1: bc: not found\nmake[2]: *** [./Kbuild:24: t.h] Error 127\n", 0,
          "make[2]: *** [./Kbuild:24: t.h] Error 127", "bc" },
        { "a program that is missing, bash",
          "/bin/sh: line 1: flex: command not found\nmake[2]: *** [x] Error 127\n", 0,
          "make[2]: *** [x] Error 127", "flex" },
        { "a program that is missing, and no shell between",
          "make[2]: bc: No such file or directory\nmake[2]: *** [x] Error 127\n", 0,
          "make[2]: *** [x] Error 127", "bc" },
        { "a program that was looked for in vain, and a build that failed otherwise",
          "/bin/sh: 1: pahole: not found\nmake[2]: *** [x] Error 1\n", 0,
          "make[2]: *** [x] Error 1", NULL },
        { "a file that is not found is no program", "ld: a.o: not found\nmake: *** [x] Error 1\n",
          0, "ld: a.o: not found", NULL },
        { "a file that is missing is no program either",
          "cat: a: No such file or directory\nmake[2]: *** [x] Error 127\n", 0,
          "make[2]: *** [x] Error 127", NULL },
        { "control characters do not reach a terminal", "\033[31ma: error: b\007\n", 0,
          "[31ma: error: b ", NULL },
        { "a carriage return is a blank", "a\rb: error: c\n", 0, "a b: error: c", NULL },
};

static void check_log(void **state)
{
        const struct log_case *c = *state;

        /* Whole, and byte by byte: pipes cut anywhere. */
        for (size_t step = 1; step <= 4096; step += 4095) {
                struct build_log log = BUILD_LOG_NULL;
                size_t n = strlen(c->output);

                for (size_t i = 0; i < n; i += step)
                        build_log_feed(&log, c->output + i, n - i < step ? n - i : step);
                build_log_end(&log);
                assert_int_equal(log.n_objects, c->n_objects);
                assert_string_equal(build_log_reason(&log), c->reason);
                if (c->tool)
                        assert_string_equal(build_log_missing_tool(&log), c->tool);
                else
                        assert_null(build_log_missing_tool(&log));
        }
}

static void tail_is_bounded(void **state)
{
        static char huge[100000];
        struct build_log log = BUILD_LOG_NULL;

        (void) state;
        assert_null(build_log_tail_line(&log, 0));
        for (unsigned i = 0; i < 1000; i++) {
                char line[32];
                int n = snprintf(line, sizeof line, "line %u\n", i);

                build_log_feed(&log, line, (size_t) n);
        }
        assert_string_equal(build_log_tail_line(&log, 0), "line 988");
        assert_string_equal(build_log_tail_line(&log, BUILD_LOG_TAIL_LINES - 1), "line 999");
        assert_null(build_log_tail_line(&log, BUILD_LOG_TAIL_LINES));
        memset(huge, 'x', sizeof huge);
        build_log_feed(&log, huge, sizeof huge);
        build_log_feed(&log, "\n", 1);
        assert_int_equal(strlen(build_log_tail_line(&log, BUILD_LOG_TAIL_LINES - 1)),
                         BUILD_LOG_LINE_BYTES - 1);
        build_log_feed(&log, "cc1: error: x: No space left on device\n", 39);
        assert_true(log.disk_is_full);
}

static const struct version_case {
        const char *what, *makefile, *want; /* NULL: refused */
} version_cases[] = {
        { "Linux 6.1",
          "# SPDX-License-Identifier: GPL-2.0\nVERSION = 6\nPATCHLEVEL = 1\nSUBLEVEL = 192\n"
          "EXTRAVERSION =\nNAME = Curry Ramen\n",
          "6.1.192" },
        { "a release candidate",
          "VERSION = 6\nPATCHLEVEL = 19\nSUBLEVEL = 0\nEXTRAVERSION = -rc3\n", "6.19.0-rc3" },
        { "Linux 2.6", "VERSION = 2\nPATCHLEVEL = 6\nSUBLEVEL = 32\nEXTRAVERSION = .71\r\n",
          "2.6.32.71" },
        { "no SUBLEVEL", "VERSION=7\nPATCHLEVEL=0\n", "7.0" },
        { "another project's", "all:\n\ttrue\n", NULL },
        { "a version that is none", "VERSION = 1.2\nPATCHLEVEL = 3\n", NULL },
        { "a shell in place of one", "VERSION = $(shell x)\nPATCHLEVEL = 3\n", NULL },
        { "no PATCHLEVEL", "VERSION = 6\n", NULL },
        { "an empty file", "", NULL },
};

static void check_version(void **state)
{
        const struct version_case *c = *state;
        CLEANUP(freep) char *version = NULL;

        assert_int_equal(kernel_source_version(c->makefile, &version), c->want ? 0 : -EINVAL);
        if (c->want)
                assert_string_equal(version, c->want);
        else
                assert_null(version);
}

static void touch(const char *folder, const char *name, mode_t mode, const char *text)
{
        CLEANUP(freep) char *path = scratch_join(folder, name);
        CLEANUP(closep) int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);

        assert_true(fd >= 0);
        assert_int_equal(write(fd, text, strlen(text)), (ssize_t) strlen(text));
        assert_int_equal(fchmod(fd, mode), 0);
}

static int make_folder(void **state)
{
        const char *parent = getenv("TMPDIR");
        char *path = NULL;

        if (asprintf(&path, "%s/bootlap-test.XXXXXX", parent ? parent : "/tmp") < 0 ||
            !mkdtemp(path))
                return -1;
        *state = path;
        return 0;
}

static int remove_folder(void **state)
{
        int r = scratch_remove(*state, NULL);

        free(*state);
        return r;
}

static void newest_source(void **state)
{
        static const char *const names[] = { "linux-source-6.1.tar.xz",  "linux-source-6.9.tar.xz",
                                             "linux-source-6.10.tar.xz", "linux-source-6.2.tar.bz2",
                                             "linux-source-9.patch.xz",  "linux-headers-9.tar.xz",
                                             "xlinux-source-9.tar" };
        const char *folder = *state;
        CLEANUP(freep) char *path = NULL;

        assert_int_equal(kernel_source_newest(folder, &path), -ENOENT);
        assert_int_equal(kernel_source_newest("/nonexistent", &path), -ENOENT);
        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                touch(folder, names[i], 0644, "");
        assert_int_equal(kernel_source_newest(folder, &path), 0);
        assert_string_equal(strrchr(path, '/'), "/linux-source-6.10.tar.xz");
}

static void finding_programs(void **state)
{
        const char *folder = *state;
        CLEANUP(freep) char *list = NULL, *other = scratch_join(folder, "other"), *found = NULL;
        CLEANUP(freep) char *want = scratch_join(folder, "other/make");

        assert_int_equal(mkdir(other, 0700), 0);
        touch(folder, "make", 0644, ""); /* not executable */
        touch(folder, "other/make", 0755, "");
        assert_true(asprintf(&list, ":.:relative:%s::%s", folder, other) > 0);
        assert_int_equal(toolchain_find(list, "make", &found), 0);
        assert_string_equal(found, want);
        assert_int_equal(toolchain_find(list, "gcc", &found), -ENOENT);
        assert_int_equal(toolchain_find("", "make", &found), -ENOENT);
        assert_int_equal(toolchain_find(folder, "other", &found), -ENOENT); /* a folder */
}

static void finding_wrappers(void **state)
{
        const char *folder = *state;
        CLEANUP(freep)
        char *wrapper = scratch_join(folder, "ccache"), *gcc = scratch_join(folder, "gcc");
        CLEANUP(freep) char *words = NULL;

        touch(folder, "ccache", 0755, "");
        touch(folder, "gcc", 0755, "\177ELF ccache");
        assert_int_equal(toolchain_find_wrapper(folder, &words), 0); /* not a script */
        touch(folder, "gcc", 0755, "#!/bin/sh\nexec /usr/bin/gcc \"$@\"\n");
        assert_int_equal(toolchain_find_wrapper(folder, &words), 0);
        touch(folder, "gcc", 0755, "#!/bin/sh\nexec sccache /usr/bin/gcc \"$@\"\n");
        assert_int_equal(toolchain_find_wrapper(folder, &words), 1);
        assert_non_null(strstr(words, "/gcc is sccache"));
        free(TAKE(words));
        assert_int_equal(unlink(gcc), 0);
        assert_int_equal(symlink("ccache", gcc), 0);
        assert_int_equal(toolchain_find_wrapper(folder, &words), 1);
        assert_non_null(strstr(words, "/gcc is ccache"));
        free(TAKE(words));
        assert_int_equal(unlink(gcc), 0);
        assert_int_equal(link(wrapper, gcc), 0);
        assert_int_equal(toolchain_find_wrapper(folder, &words), 1);
        assert_non_null(strstr(words, "/gcc is ccache"));
}

static void wrappers_in_words(void **state)
{
        (void) state;
        assert_string_equal(toolchain_wrapper_in("ccache gcc"), "ccache");
        assert_string_equal(toolchain_wrapper_in("/usr/lib/distcc/gcc"), "distcc");
        assert_string_equal(toolchain_wrapper_in("nice ccache"), "ccache");
        assert_null(toolchain_wrapper_in("gcc-12"));
        assert_null(toolchain_wrapper_in("myccached"));
        assert_null(toolchain_wrapper_in(""));
}

static void environment(void **state)
{
        char *const given[] = { (char[]){ "PATH=/bin" },     (char[]){ "KBUILD_OUTPUT=x" },
                                (char[]){ "ARCH=arm64" },    (char[]){ "ARCHIVE=x" },
                                (char[]){ "MAKEFLAGS=-k" },  (char[]){ "TERM=xterm" },
                                (char[]){ "CCACHE_DIR=/x" }, (char[]){ "V=1" },
                                (char[]){ "VERSION=1" },     NULL };
        CLEANUP(toolchain_environment_freep) char **bare = toolchain_environment("/bin", "/tmp/x");
        CLEANUP(json_decrefp) json_t *ignored = toolchain_ignored(given);
        CLEANUP(freep) char *text = json_dumps(ignored, JSON_COMPACT);

        (void) state;
        assert_string_equal(text,
                            "[\"ARCH\",\"CCACHE_DIR\",\"KBUILD_OUTPUT\",\"MAKEFLAGS\",\"V\"]");
        assert_string_equal(bare[0], "PATH=/bin");
        assert_string_equal(bare[2], "TMPDIR=/tmp/x");
        assert_string_equal(bare[3], "LC_ALL=C");
        assert_null(bare[5]);
}

static void configuration(void **state)
{
        const char *text = "# CONFIG_B is not set\nCONFIG_A=y\nCONFIG_AB=m\nCONFIG_C=\"y\"\n"
                           "CONFIG_D=n\nCONFIG_E_CONFIG_F=y\n";

        (void) state;
        assert_true(kernel_config_has(text, "A"));
        assert_true(kernel_config_has(text, "AB"));
        assert_false(kernel_config_has(text, "B"));
        assert_false(kernel_config_has(text, "C"));
        assert_false(kernel_config_has(text, "D"));
        assert_false(kernel_config_has(text, "F"));
        assert_false(kernel_config_has("", "A"));
        assert_true(kernel_config_guess_bytes(text) > kernel_config_guess_bytes("CONFIG_A=y\n"));
        assert_true(kernel_config_guess_bytes("CONFIG_DEBUG_INFO=y\n") >
                    kernel_config_guess_bytes("CONFIG_A=y\n"));
        assert_true(kernel_config_is_target("tinyconfig"));
        assert_false(kernel_config_is_target("menuconfig")); /* it would ask */
}

static void scratch_folders(void **state)
{
        const char *parent = *state;
        struct progress progress = { .style = PROGRESS_NONE };
        CLEANUP(scratch_done) struct scratch a = SCRATCH_NULL, b = SCRATCH_NULL;
        CLEANUP(freep) char *path_a = NULL, *kept = scratch_join(parent, "kept");

        assert_int_equal(scratch_make(&a, parent, "test", &progress, NULL), 0);
        assert_int_equal(mkdir((path_a = scratch_join(a.path, "x")), 0700), 0);
        touch(a.path, "x/file", 0400, "");
        assert_int_equal(scratch_make(&b, parent, "test", &progress, NULL), 0);
        assert_int_equal(access(a.path, F_OK), 0); /* in use: not swept up */
        assert_int_equal(scratch_keep(&b, kept, NULL), 0);
        assert_int_equal(access(kept, F_OK), 0);
        closep(&a.lock_fd); /* as if we had been killed */
        a.lock_fd = -EBADF;
        assert_int_equal(scratch_make(&b, parent, "test", &progress, NULL), 0);
        assert_int_equal(access(a.path, F_OK), -1);
        assert_int_equal(access(kept, F_OK), 0);
        assert_int_equal(scratch_make(&a, "/nonexistent", "test", &progress, NULL), -ENOENT);
}

static void room(void **state)
{
        struct fault fault = FAULT_NULL;

        assert_int_equal(scratch_need_space(*state, 0, 0, "it", &fault), 0);
        assert_int_equal(scratch_need_space(*state, UINT64_MAX / 2, 0, "it", &fault), -ENOSPC);
        assert_non_null(strstr(fault.text, "MiB free"));
}

int main(void)
{
        struct CMUnitTest tests[ELEMENTSOF(log_cases) + ELEMENTSOF(version_cases) + 10];
        size_t n = 0;

        for (size_t i = 0; i < ELEMENTSOF(log_cases); i++)
                tests[n++] =
                        (struct CMUnitTest){ .name = log_cases[i].what,
                                             .test_func = check_log,
                                             .initial_state = (void *) (uintptr_t) &log_cases[i] };
        for (size_t i = 0; i < ELEMENTSOF(version_cases); i++)
                tests[n++] = (struct CMUnitTest){ .name = version_cases[i].what,
                                                  .test_func = check_version,
                                                  .initial_state =
                                                          (void *) (uintptr_t) &version_cases[i] };
        tests[n++] = (struct CMUnitTest) cmocka_unit_test(tail_is_bounded);
        tests[n++] = (struct CMUnitTest) cmocka_unit_test(wrappers_in_words);
        tests[n++] = (struct CMUnitTest) cmocka_unit_test(environment);
        tests[n++] = (struct CMUnitTest) cmocka_unit_test(configuration);
        tests[n++] = (struct CMUnitTest) cmocka_unit_test_setup_teardown(newest_source, make_folder,
                                                                         remove_folder);
        tests[n++] = (struct CMUnitTest) cmocka_unit_test_setup_teardown(
                finding_programs, make_folder, remove_folder);
        tests[n++] = (struct CMUnitTest) cmocka_unit_test_setup_teardown(
                finding_wrappers, make_folder, remove_folder);
        tests[n++] = (struct CMUnitTest) cmocka_unit_test_setup_teardown(
                scratch_folders, make_folder, remove_folder);
        tests[n++] = (struct CMUnitTest) cmocka_unit_test_setup_teardown(room, make_folder,
                                                                         remove_folder);
        return _cmocka_run_group_tests("build", tests, n, NULL, NULL);
}
