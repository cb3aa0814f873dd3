/* tests/unit/test-mail-header.c - where a header block ends, by the rules of mutt and neomutt, and
 * what is in it */
#include "tests/test.h"
#include <locale.h>
#include <string.h>
#include "collectors/mail_header.h"

static const struct end_case {
        const char *what, *message;
        size_t n_bytes; /* of the header block; 0: up to the end */
        bool has_end;
} end_cases[] = {
        { "blank line", "A: 1\nB: 2\n\nbody: no\n", 11, true },
        { "blank line of a CRLF file", "A: 1\r\nB: 2\r\n\r\nbody\r\n", 14, true },
        { "nothing but headers", "A: 1\nB: 2\n", 0, false },
        { "no newline at the end", "A: 1\nB: 2", 0, false },
        { "empty file", "", 0, false },
        { "blank line first", "\nA: 1\n", 1, true },
        { "blanks first are no continuation", " A: 1\n\nB: 2\n", 6, true },
        { "continuation that looks like a body", "A: 1\n body\n\tmore\n\nB: 2\n", 18, true },
        { "a continuation of blanks only is no blank line", "A: 1\n  \nB: 2\n\nbody", 14, true },
        { "a line that is no field", "A: 1\nHello world\nB: 2\n", 5, true },
        { "a line without any colon", "A: 1\nHello\nB: 2\n\n", 5, true },
        { "an mbox line is passed over", "From me Mon Nov 30\nA: 1\n\nbody", 25, true },
        { "a quoted one too", ">From me Mon Nov 30\nA: 1\n\nbody", 26, true },
        { "a field without a value", "A:\nB: 2\n\nbody", 9, true },
        { "8 bit", "A: \374\377\200\nB: 2\n\nbody", 13, true },
};

static FILE *open_text(const char *text, size_t n)
{
        FILE *f = tmpfile(); /* fmemopen() of nothing is an error */

        assert_non_null(f);
        assert_int_equal(fwrite(text, 1, n, f), n);
        rewind(f);
        return f;
}

static void check_end(void **state)
{
        const struct end_case *c = *state;
        CLEANUP(fclosep) FILE *f = open_text(c->message, strlen(c->message));
        CLEANUP(mail_reader_done) struct mail_reader reader;
        CLEANUP(mail_header_done) struct mail_header h;

        assert_int_equal(mail_reader_init(&reader, MAIL_MUTT), 0);
        assert_int_equal(mail_header_read(&reader, f, &h), 0);
        assert_int_equal(h.n_bytes, c->n_bytes ? c->n_bytes : strlen(c->message));
        assert_int_equal(h.has_end, c->has_end);
}

static struct mail_header read_header_as(enum mail_client client, const char *text, size_t n)
{
        CLEANUP(fclosep) FILE *f = open_text(text, n);
        CLEANUP(mail_reader_done) struct mail_reader reader;
        struct mail_header h;

        assert_int_equal(mail_reader_init(&reader, client), 0);
        assert_int_equal(mail_header_read(&reader, f, &h), 0);
        return h;
}

static struct mail_header read_header(const char *text, size_t n)
{
        return read_header_as(MAIL_MUTT, text, n);
}

static void fields(void **state)
{
        static const char text[] =
                "Return-Path: <back@example.org>\n"
                "Received: from a; Mon, 30 Nov 2026 10:00:05 +0000\n"
                "Received: from b; Mon, 30 Nov 2026 09:00:00 +0000\n"
                "FROM: =?utf-8?Q?J=C3=BCrgen?= <j@example.org>\n"
                "To: \"Doe, Jane\" <jane@example.org>, plain@example.net (a comment),\n"
                "\tgroup: one@example.com, two@example.com;\n"
                "Subject: Re: =?utf-8?B?Z3LDvMOfZQ==?=\n"
                " =?utf-8?Q?_und_mehr?= end\n"
                "Date: Mon, 30 Nov 2026 12:00:00 +0200\n"
                "Message-ID: (odd) < a b@c >\n"
                "References: <1@x> <2@x>\n"
                " <3@x>\n"
                "Content-Type: multipart/mixed; boundary=\"a; b\"; charset=x\n"
                "\n"
                "Subject: not this\n";
        CLEANUP(mail_header_done) struct mail_header h = read_header(text, sizeof text - 1);
        const struct mail_address *a = h.to;

        (void) state;
        assert_string_equal(h.return_path->mailbox, "back@example.org");
        assert_int_equal(h.received_s, 1796032805);
        assert_int_equal(h.sent_s, 1796032800);
        assert_string_equal(h.from->name, "J\303\274rgen");
        assert_string_equal(h.from->mailbox, "j@example.org");
        assert_string_equal(a->name, "Doe, Jane");
        assert_string_equal(a->mailbox, "jane@example.org");
        a = a->next;
        assert_string_equal(a->mailbox, "plain@example.net");
        assert_string_equal(a->name, "a comment");
        a = a->next;
        assert_string_equal(a->mailbox, "one@example.com");
        a = a->next;
        assert_string_equal(a->mailbox, "two@example.com");
        assert_null(a->next);
        assert_string_equal(h.subject, "Re: gr\303\274\303\237e und mehr end");
        assert_string_equal(h.real_subject, "gr\303\274\303\237e und mehr end");
        assert_string_equal(h.message_id, "<ab@c>");
        assert_string_equal(h.references->text, "<3@x>"); /* newest first */
        assert_string_equal(h.references->next->next->text, "<1@x>");
        assert_string_equal(h.content_type->type, "multipart/mixed");
        assert_string_equal(h.content_type->parameters->next->text, "boundary=a; b");
}

static void dates(void **state)
{
        static const struct {
                const char *text;
                int64_t want_s;
        } cases[] = {
                { "Thu, 1 Jan 1970 00:00:00 +0000", 0 },
                { "1 Jan 1970 00:00 GMT", 0 },
                { "Wed, 31 Dec 1969 19:30:00 -0430", 0 },
                { "Tue, 29 Feb 2000 23:59:60 +0000", 951868800 },
                { "Fri, 1 Jan 99 00:00:00 +0000", 915148800 },
                { "Sat, 1 Jan 00 00:00:00 +0000", 946684800 },
                { "Mon, 30 Nov 2026 12:00:00 +0200 (CEST)", 1796032800 },
                { "", MAIL_DATE_NONE },
                { "yesterday", MAIL_DATE_NONE },
                { "Mon, 30 Foo 2026 12:00:00 +0200", MAIL_DATE_NONE },
                { "Mon, 32 Nov 2026 12:00:00 +0200", MAIL_DATE_NONE },
                { "Mon, 30 Nov 2026 25:00:00 +0200", MAIL_DATE_NONE },
        };

        CLEANUP(mail_regex_done) struct mail_regex regex;

        (void) state;
        assert_int_equal(mail_regex_init(&regex), 0);
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                assert_int_equal(mail_date(cases[i].text), cases[i].want_s);
                assert_int_equal(mail_regex_date(&regex, cases[i].text), cases[i].want_s);
        }
}

/* as_neomutt() - the same fields, and what neomutt matches besides */
static void as_neomutt(void **state)
{
        static const char text[] =
                "Received: from a; Mon, 30 Nov 2026 10:00:05 +0000\n"
                "From: =?utf-8?Q?J=C3=BCrgen?= <j@example.org>\n"
                "Cc: =?utf-8?Q?a b?= <k@example.org>, plain <p@example.org>\n"
                "Subject: =?utf-8?B?Z3LDvMOfZQ==?= =?utf-8?Q?_und_mehr?= =?odd?X?a?=\n"
                "Date: Mon, 30 Nov 2026 12:00:00 +0200\n"
                "Message-ID: <a@b>\n"
                "References: <=?utf-8?Q?a?=@x> <2@x>\n"
                "List-Post: <mailto:list@example.org>\n"
                "List-Unsubscribe: <https://u:p@[2001:db8::1]:8080/a?b=c>, <no url>, <mailto:x@y>\n"
                "\n";
        CLEANUP(mail_header_done)
        struct mail_header h = read_header_as(MAIL_NEOMUTT, text, sizeof text - 1);

        (void) state;
        assert_int_equal(h.received_s, 1796032805);
        assert_int_equal(h.sent_s, 1796032800);
        assert_string_equal(h.subject, "gr\303\274\303\237e und mehr =?odd?X?a?=");
        assert_int_equal(h.n_encoded_words, 5);
        assert_int_equal(h.n_urls, 3);
        assert_false(h.is_read || h.is_flagged || h.is_deleted);
        mail_header_done(&h);
        h = read_header(text, sizeof text - 1);
        assert_int_equal(h.n_encoded_words, 0);
        assert_int_equal(h.n_urls, 0);
}

static void settings_by_name(void **state)
{
        struct mail_settings s;

        (void) state;
        assert_int_equal(mail_settings_init(&s), 0);
        assert_string_equal(mail_settings_get(&s, "score_threshold_flag"), "9999");
        assert_string_equal(mail_settings_get(&s, "assumed_charset"), "");
        assert_string_equal(mail_settings_get(&s, "no_such_setting"), "");
        mail_settings_done(&s);
}

/* A quote of another set ends nothing, if a charset is assumed that has other sets. */
static void quotes_of_another_set(void **state)
{
        static const char value[] = "text/plain; name=\"a\033$B;\"\033(Bb\"; x=\"y\"";
        struct mail_content_type *t = NULL;
        struct mail_settings s = { .table = { .table = NULL } };
        ENTRY *entry, assumed = { .key = (char[]){ "assumed_charset" },
                                  .data = (char[]){ "iso-2022-jp" } };

        (void) state;
        assert_int_equal(mail_content_type_set(&t, value, NULL), 0);
        assert_string_equal(t->type, "text/plain");
        assert_string_not_equal(t->parameters->text, "x=y");
        assert_true(hcreate_r(4, &s.table) && hsearch_r(assumed, ENTER, &entry, &s.table));
        assert_int_equal(mail_content_type_set(&t, value, &s), 0);
        assert_string_equal(t->parameters->text, "x=y");
        assert_string_equal(t->parameters->next->text, "name=a\033$B;\"\033(Bb");
        mail_content_type_free(t);
        mail_settings_done(&s);
}

static void encoded_words(void **state)
{
        static const struct {
                const char *in, *want;
        } cases[] = {
                { "plain", "plain" },
                { "=?iso-8859-1?Q?M=FCnchen?=", "M\303\274nchen" },
                { "=?koi8-r?B?8NLJ18XU?=", "\320\237\321\200\320\270\320\262\320\265\321\202" },
                /* a character cut in two, as broken senders do */
                { "=?utf-8?B?w7w=?= =?utf-8?B?w58=?=", "\303\274\303\237" },
                { "=?utf-8?Q?=C3?= =?utf-8?Q?=BC?=", "\303\274" },
                { "a =?utf-8?Q?b?= =?utf-8?Q?c?= d", "a bc d" },
                { "=?utf-8?Q?a?= b =?utf-8?Q?c?=", "a b c" },
                { "=?nosuch?Q?a?=", "=?nosuch?Q?a?=" },
                { "=?utf-8?X?a?=", "=?utf-8?X?a?=" },
                { "=?utf-8?Q?a", "=?utf-8?Q?a" },
                { "=?utf-8?B?!!?=", "=?utf-8?B?!!?=" },
                { "=?", "=?" },
                { "=?utf-8*en?Q?a?=", "a" },
                { "=?utf-8?Q?a=1B[31m?=", "a?[31m" }, /* nothing may steer the terminal */
        };

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                CLEANUP(freep) char *text = strdup(cases[i].in);

                assert_non_null(text);
                assert_int_equal(mail_decode(&text, "UTF-8"), 0);
                assert_string_equal(text, cases[i].want);
        }
}

static void huge_fields(void **state)
{
        size_t n = MAIL_FIELD_MAX_BYTES + 4096;
        CLEANUP(freep) char *text = malloc(n);
        struct mail_header h;

        (void) state;
        assert_non_null(text);
        memset(text, 'x', n); /* binary without a newline: given up */
        h = read_header(text, n);
        assert_false(h.has_end);
        mail_header_done(&h);

        memset(text, '\0', n); /* NULs hide what follows them, and end too */
        h = read_header(text, 100000);
        mail_header_done(&h);

        memset(text, ' ', n);
        memcpy(text, "To: a@b", 7); /* a list of a million */
        for (size_t at = 7; at + 7 < 7000000; at += 7)
                memcpy(text + at, ",\n a@b,", 7);
        memcpy(text + 7000000 - 2, "\n\n", 2);
        h = read_header(text, 7000000);
        assert_true(h.has_end);
        mail_header_done(&h);

        memcpy(text, "References:", 11); /* and one of identifiers, of which none is the last */
        for (size_t at = 11; at + 4 < 7000000; at += 4)
                memcpy(text + at, " <a>", 4);
        h = read_header_as(MAIL_NEOMUTT, text, 7000000);
        mail_header_done(&h);
}

int main(void)
{
        struct CMUnitTest tests[ELEMENTSOF(end_cases) + 7];
        size_t n = 0;

        if (!setlocale(LC_ALL, "C.UTF-8")) {
                (void) printf("1..0 # SKIP no locale C.UTF-8\n");
                return 0;
        }
        for (size_t i = 0; i < ELEMENTSOF(end_cases); i++)
                tests[n++] =
                        (struct CMUnitTest){ .name = end_cases[i].what,
                                             .test_func = check_end,
                                             .initial_state = (void *) (uintptr_t) &end_cases[i] };
        tests[n++] = (struct CMUnitTest) cmocka_unit_test(fields);
        tests[n++] = (struct CMUnitTest) cmocka_unit_test(dates);
        tests[n++] = (struct CMUnitTest) cmocka_unit_test(encoded_words);
        tests[n++] = (struct CMUnitTest) cmocka_unit_test(settings_by_name);
        tests[n++] = (struct CMUnitTest) cmocka_unit_test(quotes_of_another_set);
        tests[n++] = (struct CMUnitTest) cmocka_unit_test(as_neomutt);
        tests[n++] = (struct CMUnitTest) cmocka_unit_test(huge_fields);
        return _cmocka_run_group_tests("mail-header", tests, n, NULL, NULL);
}
