/* tests/fuzz/import_one.c - used by the fuzzer, and by a test of the default check that mutates
 * texts */
#include "tests/fuzz/import_one.h"
#include <math.h>
#include <string.h>
#include "analyze/import/import.h"
#include "record/json.h"

#define MUST(condition)                                                                            \
        do {                                                                                       \
                if (!(condition)) {                                                                \
                        (void) fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);     \
                        abort();                                                                   \
                }                                                                                  \
        } while (0)

static void check_record(const struct record *r)
{
        CLEANUP(json_decrefp) json_t *j = record_to_json(r);
        CLEANUP(record_freep) struct record *back = NULL;
        struct fault fault = FAULT_NULL;

        MUST(r->id && strlen(r->id) == 64 && r->machine);
        MUST(j);
        MUST(record_from_json(j, &back, &fault) == 0);
        MUST(back->n_samples == r->n_samples && back->n_milestones == r->n_milestones);
        for (size_t i = 0; i < r->n_samples; i++) {
                MUST(r->samples[i].run >= 1 && r->samples[i].run <= 1000000);
                for (size_t k = 0; k < r->samples[i].n_values; k++)
                        MUST(isfinite(r->samples[i].values[k].value) &&
                             r->samples[i].values[k].raw);
        }
        MUST(r->n_samples || r->n_milestones || r->n_units || r->incomplete);
}

void import_one(const char *format, const void *bytes, size_t n_bytes)
{
        CLEANUP(text_done) struct text text = TEXT_NULL;
        CLEANUP(import_done) struct import in = { .text = NULL };
        struct fault fault = FAULT_NULL;
        int r = text_from_bytes("text", bytes, n_bytes, &text, &fault);

        if (r < 0) {
                MUST(fault.text[0]);
                return;
        }
        for (size_t i = 0; i < text.n_lines; i++)
                MUST(strlen(text_at(&text, i)) == text.lines[i].n_bytes);
        r = import_text(&text, format ? import_format_find(format) : NULL, NULL, &in, &fault);
        MUST(r == 0 || fault.text[0]);
        if (r < 0 && r != -ENOMSG)
                return; /* given up in the middle: what was entered is dropped by the caller */
        MUST((r == 0) == (in.n_records > 0));
        for (size_t i = 0; i < in.n_records; i++) {
                check_record(in.records[i]);
                for (size_t k = 0; k < i; k++)
                        MUST(strcmp(in.records[i]->id, in.records[k]->id) != 0);
        }
        for (size_t i = 0; i < in.n_unread; i++)
                MUST(in.unread[i].text[0]);
}
