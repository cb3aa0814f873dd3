/* daemon/probes/quiet.c - see quiet.h */
#include "daemon/probes/quiet.h"
#include <string.h>

static void drop_first(struct quiet *q)
{
        q->n--;
        memmove(q->samples, q->samples + 1, q->n * sizeof q->samples[0]);
}

/* quiet_ns() - how much of the window that starts with the first sample was quiet */
static int64_t quiet_ns(const struct quiet *q)
{
        int64_t end_ns = q->samples[0].start_ns + QUIET_WINDOW_NS, sum_ns = 0;

        for (size_t i = 0; i < q->n; i++) {
                const struct quiet_sample *s = &q->samples[i];

                if (s->is_quiet)
                        sum_ns += (s->end_ns < end_ns ? s->end_ns : end_ns) - s->start_ns;
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

                if (q->samples[0].is_quiet) {
                        if (sample.end_ns < start_ns + QUIET_WINDOW_NS)
                                return false;
                        if (quiet_ns(q) >= QUIET_WINDOW_NS / 100 * QUIET_PERCENT) {
                                q->is_settled = true;
                                q->settled_ns = start_ns;
                                return true;
                        }
                }
                drop_first(q);
        }
        return false;
}
