/* The key to an X server, out of files that may be anything */
#include "tests/test.h"
#include <X11/Xauth.h>
#include <string.h>
#include "tests/tree.h"
#include "witness/cookie.h"

#define MAGIC "MIT-MAGIC-COOKIE-1"

static void add(FILE *f, unsigned short family, const char *number, const char *name,
                const char *data)
{
        Xauth a = { .family = family,
                    .address_length = 4,
                    .address = (char[]){ "host" },
                    .number_length = (unsigned short) strlen(number),
                    .number = (char *) (uintptr_t) number,
                    .name_length = (unsigned short) strlen(name),
                    .name = (char *) (uintptr_t) name,
                    .data_length = (unsigned short) strlen(data),
                    .data = (char *) (uintptr_t) data };

        assert_int_equal(XauWriteAuth(f, &a), 1);
}

static const char *in_tree(const struct tree *t, const char *name, char path[128])
{
        (void) snprintf(path, 128, "%s/%s", t->path, name);
        return path;
}

static void the_entry_that_fits(void **state)
{
        CLEANUP(tree_remove) struct tree t = tree_make();
        struct cookie c = COOKIE_NULL;
        char path[128];
        FILE *f = fopen(in_tree(&t, "auth", path), "w");

        (void) state;
        assert_non_null(f);
        add(f, 0 /* the network */, "0", MAGIC, "of the network");
        add(f, FamilyLocal, "0", "XDM-AUTHORIZATION-1", "another kind");
        add(f, FamilyLocal, "1", MAGIC, "of display 1");
        add(f, FamilyLocal, "10", MAGIC, "of display 10");
        add(f, FamilyWild, "", MAGIC, "of any display");
        assert_int_equal(fclose(f), 0);
        assert_int_equal(cookie_read(path, 1, &c, NULL), 0);
        assert_string_equal(c.name, MAGIC);
        assert_int_equal(c.n_bytes, strlen("of display 1"));
        assert_memory_equal(c.data, "of display 1", c.n_bytes);
        assert_int_equal(cookie_read(path, 0, &c, NULL), 0);
        assert_memory_equal(c.data, "of any display", c.n_bytes);
}

static void none_that_fits(void **state)
{
        CLEANUP(tree_remove) struct tree t = tree_make();
        struct cookie c = { .n_bytes = 7 };
        struct fault fault = FAULT_NULL;
        char path[128];
        FILE *f = fopen(in_tree(&t, "auth", path), "w");

        (void) state;
        assert_non_null(f);
        add(f, FamilyLocal, "1", MAGIC, "of display 1");
        assert_int_equal(fclose(f), 0);
        assert_int_equal(cookie_read(path, 0, &c, &fault), -ENOENT);
        assert_int_equal(c.n_bytes, 7);
        assert_non_null(strstr(fault.text, "no cookie for display :0"));
}

static void files_that_are_none(void **state)
{
        CLEANUP(tree_remove) struct tree t = tree_make();
        struct cookie c = COOKIE_NULL;
        char path[128], *big = calloc(1, COOKIE_FILE_MAX_BYTES + 2);

        (void) state;
        assert_int_equal(cookie_read(in_tree(&t, "absent", path), 0, &c, NULL), -ENOENT);
        assert_int_equal(tree_put(t.fd, "real", ""), 0);
        assert_int_equal(symlinkat("real", t.fd, "link"), 0);
        assert_int_equal(cookie_read(in_tree(&t, "link", path), 0, &c, NULL), -ELOOP);
        assert_int_equal(mkfifoat(t.fd, "fifo", 0600), 0);
        assert_int_equal(cookie_read(in_tree(&t, "fifo", path), 0, &c, NULL), -EINVAL);
        assert_int_equal(cookie_read("/dev/zero", 0, &c, NULL), -EINVAL);
        assert_int_equal(cookie_read(t.path, 0, &c, NULL), -EINVAL);
        memset(big, 'x', COOKIE_FILE_MAX_BYTES + 1);
        assert_int_equal(tree_put(t.fd, "big", big), 0);
        assert_int_equal(cookie_read(in_tree(&t, "big", path), 0, &c, NULL), -EFBIG);
        assert_int_equal(tree_put(t.fd, "garbage", "\x01\xff\xff not an Xauthority file"), 0);
        assert_int_equal(cookie_read(in_tree(&t, "garbage", path), 0, &c, NULL), -ENOENT);
        assert_int_equal(cookie_read(in_tree(&t, "real", path), 0, &c, NULL), -ENOENT); /* empty */
        assert_int_equal(c.n_bytes, 0);
        free(big);
}

static void of_a_server(void **state)
{
        char *path = NULL;

        (void) state;
        assert_int_equal(cookie_path_of_server(getpid(), &path, NULL), -ENOENT); /* no -auth */
        assert_null(path);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(the_entry_that_fits),
                cmocka_unit_test(none_that_fits),
                cmocka_unit_test(files_that_are_none),
                cmocka_unit_test(of_a_server),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
