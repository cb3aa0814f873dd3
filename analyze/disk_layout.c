/* analyze/disk_layout.c - a drive's profile as FreeBSD's "diskinfo -t" prints it, which is how such
 * figures have been passed around; "bootlap import" reads the table back. Below it stands what
 * diskinfo does not measure. */
#include <inttypes.h>
#include <string.h>
#include "analyze/sample_layout.h"

enum kind { SEEK, TRANSFER, LATENCY, N_KINDS };

static const char *const prefixes[N_KINDS] = { "disk.seek.", "disk.transfer.",
                                               "disk.random_read_latency" };
static const char *const headings[N_KINDS] = { "Seek times:", "Transfer rates:",
                                               "Latency of random reads:" };

static const struct row {
        enum kind kind;
        const char *name, *label;
} rows[] = {
        { SEEK, "full_stroke", "Full stroke" },
        { SEEK, "half_stroke", "Half stroke" },
        { SEEK, "quarter_stroke", "Quarter stroke" },
        { SEEK, "short_forward", "Short forward" },
        { SEEK, "short_backward", "Short backward" },
        { SEEK, "seq_outer", "Seq outer" },
        { SEEK, "seq_inner", "Seq inner" },
        { TRANSFER, "outside", "Outside" },
        { TRANSFER, "middle", "Middle" },
        { TRANSFER, "inside", "Inside" },
        { LATENCY, "", "" },
};

static const char *const fields[N_KINDS][4] = {
        { "elapsed", "access", NULL },
        { "elapsed", "rate", NULL },
        { "average", "p50", NULL },
};

/* row_of() - Return: its index, or -1 */
static int row_of(const struct sample *s, const char **ret_name)
{
        for (size_t k = 0; k < ELEMENTSOF(rows); k++)
                if (sample_layout_row(s->workload, prefixes[rows[k].kind], rows[k].name, ret_name))
                        return (int) k;
        return -1;
}

static json_int_t parameter(const struct sample *s, const char *key)
{
        return json_integer_value(json_object_get(s->parameters, key));
}

static bool takes(const struct sample *s)
{
        const char *name;
        int k = row_of(s, &name);

        if (k < 0 || !sample_layout_is_plain(s, fields[rows[k].kind]))
                return false;
        switch (rows[k].kind) {
        case SEEK:
                return parameter(s, "iterations") > 0;
        case TRANSFER:
                return parameter(s, "kbytes") > 0 &&
                       strcmp(sample_find(s, "rate")->unit, "KiB/s") == 0;
        default:
                return parameter(s, "reads") > 0 && parameter(s, "read_bytes") > 0;
        }
}

static double value(const struct sample *s, const char *field)
{
        return sample_find(s, field)->value;
}

static void print_latency(const struct sample *s, FILE *f)
{
        static const char *const quantiles[][2] = {
                { "low", "low" },  { "p50", "median" },   { "p90", "90 %" },  { "p95", "95 %" },
                { "p99", "99 %" }, { "p99_9", "99.9 %" }, { "high", "high" },
        };

        (void) fprintf(f, "\t%" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT " bytes:",
                       parameter(s, "reads"), parameter(s, "read_bytes"));
        for (size_t k = 0; k < ELEMENTSOF(quantiles); k++) {
                const struct sample_value *v = sample_find(s, quantiles[k][0]);

                if (v)
                        (void) fprintf(f, "%s %s %.3f", k ? "," : "", quantiles[k][1],
                                       v->value / 1000);
        }
        (void) fprintf(f, " msec\n");
}

static void print_row(const struct sample *s, const struct row *row, FILE *f)
{
        char label[24];

        (void) snprintf(label, sizeof label, "%s:", row->label);
        switch (row->kind) {
        case SEEK:
                (void) fprintf(
                        f, "\t%-16s%6" JSON_INTEGER_FORMAT " iter in %10.6f sec = %8.3f msec\n",
                        label, parameter(s, "iterations"), value(s, "elapsed"), value(s, "access"));
                break;
        case TRANSFER:
                (void) fprintf(f,
                               "\t%-13s%9" JSON_INTEGER_FORMAT
                               " kbytes in %10.6f sec = %8.0f kbytes/sec\n",
                               label, parameter(s, "kbytes"), value(s, "elapsed"),
                               value(s, "rate"));
                break;
        default:
                print_latency(s, f);
        }
}

/* print_profile() - of the samples of one run and name, which are forgotten then */
static void print_profile(const struct sample **samples, size_t n, unsigned run, const char *name,
                          FILE *f)
{
        int last_kind = -1;

        (void) fprintf(f, "Drive%s%s, run #%u\n", *name ? " " : "", *name ? name + 1 : "", run);
        for (size_t k = 0; k < ELEMENTSOF(rows); k++)
                for (size_t i = 0; i < n; i++) {
                        const char *its_name;

                        if (!samples[i] || samples[i]->run != run ||
                            row_of(samples[i], &its_name) != (int) k || strcmp(its_name, name) != 0)
                                continue;
                        if ((int) rows[k].kind != last_kind)
                                (void) fprintf(f, "%s\n", headings[rows[k].kind]);
                        last_kind = (int) rows[k].kind;
                        print_row(samples[i], &rows[k], f);
                        samples[i] = NULL;
                }
}

static int print(const struct sample *const *samples, size_t n, FILE *f, bool color)
{
        CLEANUP(freep) const struct sample **left = calloc(n, sizeof *left);

        (void) color;
        if (!left)
                return -ENOMEM;
        memcpy(left, samples, n * sizeof *left);
        for (size_t i = 0; i < n; i++) {
                const char *name;

                if (!left[i])
                        continue;
                (void) row_of(left[i], &name);
                print_profile(left, n, left[i]->run, name, f);
        }
        return ferror(f) ? -EIO : 0;
}

const struct sample_layout disk_layout = { .takes = takes, .print = print };
