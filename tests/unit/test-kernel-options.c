/* tests/unit/test-kernel-options.c - configs read, asked, kept by hash and found damaged */
#include "tests/test.h"
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include "machine/kernel_config.h"
#include "record/digest.h"
#include "record/json.h"
#include "record/kernel_options.h"

static char store[] = "/tmp/bootlap-test-options.XXXXXX";
static const char config[] = "#\n# Linux\n#\nCONFIG_HZ=250\nCONFIG_HZ_250=y\n"
                             "# CONFIG_PREEMPT is not set\nCONFIG_LOCALVERSION=\"-a=b\"\n"
                             "CONFIG_X86_PAE=y\n# CONFIG_X is not set up\nnonsense\n";

static int make_store(void **state)
{
        (void) state;
        return mkdtemp(store) ? 0 : -1;
}

static int remove_store(void **state)
{
        CLEANUP(freep) char *command = NULL;

        (void) state;
        if (asprintf(&command, "rm -rf '%s'", store) < 0)
                return -1;
        return system(command);
}

static void asked(void **state)
{
        struct kernel_config k = { .text = (char *) (uintptr_t) config,
                                   .n_bytes = sizeof config - 1 };
        const char *value;
        int64_t number;
        size_t n;

        (void) state;
        assert_true(kernel_config_is_set(&k, "CONFIG_X86_PAE"));
        assert_false(kernel_config_is_set(&k, "CONFIG_X86"));
        assert_false(kernel_config_is_set(&k, "CONFIG_PREEMPT"));
        assert_false(kernel_config_is_set(&k, "CONFIG_HZ"));
        assert_true(kernel_config_integer(&k, "CONFIG_HZ", &number));
        assert_int_equal(number, 250);
        assert_false(kernel_config_integer(&k, "CONFIG_X86_PAE", &number));
        assert_true(kernel_config_value(&k, "CONFIG_LOCALVERSION", &value, &n));
        assert_int_equal(n, 6);
        assert_memory_equal(value, "\"-a=b\"", n);
}

static void parsed(void **state)
{
        CLEANUP(json_decrefp) json_t *options = NULL;

        (void) state;
        assert_int_equal(kernel_options_parse(config, &options), 0);
        assert_int_equal(json_object_size(options), 5);
        assert_string_equal(json_string_value(json_object_get(options, "CONFIG_HZ")), "250");
        assert_string_equal(json_string_value(json_object_get(options, "CONFIG_PREEMPT")), "n");
        assert_string_equal(json_string_value(json_object_get(options, "CONFIG_LOCALVERSION")),
                            "\"-a=b\"");
        assert_null(json_object_get(options, "CONFIG_X"));
}

static void kept_and_loaded(void **state)
{
        CLEANUP(json_decrefp) json_t *options = NULL;
        CLEANUP(freep) char *path = NULL;
        char hex[DIGEST_HEX_BYTES];
        struct stat before, after;

        (void) state;
        digest_hex(config, strlen(config), hex);
        assert_int_equal(kernel_options_load(store, hex, &options, NULL), -ENOENT);
        assert_int_equal(kernel_options_keep(store, hex, config, strlen(config), NULL), 0);
        assert_true(asprintf(&path, "%s/kernel-configs/%s.gz", store, hex) > 0);
        assert_int_equal(stat(path, &before), 0);
        assert_int_equal(kernel_options_keep(store, hex, config, strlen(config), NULL), 0);
        assert_int_equal(stat(path, &after), 0);
        assert_int_equal(before.st_ino, after.st_ino); /* not written again */
        assert_int_equal(kernel_options_load(store, hex, &options, NULL), 0);
        assert_int_equal(json_object_size(options), 5);
}

static void damaged(void **state)
{
        CLEANUP(json_decrefp) json_t *options = NULL;
        CLEANUP(freep) char *path = NULL;
        struct fault fault = FAULT_NULL;
        char hex[DIGEST_HEX_BYTES];

        (void) state;
        digest_hex("other", 5, hex);
        assert_int_equal(kernel_options_keep(store, hex, config, strlen(config), NULL), 0);
        assert_int_equal(kernel_options_load(store, hex, &options, &fault), -EBADMSG);
        assert_non_null(strstr(fault.text, hex));
        assert_true(asprintf(&path, "%s/kernel-configs/%s.gz", store, hex) > 0);
        assert_int_equal(truncate(path, 20), 0);
        assert_int_equal(kernel_options_load(store, hex, &options, &fault), -EBADMSG);
        assert_null(options);
}

/* zlib says of any failed write that it failed: a full disk must be told from a broken one. */
static void no_room(void **state)
{
        struct rlimit before, eight = { .rlim_cur = 8 };
        CLEANUP(freep) char *path = NULL;
        struct fault fault = FAULT_NULL;
        char hex[DIGEST_HEX_BYTES];
        int r;

        (void) state;
        digest_hex("a third", 7, hex);
        assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
        assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
        eight.rlim_max = before.rlim_max;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &eight), 0);
        r = kernel_options_keep(store, hex, config, strlen(config), &fault);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(r, -EFBIG);
        assert_non_null(strstr(fault.text, hex));
        assert_true(asprintf(&path, "%s/kernel-configs/%s.gz", store, hex) > 0);
        assert_int_equal(access(path, F_OK), -1);
}

/* A hash comes from a record, which may be anybody's: it must not lead out of the folder. */
static void no_path(void **state)
{
        CLEANUP(json_decrefp) json_t *options = NULL;

        (void) state;
        assert_int_equal(kernel_options_load(store, "../../etc/passwd", &options, NULL), -EINVAL);
        assert_int_equal(kernel_options_load(store, "", &options, NULL), -EINVAL);
        assert_int_equal(kernel_options_keep(store, "../x", "y", 1, NULL), -EINVAL);
}

int main(void)
{
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(asked),           cmocka_unit_test(parsed),
                cmocka_unit_test(kept_and_loaded), cmocka_unit_test(damaged),
                cmocka_unit_test(no_room),         cmocka_unit_test(no_path)
        };

        return cmocka_run_group_tests_name("kernel-options", tests, make_store, remove_store);
}
