/* analyze/import/unixbench_names.c - the short names are those of UnixBench's Run script */
#include "analyze/import/unixbench_names.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "record/macros.h"

/* Prefixes: 4.x and 5.x spell the tails differently. */
static const struct test {
        const char *name, *test, *unit;
} tests[] = {
        { "Dhrystone 2 without register", "dhry2", "lps" },
        { "Dhrystone 2 using register", "dhry2reg", "lps" },
        { "Double-Precision Whetstone", "whetstone-double", "MWIPS" },
        { "Execl Throughput", "execl", "lps" },
        { "File Copy 1024 ", "fstime", "KBps" },
        { "File Copy 256 ", "fsbuffer", "KBps" },
        { "File Copy 4096 ", "fsdisk", "KBps" },
        { "File Read 1024 ", "fstime-r", "KBps" },
        { "File Read 256 ", "fsbuffer-r", "KBps" },
        { "File Read 4096 ", "fsdisk-r", "KBps" },
        { "File Write 1024 ", "fstime-w", "KBps" },
        { "File Write 256 ", "fsbuffer-w", "KBps" },
        { "File Write 4096 ", "fsdisk-w", "KBps" },
        { "Pipe Throughput", "pipe", "lps" },
        { "Pipe-based Context Switching", "context1", "lps" },
        { "Process Creation", "spawn", "lps" },
        { "Shell Scripts (1 concurrent)", "shell1", "lpm" },
        { "Shell Scripts (8 concurrent)", "shell8", "lpm" },
        { "Shell Scripts (16 concurrent)", "shell16", "lpm" },
        { "System Call Overhead", "syscall", "lps" },
        { "C Compiler Throughput", "C", "lpm" },
        { "Dc: sqrt(2) to 99 decimal places", "dc", "lpm" },
        { "Recursion Test--Tower of Hanoi", "hanoi", "lps" },
        { "Arithmetic Test (type = double)", "double", "lps" },
        { "Arithmetic Test (type = float)", "float", "lps" },
        { "Arithmetic Test (type = int)", "int", "lps" },
        { "Arithmetic Test (type = long)", "long", "lps" },
        { "Arithmetic Test (type = short)", "short", "lps" },
        { "Arithmetic Test (type = register)", "register", "lps" },
        { "Arithoh", "arithoh", "lps" },
};

/* same_start() - @name begins with @prefix, blanks squeezed and case ignored */
static bool same_start(const char *name, const char *prefix)
{
        while (*prefix) {
                if (*prefix == ' ' && *name == ' ') {
                        while (*name == ' ')
                                name++;
                        prefix++;
                } else if (tolower((unsigned char) *name) == tolower((unsigned char) *prefix)) {
                        name++;
                        prefix++;
                } else {
                        return false;
                }
        }
        return true;
}

void unixbench_test(const char *name, char *ret, size_t size)
{
        size_t n = 0;

        for (size_t i = 0; i < ELEMENTSOF(tests); i++)
                if (same_start(name, tests[i].name)) {
                        (void) snprintf(ret, size, "%s", tests[i].test);
                        return;
                }
        for (; *name && n + 1 < size; name++)
                if (isalnum((unsigned char) *name))
                        ret[n++] = (char) tolower((unsigned char) *name);
                else if (n > 0 && ret[n - 1] != '-')
                        ret[n++] = '-';
        while (n > 0 && ret[n - 1] == '-')
                n--;
        ret[n] = '\0';
        if (n == 0)
                (void) snprintf(ret, size, "unnamed");
}

const char *unixbench_unit(const char *test)
{
        for (size_t i = 0; i < ELEMENTSOF(tests); i++)
                if (strcmp(tests[i].test, test) == 0)
                        return tests[i].unit;
        return "";
}
