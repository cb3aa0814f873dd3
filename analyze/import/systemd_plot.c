/* analyze/import/systemd_plot.c - systemd-analyze plot --json=...: every unit with its five stamps,
 * in microseconds of CLOCK_MONOTONIC:
 *
 *     [{"name":"ssh.service","activated":9500000,"activating":9000000,"time":500000,
 *       "deactivated":0,"deactivating":0}]
 *
 * A target takes no time: it becomes a milestone. The others become the record's units. */
#include <string.h>
#include "analyze/import/formats.h"
#include "analyze/import/heading.h"
#include "analyze/import/json_part.h"
#include "analyze/import/systemd_startup.h"

#define MARK "activating"

static bool is_believable(int64_t us) { return !timespan_from_us(us, 0).implausible; }

static void read_unit(struct import *in, const json_t *unit, size_t i)
{
        const char *name = json_string_value(json_object_get(unit, "name"));
        int64_t activated = json_integer_value(json_object_get(unit, "activated"));
        int64_t activating = json_integer_value(json_object_get(unit, "activating"));
        int64_t took = json_integer_value(json_object_get(unit, "time"));
        struct timespan at = { .us = activated };

        if (!name || !json_is_integer(json_object_get(unit, "activated"))) {
                import_unread(in, i, "a unit without its name or its stamps");
                return;
        }
        if (!is_believable(activated) || !is_believable(activating) || !is_believable(took)) {
                import_warn(in,
                            "line %u: %s, activated at %lld us after %lld us from %lld us on, was "
                            "left out: not plausible",
                            text_number(in->text, i), name, (long long) activated, (long long) took,
                            (long long) activating);
                return;
        }
        if (systemd_target_is_milestone(name) && activated > 0)
                import_see(in, name, &at, i, "activated");
        if (took > 0)
                import_unit(in, name, activating, took);
}

static void read_plot(struct import *in, const struct patterns *headings,
                      const struct json_part *part)
{
        char heading[HEADING_MAX_BYTES];
        struct timespan zero = { .us = 0 };
        const json_t *unit;
        size_t k, line = part->first;

        (void) heading_above(in, part->first, 1, heading, sizeof heading);
        (void) import_record(in, part->first);
        heading_label(headings, in, heading);
        json_part_take(in, part);
        import_see(in, "kernel.start", &zero, part->first, "what these times count from");
        json_array_foreach(part->j, k, unit)
        {
                const char *name = json_string_value(json_object_get(unit, "name"));

                line = json_part_line(in->text, part, line, name ? name : MARK);
                read_unit(in, unit, line);
        }
        if (part->was_cut)
                import_warn(in, "the JSON is cut: there were more units");
}

int systemd_plot_recognize(const struct text *text)
{
        CLEANUP(json_part_done) struct json_part part = JSON_PART_NULL;

        return json_part_next(text, 0, MARK, &part) && json_is_array(part.j) ? 95 : 0;
}

void systemd_plot_read(struct import *in)
{
        CLEANUP(patterns_freep) struct patterns *headings = heading_patterns();
        size_t i = 0;

        if (!headings) {
                import_out_of_memory(in);
                return;
        }
        while (in->error == 0) {
                CLEANUP(json_part_done) struct json_part part = JSON_PART_NULL;

                if (!json_part_next(in->text, i, MARK, &part))
                        break;
                if (json_is_array(part.j))
                        read_plot(in, headings, &part);
                i = part.last + 1;
        }
}
