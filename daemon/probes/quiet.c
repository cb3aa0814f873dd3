/* daemon/probes/quiet.c - see quiet.h */
#include "daemon/probes/quiet.h"
#include <string.h>

static void drop_first(struct quiet *q)
{
        q->n--;
        memmove(q->samples, q->samples + 1, q->n * sizeof q->samples[0]);
}

static int64_t length_ns(const struct quiet_sample *s, int64_t end_ns)
{
        return (s->end_ns < end_ns ? s->end_ns : end_ns) - s->start_ns;
}

/* is_one_burst() - what keeps two busy samples busy fits into one */
static bool is_one_burst(const struct quiet_sample *a, const struct quiet_sample *b)
{
        return a->busy_ns > 0 && b->busy_ns > 0 &&
               a->busy_ns + b->busy_ns <= a->end_ns - a->start_ns;
}

/* busy_ns() - how long busy samples were in the window that starts with the first one */
static int64_t busy_ns(const struct quiet *q)
{
        int64_t end_ns = q->samples[0].start_ns + QUIET_WINDOW_NS, sum_ns = 0;

        for (size_t i = 0; i < q->n && q->samples[i].start_ns < end_ns; i++) {
                if (q->samples[i].busy_ns > 0)
                        sum_ns += length_ns(&q->samples[i], end_ns);
                if (i + 1 < q->n && is_one_burst(&q->samples[i], &q->samples[i + 1]))
                        i++;
        }
        return sum_ns;
}

bool quiet_add(struct quiet *q, struct quiet_sample sample)
{
        if (q->is_settled || sample.end_ns <= sample.start_ns)
                return q->is_settled;
        if (q->n == QUIET_SAMPLES_MAX)
                drop_first(q);
        q->samples[q->n++] = sample;
        while (q->n > 0) {
                int64_t start_ns = q->samples[0].start_ns;

                if (q->samples[0].busy_ns == 0) {
                        if (sample.end_ns < start_ns + QUIET_WINDOW_NS)
                                return false;
                        if (busy_ns(q) <= QUIET_WINDOW_NS / 100 * (100 - QUIET_PERCENT)) {
                                q->is_settled = true;
                                q->settled_ns = start_ns;
                                return true;
                        }
                }
                drop_first(q);
        }
        return false;
}
