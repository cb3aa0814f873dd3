/* tests/unit/test-mailtext.c - the encodings of mail, against RFC 2045's and RFC 2047's own
 * examples */
#include "tests/test.h"
#include <string.h>
#include "collectors/mailtext.h"

static void base64_lines(void **state)
{
        CLEANUP(mailtext_done) struct mailtext t = MAILTEXT_NULL;
        char data[60];

        (void) state;
        memset(data, 'a', sizeof data);
        mailtext_base64(&t, data, sizeof data);
        assert_string_equal(t.data, "YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYW"
                                    "FhYWFhYWFhYWFh\nYWFh\n");
        mailtext_clear(&t);
        mailtext_base64(&t, "ab", 2);
        assert_string_equal(t.data, "YWI=\n");
}

static void quoted_printable(void **state)
{
        static const char in[] =
                "=1 \374 \na line that is longer than the seventy-six characters that"
                " a line may have\n";
        CLEANUP(mailtext_done) struct mailtext t = MAILTEXT_NULL;

        (void) state;
        mailtext_quoted_printable(&t, in, sizeof in - 1);
        assert_string_equal(t.data, "=3D1 =FC=20\n"
                                    "a line that is longer than the seventy-six characters that a "
                                    "line may have\n");
        mailtext_clear(&t);
        for (int i = 0; i < 30; i++)
                mailtext_quoted_printable(&t, "\374\374", 2);
        mailtext_clear(&t);
        mailtext_quoted_printable(
                &t,
                "\374\374\374\374\374\374\374\374\374\374\374\374\374\374\374\374\374"
                "\374\374\374\374\374\374\374\374\374",
                26);
        assert_string_equal(t.data, "=FC=FC=FC=FC=FC=FC=FC=FC=FC=FC=FC=FC=FC=FC=FC=FC=FC=FC=FC=FC="
                                    "FC=FC=FC=FC=FC=\n=FC");
}

static void encoded_words(void **state)
{
        CLEANUP(mailtext_done) struct mailtext t = MAILTEXT_NULL;

        (void) state;
        /* RFC 2047, section 8 */
        mailtext_encoded_word(&t, "ISO-8859-1", 'Q', "Keld J\370rn Simonsen", 18);
        assert_string_equal(t.data, "=?ISO-8859-1?Q?Keld_J=F8rn_Simonsen?=");
        mailtext_clear(&t);
        mailtext_encoded_word(&t, "ISO-8859-1", 'B', "If you can read this yo", 23);
        assert_string_equal(t.data, "=?ISO-8859-1?B?SWYgeW91IGNhbiByZWFkIHRoaXMgeW8=?=");
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(base64_lines),
                cmocka_unit_test(quoted_printable),
                cmocka_unit_test(encoded_words),
        };

        return cmocka_run_group_tests_name("mailtext", tests, NULL, NULL);
}
