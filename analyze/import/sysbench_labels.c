/* analyze/import/sysbench_labels.c - see formats.md in docs/ for what changed between versions */
#include "analyze/import/sysbench_labels.h"
#include <ctype.h>
#include <string.h>
#include "analyze/import/formats.h"
#include "analyze/import/unwrap.h"

#define LOWER BETTER_LOWER
#define HIGHER BETTER_HIGHER
#define NEITHER BETTER_UNSTATED
#define GROUPS COMMA_GROUPS
#define DECIMAL COMMA_DECIMAL

static const struct sysbench_label labels[] = {
        { .action = LABEL_NOISE,
          .pattern =
                  "^\\[ ?[0-9.]+ ?s ?\\] (?!checkpoint)|[0-9]+ bytes written in [0-9.]+ seconds|"
                  "^(?:running the test with|initializing|threads started|done\\.?$|random number|"
                  "extra file open flags|[0-9.]+ ?[kmgt]i?b total file size|[0-9]+ files, |"
                  "number of (?:io |random )?requests|read/write ratio|periodic fsync|calling "
                  "fsync|"
                  "using (?:a?synchronous|libaio)|additional request|creating files|preparing test|"
                  "removing test files|warning: |primer |total size: |scope: |latency histogram|"
                  "value -+ ?distribution|memory scope|memory transfer size|additional|wake up|"
                  "report intermediate)" },
        { .action = LABEL_BANNER,
          .is_sure = true,
          .pattern = "\\bsysbench ([0-9]+\\.[0-9][-.\\w]*)(?=:| \\(using|$| -)" },
        { .action = LABEL_CHECKPOINT,
          .is_sure = true,
          .pattern = "\\[ ?[0-9.]+ ?s ?\\] checkpoint report:" },
        { .action = LABEL_THREADS, .pattern = "number of threads: ([0-9]+)" },
        { .action = LABEL_PRIME,
          .is_sure = true,
          .pattern = "(?:prime numbers limit|maximum prime number checked in cpu test): ([0-9]+)" },
        { .action = LABEL_KIND,
          .kind = KIND_CPU,
          .is_sure = true,
          .pattern = "cpu speed:|doing cpu performance benchmark" },
        { .action = LABEL_KIND,
          .kind = KIND_MEMORY,
          .pattern = "(?:running|doing) memory (?:operations )?speed test" },
        { .action = LABEL_KIND, .kind = KIND_FILEIO, .pattern = "file operations:" },
        { .action = LABEL_KIND,
          .kind = KIND_THREADS,
          .pattern = "doing thread subsystem performance test|thread yields per test" },
        { .action = LABEL_KIND, .kind = KIND_MUTEX, .pattern = "doing mutex performance test" },
        { .action = LABEL_KIND,
          .kind = KIND_OTHER,
          .pattern = "sql statistics:|oltp test statistics:|queries performed:" },
        { .action = LABEL_BLOCK,
          .kind = KIND_FILEIO,
          .pattern = "^block size ([0-9]+) ?([KM])i?b$" },
        { .action = LABEL_BLOCK,
          .kind = KIND_MEMORY,
          .pattern = "^(?:memory )?block size: ([0-9]+) ?([KM])i?b?$" },
        { .action = LABEL_MODE,
          .kind = KIND_MEMORY,
          .pattern = "(?:^operation|memory operations type): (read|write|none)" },
        { .action = LABEL_MODE,
          .kind = KIND_FILEIO,
          .pattern = "doing ((?:sequential|random) [a-z/ ()-]+?) test" },

        { .action = LABEL_LATENCY,
          .layout = "1.0",
          .is_sure = true,
          .pattern = "latency \\(ms\\):" },
        { .action = LABEL_LATENCY,
          .layout = "0.4",
          .is_sure = true,
          .pattern = "per-request statistics:" },
        { .action = LABEL_LATENCY, .layout = "0.5", .pattern = "response time:" },
        { .action = LABEL_SECTION, .is_sure = true, .pattern = "threads fairness:" },
        { .action = LABEL_SECTION,
          .layout = "0.4",
          .is_sure = true,
          .pattern = "test execution summary:" },
        { .action = LABEL_SECTION, .pattern = "general statistics:|throughput:" },

        { .action = LABEL_FIGURES,
          .kind = KIND_CPU,
          .fields = { { 1, "events_per_s", "1/s", HIGHER, DECIMAL, false } },
          .pattern = "events per second: ({num})" },
        { .action = LABEL_FIGURES,
          .layout = "1.1",
          .is_sure = true,
          .fields = { { 1, "events_per_s", "1/s", HIGHER, DECIMAL, true } },
          .pattern = "events/s \\(eps\\): ({num})" },
        { .action = LABEL_FIGURES,
          .fields = { { 1, "total_time", "s", LOWER, DECIMAL, false } },
          .pattern = "total time: ({num}) ?s?(?![\\w.])" },
        { .action = LABEL_FIGURES,
          .layout = "1.1",
          .fields = { { 1, "total_time", "s", LOWER, DECIMAL, false } },
          .pattern = "time elapsed: ({num}) ?s?" },
        { .action = LABEL_FIGURES,
          .fields = { { 1, "events", "", NEITHER, GROUPS, false } },
          .pattern = "total number of events: ({num})" },
        { .action = LABEL_FIGURES,
          .fields = { { 1, "exec_total", "s", NEITHER, DECIMAL, false } },
          .pattern = "total time taken by event execution: ({num}) ?s?" },
        { .action = LABEL_FIGURES,
          .only_latency = true,
          .fields = { { 1, "latency_min", "ms", LOWER, DECIMAL, false } },
          .pattern = "\\bmin: ({num}) ?(?:ms)?" },
        { .action = LABEL_FIGURES,
          .only_latency = true,
          .fields = { { 1, "latency_avg", "ms", LOWER, DECIMAL, false } },
          .pattern = "\\bavg: ({num}) ?(?:ms)?" },
        { .action = LABEL_FIGURES,
          .only_latency = true,
          .fields = { { 1, "latency_max", "ms", LOWER, DECIMAL, false } },
          .pattern = "\\bmax: ({num}) ?(?:ms)?" },
        { .action = LABEL_FIGURES,
          .percentile = true,
          .only_latency = true,
          .fields = { { 2, "latency_percentile", "ms", LOWER, DECIMAL, false } },
          .pattern = "(?:approx\\. ?)?([0-9]{1,3}) ?(?:th)?(?: percentile)?: ({num}) ?(?:ms)?" },
        { .action = LABEL_FIGURES,
          .only_latency = true,
          .fields = { { 1, "latency_sum", "ms", NEITHER, DECIMAL, false } },
          .pattern = "\\bsum: ({num})" },
        { .action = LABEL_FIGURES,
          .fields = { { 1, "events_per_thread", "", NEITHER, DECIMAL, false },
                      { 2, "events_per_thread_sd", "", NEITHER, DECIMAL, false } },
          .pattern = "events \\(avg/stddev\\): ({num}) ?/ ?({num})" },
        { .action = LABEL_FIGURES,
          .fields = { { 1, "exec_per_thread", "s", NEITHER, DECIMAL, false },
                      { 2, "exec_per_thread_sd", "s", NEITHER, DECIMAL, false } },
          .pattern = "execution time \\(avg/stddev\\): ({num}) ?/ ?({num})" },

        { .action = LABEL_FIGURES,
          .kind = KIND_MEMORY,
          .is_sure = true,
          .fields = { { 1, "operations", "", NEITHER, GROUPS, false },
                      { 2, "operations_per_s", "1/s", HIGHER, DECIMAL, false } },
          .pattern = "(?:total operations|operations performed): ({num}) ?\\( ?({num}) (?:per "
                     "second|ops/sec)" },
        { .action = LABEL_FIGURES,
          .kind = KIND_MEMORY,
          .is_sure = true,
          .fields = { { 1, "transferred", "MiB", NEITHER, DECIMAL, false },
                      { 2, "rate", "MiB/s", HIGHER, DECIMAL, false } },
          .pattern = "({num}) ?Mi?B transferred \\(({num}) ?Mi?B/sec\\)" },

        { .action = LABEL_FIGURES,
          .kind = KIND_FILEIO,
          .is_sure = true,
          .fields = { { 1, "reads", "", NEITHER, GROUPS, false },
                      { 2, "writes", "", NEITHER, GROUPS, false },
                      { 3, "others", "", NEITHER, GROUPS, false },
                      { 4, "operations", "", NEITHER, GROUPS, false } },
          .pattern = "operations performed: ({num}) reads?, ({num}) writes?, ({num}) other = "
                     "({num}) total" },
        { .action = LABEL_FIGURES,
          .kind = KIND_FILEIO,
          .fields = { { 1, "read", NULL, NEITHER, DECIMAL, false },
                      { 2, "written", NULL, NEITHER, DECIMAL, false } },
          .pattern = "^read ({num}) ?[KMG]?b written ({num}) ?[KMG]?b(?= total transferred)" },
        { .action = LABEL_FIGURES,
          .kind = KIND_FILEIO,
          .is_sure = true,
          .fields = { { 1, "transferred", NULL, NEITHER, DECIMAL, false },
                      { 2, "rate", NULL, HIGHER, DECIMAL, false } },
          .pattern = "total transferred ({num}) ?[KMG]?b ?\\(({num}) ?[KMG]?b/sec\\)" },
        { .action = LABEL_FIGURES,
          .kind = KIND_FILEIO,
          .fields = { { 1, "requests_per_s", "1/s", HIGHER, DECIMAL, false } },
          .pattern = "({num}) requests/sec executed" },
        { .action = LABEL_FIGURES,
          .kind = KIND_FILEIO,
          .fields = { { 1, "reads_per_s", "1/s", HIGHER, DECIMAL, false } },
          .pattern = "\\breads/s: ({num})" },
        { .action = LABEL_FIGURES,
          .kind = KIND_FILEIO,
          .fields = { { 1, "writes_per_s", "1/s", HIGHER, DECIMAL, false } },
          .pattern = "\\bwrites/s: ({num})" },
        { .action = LABEL_FIGURES,
          .kind = KIND_FILEIO,
          .fields = { { 1, "fsyncs_per_s", "1/s", HIGHER, DECIMAL, false } },
          .pattern = "\\bfsyncs/s: ({num})" },
        { .action = LABEL_FIGURES,
          .kind = KIND_FILEIO,
          .fields = { { 1, "read_rate", "MiB/s", HIGHER, DECIMAL, false } },
          .pattern = "\\bread, MiB/s: ({num})" },
        { .action = LABEL_FIGURES,
          .kind = KIND_FILEIO,
          .fields = { { 1, "write_rate", "MiB/s", HIGHER, DECIMAL, false } },
          .pattern = "\\bwritten, MiB/s: ({num})" },
        { .action = LABEL_FIGURES,
          .kind = KIND_FILEIO,
          .layout = "1.1",
          .fields = { { 1, "reads_per_s", "1/s", HIGHER, DECIMAL, false },
                      { 2, "read_rate", "MiB/s", HIGHER, DECIMAL, false },
                      { 3, "read_rate_mb", "MB/s", HIGHER, DECIMAL, false } },
          .pattern = "\\bread: IOPS=({num}) ({num}) MiB/s \\(({num}) MB/s\\)" },
        { .action = LABEL_FIGURES,
          .kind = KIND_FILEIO,
          .layout = "1.1",
          .fields = { { 1, "writes_per_s", "1/s", HIGHER, DECIMAL, false },
                      { 2, "write_rate", "MiB/s", HIGHER, DECIMAL, false },
                      { 3, "write_rate_mb", "MB/s", HIGHER, DECIMAL, false } },
          .pattern = "\\bwrite: IOPS=({num}) ({num}) MiB/s \\(({num}) MB/s\\)" },
        { .action = LABEL_FIGURES,
          .kind = KIND_FILEIO,
          .layout = "1.1",
          .fields = { { 1, "fsyncs_per_s", "1/s", HIGHER, DECIMAL, false } },
          .pattern = "\\bfsync: IOPS=({num})" },
        { .action = LABEL_BAR, .pattern = "^({num}) \\|\\** ?([0-9]+)$" },
};

struct patterns *sysbench_patterns(void)
{
        const char *sources[ELEMENTSOF(labels)];

        for (size_t k = 0; k < ELEMENTSOF(labels); k++)
                sources[k] = labels[k].pattern;
        return patterns_new(sources, ELEMENTSOF(labels));
}

void sysbench_unwrap(struct text *text)
{
        const char *lines[ELEMENTSOF(labels) + 1];
        size_t n = 0;

        lines[n++] = "\\bsysbench (?:-\\S+ |\\w+ )*?run(?!(?-i:[a-z.]))"; /* a command */

        for (size_t k = 0; k < ELEMENTSOF(labels); k++)
                if (labels[k].action == LABEL_FIGURES && labels[k].fields[1].field)
                        lines[n++] = labels[k].pattern;
        unwrap(text, lines, n);
}

const struct sysbench_label *sysbench_next_label(const struct patterns *p, const char *line,
                                                 size_t from, struct match *ret)
{
        const struct sysbench_label *found = NULL;
        struct match m;

        for (size_t k = 0; k < ELEMENTSOF(labels); k++)
                if (pattern_match_from(p, k, line, from, &m) &&
                    (!found || m.from[0] < ret->from[0])) {
                        found = &labels[k];
                        *ret = m;
                }
        return found;
}

void sysbench_mode(const struct match *m, char *ret, size_t size)
{
        char words[64];

        match_copy(m, 1, words, sizeof words);
        for (char *p = words; *p; p++)
                *p = (char) tolower((unsigned char) *p);
        if (strncmp(words, "sequential", 10) != 0 && strncmp(words, "random", 6) != 0)
                (void) snprintf(ret, size, "%.10s", words); /* memory's read, write, none */
        else if (strstr(words, "rewrite"))
                (void) snprintf(ret, size, "seqrewr");
        else if (strstr(words, "r/w"))
                (void) snprintf(ret, size, "rndrw");
        else
                (void) snprintf(ret, size, "%s%s", *words == 's' ? "seq" : "rnd",
                                strstr(words, "read") ? "rd" : "wr");
}

/* 0.x writes bytes, and powers of two, as "b". */
const char *sysbench_size_unit(const char *p)
{
        static const struct {
                char letter;
                const char *size, *rate;
        } units[] = { { 'K', "KiB", "KiB/s" }, { 'M', "MiB", "MiB/s" }, { 'G', "GiB", "GiB/s" } };
        bool is_rate;

        p += *p == ' ';
        is_rate = strstr(p, "/sec") != NULL && strcspn(p, "/") < 4;
        for (size_t k = 0; k < ELEMENTSOF(units); k++)
                if (toupper((unsigned char) *p) == units[k].letter)
                        return is_rate ? units[k].rate : units[k].size;
        return is_rate ? "B/s" : "B";
}
