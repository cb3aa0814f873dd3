/* tests/boots.h - records built in memory for the tests of analyze/ */
#pragma once
#include <stdio.h>
#include <string.h>
#include "analyze/set.h"
#include "tests/test.h"
#include "record/clock.h"
#include "record/record.h"

#define BOOTS_MAX 6000

/* Boots that a test owns, and sets of them. */
struct boots {
        struct record *records[BOOTS_MAX];
        const struct record *in_a[BOOTS_MAX], *in_b[BOOTS_MAX];
        struct boot_set a, b;
        size_t n;
};

/* boots_add() - a boot in A or B; undated unless @day is above 0; without a desktop when it is 0 */
static inline struct record *boots_add(struct boots *b, bool in_b, int day, int64_t desktop_us)
{
        struct record *r = record_new();
        struct boot_set *set = in_b ? &b->b : &b->a;

        assert_non_null(r);
        assert_true(b->n < BOOTS_MAX);
        assert_true(asprintf(&r->id, "%08zx", b->n * 2654435761u % 0xffffffffu) > 0);
        r->machine = strdup("m1");
        assert_non_null(r->machine);
        if (day > 0)
                r->start.realtime_us = (1790000000 + (int64_t) day * 86400) * US_PER_S;
        assert_int_equal(record_see_at(r, "kernel.start", 0, 0, "test", NULL), 0);
        if (desktop_us != 0)
                assert_int_equal(record_see_at(r, "desktop.windows", desktop_us, 0, "test", NULL),
                                 0);
        b->records[b->n++] = r;
        set->name = in_b ? (char *) (uintptr_t) "B" : (char *) (uintptr_t) "A";
        set->boots = in_b ? b->in_b : b->in_a;
        set->boots[set->n++] = r;
        return r;
}

/* boots_sort() - as set_find() would */
static inline void boots_sort(struct boots *b)
{
        if (b->a.n > 1)
                qsort(b->a.boots, b->a.n, sizeof *b->a.boots, set_compare_boots);
        if (b->b.n > 1)
                qsort(b->b.boots, b->b.n, sizeof *b->b.boots, set_compare_boots);
}

static inline struct sample *boots_measure(struct record *r, const char *workload, unsigned run,
                                           const char *field, double value, const char *unit)
{
        struct sample s;

        assert_int_equal(sample_init(&s, workload, run), 0);
        assert_int_equal(sample_add(&s, field, value, unit, BETTER_LOWER, NULL), 0);
        assert_int_equal(record_add_sample(r, &s), 0);
        return &r->samples[r->n_samples - 1];
}

static inline void boots_done(struct boots *b)
{
        for (size_t i = 0; i < b->n; i++)
                record_free(b->records[i]);
        memset(b, 0, sizeof *b);
}

/* boots_joined() - both sets as one, in @ret of at least as many */
static inline struct boot_set boots_joined(struct boots *b, const struct record **ret)
{
        struct boot_set all = { .name = (char *) (uintptr_t) "all", .boots = ret };

        for (size_t i = 0; i < b->a.n; i++)
                ret[all.n++] = b->a.boots[i];
        for (size_t i = 0; i < b->b.n; i++)
                ret[all.n++] = b->b.boots[i];
        qsort(ret, all.n, sizeof *ret, set_compare_boots);
        return all;
}
