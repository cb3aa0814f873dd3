/* tests/unit/test-hide.c - a whole record loses this machine's names, wherever a text can stand */
#include "tests/test.h"
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include "machine/machine.h"
#include "machine/names.h"
#include "record/json.h"

static char root[] = "/tmp/bootlap-test-hide.XXXXXX";

static void write_file(const char *path, const char *text)
{
        CLEANUP(freep) char *full = NULL;
        CLEANUP(fclosep) FILE *f = NULL;

        assert_true(asprintf(&full, "%s/%s", root, path) > 0);
        for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
                *slash = '\0';
                assert_true(mkdir(full, 0755) == 0 || errno == EEXIST);
                *slash = '/';
        }
        f = fopen(full, "we");
        assert_non_null(f);
        assert_true(fputs(text, f) >= 0);
}

static int make_root(void **state)
{
        (void) state;
        if (!mkdtemp(root))
                return -1;
        write_file("proc/sys/kernel/hostname", "pluto.example.org\n");
        write_file("etc/hostname", "pluto\n");
        write_file("etc/machine-id", "0123456789abcdef0123456789abcdef\n");
        write_file("etc/passwd", "root:x:0:0::/root:/bin/sh\nmail:x:8:8::/:/bin/sh\n"
                                 "joe:x:1000:1000::/home/joe:/bin/sh\n"
                                 "debian:x:1001:1001::/home/debian:/bin/sh\n"
                                 "ab:x:1002:1002::/home/ab:/bin/sh\n"
                                 "nobody:x:65534:65534::/:/bin/sh\n");
        write_file("sys/block/sda/device/serial", "WD-WX11A2B3C4\n");
        write_file("sys/block/loop0/serial", "drive\n");
        return 0;
}

static int remove_root(void **state)
{
        CLEANUP(freep) char *command = NULL;

        (void) state;
        if (asprintf(&command, "rm -rf '%s'", root) < 0)
                return -1;
        return system(command);
}

static const struct word_case {
        const char *from, *to;
} words[] = {
        { "pluto", "<host>" },
        { "PLUTO", "<host>" },
        { "on pluto.example.org, as said", "on <host>, as said" },
        { "pluto--vg-root pluto_crypt pluto's", "<host>--vg-root <host>_crypt <host>'s" },
        { "plutonium and xpluto stay", "plutonium and xpluto stay" },
        { "dev-mapper-pluto\\x2d\\x2dvg\\x2dswap.swap",
          "dev-mapper-<host>\\x2d\\x2dvg\\x2dswap.swap" },
        { "dev-mapper-vg\\x2dpluto.device", "dev-mapper-vg\\x2d<host>.device" },
        { "joe logs in, joel does not", "<user> logs in, joel does not" },
        { "/home/joe/Mail", "/home/<user>/Mail" },
        { "/home/somebody-else/Mail: gone", "/home/<user>/Mail: gone" },
        { "/var/mail/x: no such file", "/var/mail/<user>: no such file" },
        { "Debian 12, nobody, root, mail, ab", "Debian 12, nobody, root, mail, ab" },
        { "ata-WDC_WD5000-WD-WX11A2B3C4", "ata-WDC_WD5000-<serial>" },
        { "a loop device has no factory: drive", "a loop device has no factory: drive" },
        { "0123456789abcdef0123456789abcdef", "<machine>" },
        { "", "" },
};

static void words_are_replaced(void **state)
{
        CLEANUP(machine_close) struct machine_context m = MACHINE_CONTEXT_NULL;
        CLEANUP(names_done) struct names names = NAMES_NULL;

        (void) state;
        assert_int_equal(machine_open(&m, root, NULL), 0);
        assert_int_equal(names_read(&names, &m), 0);
        for (size_t i = 0; i < ELEMENTSOF(words); i++) {
                CLEANUP(freep) char *got = names_hide(&names, words[i].from);

                assert_string_equal(got, words[i].to);
        }
}

/* fill() - a record with the same text wherever a foreign text can be */
static struct record *fill(const char *text)
{
        struct record *r = record_new();
        struct sample s = SAMPLE_NULL;
        struct sample_value *value;
        char *own = (char *) (uintptr_t) text;

        assert_non_null(r);
        r->id = strdup("id");
        r->machine = strdup("machine");
        r->incomplete = strdup(text);
        for (int i = 0; i < 2; i++)
                assert_int_equal(
                        record_see(r, "unlock.mapped", text,
                                   &(struct sighting){ .source = (char *) (uintptr_t) "udev",
                                                       .detail = own,
                                                       .implausible = own }),
                        0);
        assert_int_equal(record_add_wait(r, "unlock", text, 1, 2, 1), 0);
        assert_int_equal(record_add_absent(r, "wm.ready", "%s", text), 0);
        assert_int_equal(record_add_unit(r, text, 1, 2), 0);
        assert_int_equal(record_add_warning(r, "%s", text), 0);
        assert_int_equal(record_set_string(r->config, "kernel.release", text), 0);
        assert_int_equal(record_set_string(r->cost, "x", text), 0);
        assert_int_equal(sample_init(&s, "maildir.open", 1), 0);
        assert_int_equal(sample_add(&s, "real", 1, "s", BETTER_LOWER, &value), 0);
        value->implausible = strdup(text);
        s.parameters = json_pack("{ss}", "path", text);
        s.details = json_pack("{s[s{ss}]}", "list", text, "deep", text);
        assert_int_equal(record_add_sample(r, &s), 0);
        return r;
}

static void a_whole_record(void **state)
{
        static const char *const texts[] = {
                "pluto",
                "joe",
                "WD-WX11A2B3C4",
                "1b2c3d4e-aaaa-bbbb-cccc-0123456789ab",
                "dev-disk-by\\x2duuid-1b2c3d4e\\x2daaaa\\x2dbbbb\\x2dcccc\\x2d0123456789ab.device",
                "luks-1b2c3d4e-aaaa-bbbb-cccc-0123456789ab",
                "52:54:00:aa:bb:cc",
                "wwn-0x5000c500a1b2c3d4",
                "0123456789abcdef0123456789abcdef",
        };
        static const char *const needles[] = {
                "pluto", "joe", "WX11", "cccc", "aa:bb", "a1b2c3", "0123456789abcdef"
        };
        CLEANUP(machine_close) struct machine_context m = MACHINE_CONTEXT_NULL;

        (void) state;
        assert_int_equal(machine_open(&m, root, NULL), 0);
        for (size_t i = 0; i < ELEMENTSOF(texts); i++) {
                CLEANUP(record_freep) struct record *r = fill(texts[i]);
                CLEANUP(json_decrefp) json_t *j = NULL;
                CLEANUP(freep) char *text = NULL;

                assert_int_equal(machine_hide(&m, r, NULL), 0);
                j = record_to_json(r);
                text = json_dumps(j, 0);
                for (size_t n = 0; n < ELEMENTSOF(needles); n++)
                        if (strstr(text, needles[n]))
                                fail_msg("%s: %s is still in %s", texts[i], needles[n], text);
        }
}

static void labels_and_the_distribution_stay(void **state)
{
        CLEANUP(machine_close) struct machine_context m = MACHINE_CONTEXT_NULL;
        CLEANUP(record_freep) struct record *r = fill("x");

        (void) state;
        assert_int_equal(machine_open(&m, root, NULL), 0);
        assert_int_equal(record_set_string(r->labels, "note", "pluto of joe"), 0);
        assert_int_equal(record_set_string(r->config, "os.id", "pluto"), 0);
        assert_int_equal(machine_hide(&m, r, NULL), 0);
        assert_string_equal(json_string_value(json_object_get(r->labels, "note")), "pluto of joe");
        assert_string_equal(json_string_value(json_object_get(r->config, "os.id")), "pluto");
}

static void asked_for_serials(void **state)
{
        CLEANUP(machine_close) struct machine_context m = MACHINE_CONTEXT_NULL;
        CLEANUP(record_freep) struct record *r = fill("pluto");

        (void) state;
        assert_int_equal(machine_open(&m, root, NULL), 0);
        assert_int_equal(record_set_string(r->config, "drive.serial", "WD-WX11A2B3C4"), 0);
        assert_int_equal(record_set_string(r->config, "path.maildir.fs.uuid", "1A2B-3C4D"), 0);
        m.keep_serials = true;
        assert_int_equal(machine_hide(&m, r, NULL), 0);
        assert_string_equal(json_string_value(json_object_get(r->config, "drive.serial")),
                            "WD-WX11A2B3C4");
        assert_string_equal(json_string_value(json_object_get(r->config, "path.maildir.fs.uuid")),
                            "1A2B-3C4D");
        assert_string_equal(r->warnings[0], "<host>"); /* that was not asked for */
}

int main(void)
{
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(words_are_replaced), cmocka_unit_test(a_whole_record),
                cmocka_unit_test(labels_and_the_distribution_stay),
                cmocka_unit_test(asked_for_serials)
        };

        return cmocka_run_group_tests_name("hide", tests, make_root, remove_root);
}
