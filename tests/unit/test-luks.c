/* tests/unit/test-luks.c - headers that cryptsetup has written, and whether a drive may be read */
#include "tests/test.h"
#include <string.h>
#include <sys/stat.h>
#include "machine/awake.h"
#include "machine/luks.h"

static char folder[] = "/tmp/bootlap-test-luks.XXXXXX";

static int run(const char *format, ...) PRINTF_LIKE(1, 2);
static int run(const char *format, ...)
{
        CLEANUP(freep) char *command = NULL;
        va_list ap;
        int n;

        va_start(ap, format);
        n = vasprintf(&command, format, ap);
        va_end(ap);
        return n < 0 ? -1 : system(command);
}

static int make_folder(void **state)
{
        (void) state;
        return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
        (void) state;
        return run("rm -rf '%s'", folder);
}

/* format() - a LUKS container in a file; the cheapest key derivation that the options allow */
static char *format(const char *options)
{
        char *path;

        assert_true(asprintf(&path, "%s/image", folder) > 0);
        assert_int_equal(run("rm -f '%s' && truncate -s 20M '%s' && echo pw | "
                             "cryptsetup luksFormat -q %s '%s' -",
                             path, path, options, path),
                         0);
        return path;
}

static void luks2(void **state)
{
        CLEANUP(freep)
        char *path = format("--type luks2 --pbkdf argon2id --pbkdf-memory 64 "
                            "--pbkdf-force-iterations 5 --pbkdf-parallel 2");
        struct luks_pbkdf got = { .type = "" };

        (void) state;
        assert_int_equal(luks_pbkdf_read(&got, path, NULL), 0);
        assert_string_equal(got.type, "argon2id");
        assert_int_equal(got.iterations, 5);
        assert_int_equal(got.memory_bytes, 64 * 1024);
        assert_in_range(got.threads, 1, 2); /* no more than there are CPUs */
}

static void luks2_with_pbkdf2(void **state)
{
        CLEANUP(freep)
        char *path = format("--type luks2 --pbkdf pbkdf2 --pbkdf-force-iterations 1234");
        struct luks_pbkdf got = { .type = "" };

        (void) state;
        assert_int_equal(luks_pbkdf_read(&got, path, NULL), 0);
        assert_string_equal(got.type, "pbkdf2");
        assert_int_equal(got.iterations, 1234);
        assert_int_equal(got.memory_bytes, 0);
}

static void luks1(void **state)
{
        CLEANUP(freep) char *path = format("--type luks1 --pbkdf-force-iterations 2345");
        struct luks_pbkdf got = { .type = "" };

        (void) state;
        assert_int_equal(luks_pbkdf_read(&got, path, NULL), 0);
        assert_string_equal(got.type, "pbkdf2");
        assert_int_equal(got.iterations, 2345);
}

static void no_luks(void **state)
{
        CLEANUP(freep) char *path = NULL;
        struct luks_pbkdf got = { .type = "untouched" };
        struct fault fault = FAULT_NULL;

        (void) state;
        assert_true(asprintf(&path, "%s/zeros", folder) > 0);
        assert_int_equal(run("truncate -s 20M '%s'", path), 0);
        assert_true(luks_pbkdf_read(&got, path, &fault) < 0);
        assert_non_null(strstr(fault.text, path));
        assert_true(luks_pbkdf_read(&got, "/nowhere", &fault) < 0);
        assert_non_null(strstr(fault.text, "/nowhere"));
        assert_string_equal(got.type, "untouched");
}

/* The kernel refuses a vector of another size; its own are in /proc/crypto. */
static void vectors(void **state)
{
        (void) state;
        assert_int_equal(luks_iv_bytes("aes", "xts-plain64"), 16);
        assert_int_equal(luks_iv_bytes("serpent", "cbc-essiv:sha256"), 16);
        assert_int_equal(luks_iv_bytes("aes", "ecb"), 0);
        assert_int_equal(luks_iv_bytes("xchacha12,aes", "adiantum-plain64"), 32);
        assert_int_equal(luks_iv_bytes("xchacha20,aes", "adiantum"), 32);
        assert_int_equal(luks_iv_bytes("aes", "hctr2-plain64"), 32);
        assert_int_equal(luks_iv_bytes("blowfish", "cbc-plain"), 8);
        assert_int_equal(luks_iv_bytes("des3_ede", "cbc-essiv:sha256"), 8);
}

static const struct drive_case {
        const char *what, *devpath, *rotational, *status;
        bool want;
} drives[] = {
        { "solid state", "../../devices/ata1/host0/block/sda", "0", "active", true },
        { "solid state that is suspended", "../../devices/ata1/host0/block/sda", "0", "suspended",
          true },
        { "virtual", "../../devices/virtio1/block/vda", "1", "active", true },
        { "rotating, suspended", "../../devices/ata1/host0/block/sda", "1", "suspended", false },
        { "rotating, about to be", "../../devices/ata1/host0/block/sda", "1", "suspending", false },
        { "rotating, and nobody to ask", "../../devices/ata1/host0/block/sda", "1", "active",
          false },
        { "nothing known", "../../devices/ata1/host0/block/sda", NULL, NULL, false },
};

static void awake(void **state)
{
        CLEANUP(machine_close) struct machine_context m = MACHINE_CONTEXT_NULL;

        (void) state;
        assert_int_equal(machine_open(&m, folder, NULL), 0);
        for (size_t i = 0; i < ELEMENTSOF(drives); i++) {
                const struct drive_case *c = &drives[i];
                struct stack_node n = { .dir = (char *) (uintptr_t) "drive",
                                        .devpath = (char *) (uintptr_t) c->devpath };
                struct fault fault = FAULT_NULL;

                assert_int_equal(run("cd '%s' && rm -rf drive && mkdir -p drive/queue "
                                     "drive/device/power",
                                     folder),
                                 0);
                if (c->rotational)
                        assert_int_equal(run("cd '%s/drive' && echo %s >queue/rotational && "
                                             "echo %s >device/power/runtime_status",
                                             folder, c->rotational, c->status),
                                         0);
                if (drive_is_awake(&m, &n, &fault) != c->want)
                        fail_msg("%s: %s", c->what, fault.text);
                assert_int_equal(fault.text[0] != '\0', !c->want);
        }
}

int main(void)
{
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(luks2), cmocka_unit_test(luks2_with_pbkdf2),
                cmocka_unit_test(luks1), cmocka_unit_test(no_luks),
                cmocka_unit_test(awake), cmocka_unit_test(vectors)
        };

        return cmocka_run_group_tests_name("luks", tests, make_folder, remove_folder);
}
