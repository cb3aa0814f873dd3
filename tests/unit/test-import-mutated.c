/* tests/unit/test-import-mutated.c - texts that were torn, bitten and mixed, through every grammar
 *
 * The real fuzzer runs longer (tests/fuzz/run). This one is the same every time: it takes each text
 * of tests/data/import/ through mutations that a fixed generator chooses, by its own grammar and by
 * auto. */
#include "tests/test.h"
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include "analyze/import/import.h"
#include "record/procfile.h"
#include "tests/fuzz/import_one.h"

#define MUTATIONS 60
#define TEXT_MAX (256 * 1024)
#define CASES_MAX 64

/* xorshift: the same numbers everywhere */
static uint32_t next_number(uint32_t *state)
{
        *state ^= *state << 13;
        *state ^= *state >> 17;
        *state ^= *state << 5;
        return *state;
}

static size_t below(uint32_t *state, size_t n) { return n ? next_number(state) % n : 0; }

/* mutate() - one change to @text of @n bytes, which has room for twice as much. Return: the new
 * length. */
static size_t mutate(char *text, size_t n, uint32_t *state)
{
        static const char odd[] = "\0\n\r\t .,:;/|-+=<>[]{}()\"'&#0123456789eEsm%\x1b\xff\xc2\xe2";
        size_t at = below(state, n), length = below(state, n - at < 200 ? n - at : 200);

        if (n == 0)
                return 0;
        switch (below(state, 7)) {
        case 0: /* cut off */
                return at;
        case 1: /* cut out */
                memmove(text + at, text + at + length, n - at - length);
                return n - length;
        case 2: /* said twice */
                memmove(text + at + length, text + at, n - at);
                return n + length;
        case 3: /* a byte becomes another */
                text[at] = (char) next_number(state);
                return n;
        case 4: /* a byte becomes one that grammars care about */
                text[at] = odd[below(state, sizeof odd - 1)];
                return n;
        case 5: { /* a digit becomes many */
                size_t digits = 1 + below(state, 40);

                while (at < n && (text[at] < '0' || text[at] > '9'))
                        at++;
                memmove(text + at + digits, text + at, n - at);
                memset(text + at, '9', digits);
                return n + digits;
        }
        default: /* lines run together */
                for (size_t i = at; i < n && i < at + 500; i++)
                        if (text[i] == '\n')
                                text[i] = ' ';
                return n;
        }
}

static void mutate_file(const char *path, const char *format)
{
        CLEANUP(freep) char *bytes = NULL, *text = malloc(4 * TEXT_MAX);
        size_t n_bytes;
        uint32_t state = 2463534242;

        assert_non_null(text);
        assert_int_equal(procfile_read(AT_FDCWD, path, TEXT_MAX, &bytes, &n_bytes), 0);
        for (unsigned k = 0; k < MUTATIONS; k++) {
                size_t n = n_bytes;

                memcpy(text, bytes, n);
                for (size_t m = 1 + below(&state, 4); m > 0; m--)
                        n = mutate(text, n, &state);
                import_one(k % 2 ? format : NULL, text, n);
        }
}

static void check_format(void **state)
{
        const char *folder = *state, *format = strrchr(folder, '/') + 1;
        struct dirent **files;
        int n = scandir(folder, &files, NULL, alphasort);

        assert_true(n > 2);
        assert_non_null(import_format_find(format)); /* folders are named for formats */
        for (int i = 0; i < n; i++) {
                CLEANUP(freep) char *path = NULL;

                assert_true(asprintf(&path, "%s/%s", folder, files[i]->d_name) > 0);
                if (files[i]->d_name[0] != '.' && !strstr(path, ".want"))
                        mutate_file(path, format);
                free(files[i]);
        }
        free(files);
}

/* Every format has texts of its own to be tried with. */
static void every_format_has_a_folder(void **state)
{
        size_t n;
        const struct import_format *table = import_formats(&n);

        for (size_t i = 0; i < n; i++) {
                CLEANUP(freep) char *path = NULL;
                struct dirent **files;
                int n_files, n_texts = 0;

                assert_true(asprintf(&path, "%s/%s", (const char *) *state, table[i].name) > 0);
                n_files = scandir(path, &files, NULL, NULL);
                assert_true(n_files > 0);
                for (int k = 0; k < n_files; k++) {
                        n_texts += strstr(files[k]->d_name, ".txt") != NULL;
                        free(files[k]);
                }
                free(files);
                assert_true(n_texts >= 3);
        }
}

int main(void)
{
        const char *srcdir = getenv("srcdir");
        static char top[PATH_MAX], *folders[CASES_MAX];
        static struct CMUnitTest tests[CASES_MAX + 1];
        struct dirent **names;
        size_t n = 0;
        int n_names, r;

        (void) snprintf(top, sizeof top, "%s/tests/data/import", srcdir ? srcdir : ".");
        n_names = scandir(top, &names, NULL, alphasort);
        for (int i = 0; i < n_names; i++) {
                if (names[i]->d_name[0] != '.' && n < CASES_MAX &&
                    asprintf(&folders[n], "%s/%s", top, names[i]->d_name) > 0) {
                        tests[n] = (struct CMUnitTest){ .name = strrchr(folders[n], '/') + 1,
                                                        .test_func = check_format,
                                                        .initial_state = folders[n] };
                        n++;
                }
                free(names[i]);
        }
        if (n_names >= 0)
                free(names);
        tests[n] = (struct CMUnitTest){ .name = "every format has a folder",
                                        .test_func = every_format_has_a_folder,
                                        .initial_state = top };
        r = _cmocka_run_group_tests("import mutated", tests, n + 1, NULL, NULL);
        while (n > 0)
                free(folders[--n]);
        return r;
}
