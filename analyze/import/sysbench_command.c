/* analyze/import/sysbench_command.c - a command line in the text says what its output leaves out.
 * The spelling of options changed: --test=cpu and --num-threads up to 0.5, "cpu" and --threads
 * after. */
#include <ctype.h>
#include <string.h>
#include "analyze/import/sysbench.h"
#include "record/procfile.h"

/* option() - the value of "--name=VALUE" or "--name VALUE" in @line; "" when it is not given */
static char *option(const char *line, const char *name, char *ret, size_t size)
{
        const char *at = line;
        size_t n = strlen(name);

        *ret = '\0';
        while ((at = strstr(at, "--"))) {
                at += 2;
                if (strncmp(at, name, n) != 0 || (at[n] != '=' && at[n] != ' '))
                        continue;
                (void) snprintf(ret, size, "%.*s", (int) strcspn(at + n + 1, " "), at + n + 1);
                break;
        }
        return ret;
}

static int64_t option_integer(const char *line, const char *name)
{
        char text[32];
        int64_t n;

        return parse_int(option(line, name, text, sizeof text), &n) == 0 && n > 0 ? n : 0;
}

/* run_word() - behind the command "run", which may have lost the line break after it; NULL for none
 */
static const char *run_word(const char *line)
{
        const char *at = line;

        while ((at = strstr(at, " run"))) {
                at += strlen(" run");
                if (*at == '\0' || *at == ' ' || *at == ';' || isupper((unsigned char) *at))
                        return at;
        }
        return NULL;
}

/* test_of() - "--test=cpu", "--test=tests/db/oltp.lua", or the word "cpu" of 1.x */
static enum sysbench_kind test_of(const char *line)
{
        static const enum sysbench_kind kinds[] = { KIND_CPU, KIND_MEMORY, KIND_FILEIO,
                                                    KIND_THREADS, KIND_MUTEX };
        char test[64], word[16];

        option(line, "test", test, sizeof test);
        for (size_t k = 0; k < ELEMENTSOF(kinds); k++) {
                const char *name = sysbench_kind_word(kinds[k]);

                (void) snprintf(word, sizeof word, " %s ", name);
                if (strcmp(test, name) == 0 || (!*test && strstr(line, word)))
                        return kinds[k];
        }
        return KIND_OTHER;
}

bool sysbench_command_read(const char *line, struct sysbench_command *ret, char *glued, size_t size)
{
        const char *at = strstr(line, "sysbench "), *rest;
        struct sysbench_command c = { .kind = KIND_UNKNOWN };

        if (!at || strlen(line) > PATTERN_LINE_MAX_BYTES)
                return false;
        rest = run_word(at);
        if (!rest)
                return false;
        c.kind = test_of(at);
        c.threads = option_integer(at, "threads");
        if (!c.threads)
                c.threads = option_integer(at, "num-threads");
        c.prime_limit = option_integer(at, "cpu-max-prime");
        option(at, "file-test-mode", c.mode, sizeof c.mode);
        if (!c.mode[0])
                option(at, "memory-oper", c.mode, sizeof c.mode);
        option(at, c.kind == KIND_MEMORY ? "memory-total-size" : "file-total-size", c.total,
               sizeof c.total);
        (void) snprintf(glued, size, "%s", isupper((unsigned char) *rest) ? rest : "");
        *ret = c;
        return true;
}
