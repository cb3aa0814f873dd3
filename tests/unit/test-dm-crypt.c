/* tests/unit/test-dm-crypt.c - the device mapper's table of a dm-crypt mapping, as the kernel
 * prints it (the kernel's Documentation/admin-guide/device-mapper/dm-crypt.rst gives the grammar)
 */
#include "tests/test.h"
#include <string.h>
#include "machine/dm.h"

#define KEY64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static const struct table_case {
        const char *what, *params;
        struct dm_crypt want;
        int want_return;
} cases[] = {
        { "LUKS2, key in the keyring",
          "aes-xts-plain64 :64:logon:cryptsetup:1b2c3d4e-aaaa-bbbb-cccc-0123456789ab-d0 0 8:2 "
          "32768",
          { "aes-xts-plain64", 512, 512, "none", "none" },
          0 },
        { "LUKS2, large sectors, no work queues",
          "aes-xts-plain64 :64:logon:cryptsetup:x-d0 0 259:3 32768 5 allow_discards "
          "sector_size:4096 no_read_workqueue no_write_workqueue iv_large_sectors",
          { "aes-xts-plain64", 512, 4096,
            "allow_discards no_read_workqueue no_write_workqueue iv_large_sectors", "none" },
          0 },
        { "LUKS1, key in the table",
          "aes-cbc-essiv:sha256 " KEY64 " 0 8:2 4096",
          { "aes-cbc-essiv:sha256", 256, 512, "none", "none" },
          0 },
        { "one flag",
          "serpent-xts-plain64 " KEY64 KEY64 " 0 8:2 4096 1 allow_discards",
          { "serpent-xts-plain64", 512, 512, "allow_discards", "none" },
          0 },
        { "authenticated",
          "capi:authenc(hmac(sha256),xts(aes))-random :96:logon:x 0 253:0 0 1 integrity:48:aead",
          { "capi:authenc(hmac(sha256),xts(aes))-random", 768, 512, "none", "aead" },
          0 },
        { "no key", "cipher_null-ecb - 0 8:2 0", { "cipher_null-ecb", 0, 512, "none", "none" }, 0 },
        { "linear", "8:2 2048", { .cipher = "" }, -EINVAL },
        { "empty", "", { .cipher = "" }, -EINVAL },
        { "a key that is none", "aes-xts-plain64 zz 0 8:2 0", { .cipher = "" }, -EINVAL },
        { "a length that is none",
          "aes-xts-plain64 :x:logon:y 0 8:2 0",
          { .cipher = "" },
          -EINVAL },
        { "a sector size that is none",
          "aes-xts-plain64 - 0 8:2 0 1 sector_size:1",
          { .cipher = "" },
          -EINVAL },
};

static void check(void **state)
{
        const struct table_case *c = *state;
        struct dm_crypt got = { .cipher = "untouched" };

        assert_int_equal(dm_crypt_parse(c->params, &got), c->want_return);
        if (c->want_return < 0) {
                assert_string_equal(got.cipher, "untouched");
                return;
        }
        assert_string_equal(got.cipher, c->want.cipher);
        assert_int_equal(got.key_bits, c->want.key_bits);
        assert_int_equal(got.sector_bytes, c->want.sector_bytes);
        assert_string_equal(got.flags, c->want.flags);
        assert_string_equal(got.integrity, c->want.integrity);
}

int main(void)
{
        struct CMUnitTest tests[ELEMENTSOF(cases)];

        for (size_t i = 0; i < ELEMENTSOF(cases); i++)
                tests[i] = (struct CMUnitTest){
                        .name = cases[i].what,
                        .test_func = check,
                        .initial_state = (void *) (uintptr_t) &cases[i],
                };
        return cmocka_run_group_tests_name("dm-crypt", tests, NULL, NULL);
}
