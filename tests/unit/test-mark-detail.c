/* tests/unit/test-mark-detail.c - words of a mark's detail, written and read */
#include "tests/test.h"
#include <string.h>
#include "record/mark_detail.h"

static void foreign_text_stays_one_word(void **state)
{
        struct mark_detail d = MARK_DETAIL_NULL;
        CLEANUP(freep) char *title = NULL, *session = NULL;

        (void) state;
        mark_detail_add(&d, "title", "%s", "a b=c 100%\tsession=:9\n\x7f");
        mark_detail_add(&d, "session", ":%d", 0);
        assert_string_equal(d.text, "title=a%20b=c%20100%25%09session=:9%0A%7F session=:0");
        assert_int_equal(mark_detail_get(d.text, "title", &title), 0);
        assert_string_equal(title, "a b=c 100%\tsession=:9\n\x7f");
        assert_int_equal(mark_detail_get(d.text, "session", &session), 0);
        assert_string_equal(session, ":0");
}

static void keys_are_whole(void **state)
{
        char *value = NULL;

        (void) state;
        assert_int_equal(mark_detail_get("xpid=1 pid2=2", "pid", &value), -ENOENT);
        assert_int_equal(mark_detail_get("a plain remark", "plain", &value), -ENOENT);
        assert_int_equal(mark_detail_get("", "a", &value), -ENOENT);
        assert_int_equal(mark_detail_get(NULL, "a", &value), -ENOENT);
        assert_null(value);
        assert_int_equal(mark_detail_get("  a=  b=2", "a", &value), 0);
        assert_string_equal(value, "");
        free(value);
}

static void bad_codes_stay(void **state)
{
        CLEANUP(freep) char *value = NULL;

        (void) state;
        assert_int_equal(mark_detail_get("a=%zz%2%00%41", "a", &value), 0);
        assert_string_equal(value, "%zz%2%00A"); /* a NUL would end the text */
}

static void too_much_is_left_out_whole(void **state)
{
        struct mark_detail d = MARK_DETAIL_NULL, more = MARK_DETAIL_NULL;
        char text[1000];
        CLEANUP(freep) char *value = NULL;

        (void) state;
        memset(text, ' ', sizeof text - 1);
        text[sizeof text - 1] = '\0';
        mark_detail_add(&d, "first", "%s", text); /* cut to 200, each three bytes long */
        assert_int_equal(d.used, strlen("first=") + 3 * 200);
        mark_detail_add(&d, "second", "%s", text);
        mark_detail_add(&d, "third", "3");
        assert_int_equal(mark_detail_get(d.text, "second", &value), -ENOENT);
        assert_int_equal(mark_detail_get(d.text, "third", &value), 0);
        mark_detail_append(&more, &d);
        assert_string_equal(more.text, d.text);
        mark_detail_append(&more, &d); /* its small word only */
        assert_int_equal(more.used, d.used + strlen(" third=3"));
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(foreign_text_stays_one_word),
                cmocka_unit_test(keys_are_whole),
                cmocka_unit_test(bad_codes_stay),
                cmocka_unit_test(too_much_is_left_out_whole),
        };

        return cmocka_run_group_tests_name("mark_detail", tests, NULL, NULL);
}
