/* tests/unit/test-text.c - what happened to a text on its way is undone, and nothing else */
#include "tests/test.h"
#include <string.h>
#include "analyze/import/text.h"

/* @want: "number:line" for each line that is not blank, parted by '\n' */
static const struct text_case {
        const char *what, *bytes;
        size_t n_bytes; /* 0: up to the NUL */
        const char *want;
} cases[] = {
        { "plain", "a b\nc\n", 0, "1:a b\n2:c" },
        { "no newline at the end", "a\nb", 0, "1:a\n2:b" },
        { "blank lines count", "\n\n a\n\n", 0, "3:a" },
        { "blanks become one", "  a \t\t b  c  \n", 0, "1:a b c" },
        { "CR LF", "a\r\nb\r\n", 0, "1:a\n2:b" },
        { "a progress bar", "1%\r2%\r3%\ndone\n", 0, "1:1%\n1:2%\n1:3%\n2:done" },
        { "an old Macintosh", "a\rb\rc", 0, "1:a\n2:b\n3:c" },
        { "NUL and backspace", "a\0b\b\bc\n", 7, "1:abc" },
        { "colours", "\033[1;31mred\033[0m \033]0;title\007x\033(B\n", 0, "1:red xB" },
        { "colours without their ESC", "[31mred[0m [3] [2.5]\n", 0, "1:red [3] [2.5]" },
        { "byte order mark",
          "\xef\xbb\xbf"
          "a\n",
          0, "1:a" },
        { "UTF-16, little",
          "\xff\xfe"
          "a\0 \0\xb5\0s\0\n\0",
          12, "1:a us" },
        { "UTF-16, big",
          "\xfe\xff"
          "\0a\0\n\0b",
          8, "1:a\n2:b" },
        { "UTF-16 that ends in the middle",
          "\xff\xfe"
          "a\0b",
          5, "1:a" },
        { "Windows-1252", "5 \xb5s \x96 it\x92s \x80\xa0x\n", 0, "1:5 us - it's ? x" },
        { "UTF-8 cut in the middle", "a\xe2\x80", 3, "1:a??" },
        { "overlong UTF-8, a surrogate", "\xc0\xaf\xed\xa0\x80x\n", 0, "1:??? ?x" },
        { "blanks of all kinds",
          "1\xc2\xa0"
          "234\xe2\x80\xafms\xe3\x80\x80y\n",
          0, "1:1 234 ms y" },
        { "dashes and micro signs",
          "3\xe2\x80\x93"
          "5 \xc2\xb5s \xce\xbcs \xe2\x88\x92"
          "1\n",
          0, "1:3-5 us us -1" },
        { "curly quotes",
          "\xe2\x80\x98"
          "a\xe2\x80\x99 \xe2\x80\x9c"
          "b\xe2\x80\x9d\n",
          0,
          "1:'a' \xe2\x80\x9c"
          "b\xe2\x80\x9d" },
        { "plus or minus, an ellipsis", "1 \xc2\xb1 2 \xe2\x80\xa6 3\n", 0, "1:1 +- 2 ... 3" },
        { "tree glyphs",
          "\xe2\x94\x94\xe2\x94\x80"
          "a\n\xe2\x94\x9c\xe2\x94\x80"
          "b\n",
          0, "1:`--a\n2:|--b" },
        { "letters stay", "gr\xc3\xbc\xc3\x9f dich \xf0\x9f\x98\x80\n", 0,
          "1:gr\xc3\xbc\xc3\x9f dich \xf0\x9f\x98\x80" },
        { "soft hyphens and marks of direction",
          "a\xc2\xad"
          "b\xe2\x80\x8b"
          "c\xe2\x80\x8e\n",
          0, "1:abc" },
        { "mail quoting", "> a\n>> b\n> > c\n>d\n", 0, "1:a\n2:b\n3:c\n4:d" },
        { "comment marks", "# a\n## b\n//c\n#1 stays\n", 0, "1:a\n2:b\n3:c\n4:#1 stays" },
        { "bullets", "* a\n- b\n+ c\n-5 stays\n--- rule ---\n", 0,
          "1:a\n2:b\n3:c\n4:-5 stays\n5:--- rule ---" },
        { "prompts", "$ ls\nme@box:~/x$ ls\n[me@box x]# ls\nroot@box:~ # ls\n$5 stays\n", 0,
          "1:ls\n2:ls\n3:ls\n4:ls\n5:$5 stays" },
        { "an address is no prompt", "me@box says 5% of it\n", 0, "1:me@box says 5% of it" },
        { "all of it, in turn", ">  # * \033[1m**a**\033[0m\r\n", 0, "1:a" },
        { "entities", "a&nbsp;b &lt;c&gt; &amp; &quot;d&quot; &#39;e&#x27; &plusmn;\n", 0,
          "1:a b <c> & \"d\" 'e' +-" },
        { "entities of entities", "a&amp;nbsp;b &amp;amp;lt;\n", 0, "1:a b <" },
        { "no entities", "AT&T a&b &unknown; &#; &#xz; &#99999999;\n", 0,
          "1:AT&T a&b &unknown; &#; &#xz; &#99999999;" },
        { "HTML", "<p>a<br/>b</p><pre class=\"x\">c</pre>\n<td>1</td><td>2</td>\n", 0,
          "1:a\n1:b\n1:c\n2:|1|2" },
        { "brackets that are no HTML", "a <file> b < c > d <<< e\n", 0,
          "1:a <file> b < c > d <<< e" },
        { "BBCode", "[b]a[/b] [code]b[/code] [url=x]c[/url] [1]\n", 0, "1:a b c [1]" },
        { "Markdown", "**a** `b` no\\_load \\* \\x2d\n", 0, "1:a b no_load * \\x2d" },
        { "quoted-printable", "a=3D1 b=\n c=20\nd =E2=80=93 e\n", 0, "1:a=1 b c\n3:d - e" },
        { "equals signs are no quoted-printable", "=====\na=b c=3D\n==\nx=\n", 0,
          "1:=====\n2:a=b c=3D\n3:==\n4:x=" },
        { "XML stays", "<?xml version=\"1.0\"?>\n<PhoronixTestSuite><a>&lt;b&gt;</a>\n", 0,
          "1:<?xml version=\"1.0\"?>\n2:<PhoronixTestSuite><a>&lt;b&gt;</a>" },
        { "XML in a mail", "it said\n> \x1b[1m<PhoronixTestSuite><p>&lt;</p>\x1b[0m\n", 0,
          "1:it said\n2:<PhoronixTestSuite><p>&lt;</p>" },
        { "XML behind a mark", "\xef\xbb\xbf<?xml?><PhoronixTestSuite><p>&amp;</p>\n", 0,
          "1:<?xml?><PhoronixTestSuite><p>&amp;</p>" },
        { "XML on a page", "<p>&lt;PhoronixTestSuite&gt;</p>\n", 0, "1:<PhoronixTestSuite>" },
        { "XML that is only spoken of", "a <PhoronixTestSuite> and <b>b</b>\n", 0,
          "1:a <PhoronixTestSuite> and b" },
        { "empty", "", 0, "" },
};

static char *dump(const struct text *t)
{
        char *text = NULL;
        size_t n;
        FILE *f = open_memstream(&text, &n);
        bool first = true;

        assert_non_null(f);
        for (size_t i = 0; i < t->n_lines; i++)
                if (!text_is_blank(t, i)) {
                        (void) fprintf(f, "%s%u:%s", first ? "" : "\n", text_number(t, i),
                                       text_at(t, i));
                        first = false;
                }
        assert_int_equal(fclose(f), 0);
        return text;
}

static void check_case(void **state)
{
        const struct text_case *c = *state;
        CLEANUP(text_done) struct text t = TEXT_NULL;
        CLEANUP(freep) char *got = NULL;
        struct fault fault = FAULT_NULL;

        assert_int_equal(text_from_bytes("x", c->bytes, c->n_bytes ? c->n_bytes : strlen(c->bytes),
                                         &t, &fault),
                         0);
        got = dump(&t);
        assert_string_equal(got, c->want);
}

static void margins(void **state)
{
        static const char bytes[] = "a\n  b\n\tc\n  - d\n> \t e\n$ f\n";
        static const struct {
                uint8_t indent;
                bool bullet, prompt;
        } want[] = { { 0, false, false }, { 2, false, false }, { 8, false, false },
                     { 3, true, false },  { 9, false, false }, { 1, false, true } };
        CLEANUP(text_done) struct text t = TEXT_NULL;

        (void) state;
        assert_int_equal(text_from_bytes("x", bytes, strlen(bytes), &t, NULL), 0);
        assert_int_equal(t.n_lines, ELEMENTSOF(want));
        for (size_t i = 0; i < t.n_lines; i++) {
                assert_int_equal(t.lines[i].indent, want[i].indent);
                assert_int_equal(t.lines[i].bullet, want[i].bullet);
                assert_int_equal(t.lines[i].prompt, want[i].prompt);
        }
}

static void refused(void **state)
{
        CLEANUP(freep) char *big = calloc(1, TEXT_MAX_BYTES + 1);
        struct text t = TEXT_NULL;
        struct fault fault = FAULT_NULL;

        (void) state;
        assert_non_null(big);
        memset(big, 'x', TEXT_MAX_BYTES + 1);
        assert_int_equal(text_from_bytes("big", big, TEXT_MAX_BYTES + 1, &t, &fault), -EFBIG);
        assert_non_null(strstr(fault.text, "big: more than 16 MiB"));
        assert_int_equal(text_from_bytes("max", big, TEXT_MAX_BYTES, &t, &fault), 0);
        text_done(&t);
        memset(big, '\n', TEXT_MAX_LINES + 1);
        assert_int_equal(text_from_bytes("lines", big, TEXT_MAX_LINES + 1, &t, &fault), -EFBIG);
        assert_int_equal(text_from_bytes("lines", big, TEXT_MAX_LINES, &t, &fault), 0);
        text_done(&t);
        for (size_t i = 0; i < 4096; i++)
                big[i] = (char) (i * 37 % 256);
        assert_int_equal(text_from_bytes("binary", big, 4096, &t, &fault), -EILSEQ);
        assert_int_equal(text_read_file("/nonexistent/x", &t, &fault), -ENOENT);
        assert_non_null(strstr(fault.text, "/nonexistent/x: "));
        assert_int_equal(text_read_file("/", &t, &fault), -EISDIR);
        assert_null(t.name);
}

int main(void)
{
        struct CMUnitTest tests[ELEMENTSOF(cases) + 2];
        size_t n = 0;

        for (size_t i = 0; i < ELEMENTSOF(cases); i++)
                tests[n++] = (struct CMUnitTest){ .name = cases[i].what,
                                                  .test_func = check_case,
                                                  .initial_state = (void *) (uintptr_t) &cases[i] };
        tests[n++] = (struct CMUnitTest) cmocka_unit_test(margins);
        tests[n++] = (struct CMUnitTest) cmocka_unit_test(refused);
        return _cmocka_run_group_tests("text", tests, n, NULL, NULL);
}
