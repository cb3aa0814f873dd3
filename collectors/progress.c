/* collectors/progress.c - signs of life on stderr. Lines start with the collector's name and a
 * blank; only faults start with "NAME: ", so that a supervisor can tell them apart. */
#include "collectors/progress.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include "record/clock.h"

#define BAR_INTERVAL_US (US_PER_S / 10)
#define LINE_INTERVAL_US (5 * US_PER_S)
#define BAR_MAX_CELLS 40
#define BAR_TEXT_COLUMNS 56 /* what the words beside the bar take at most */
#define CLEAR_LINE "\r\033[K"

enum progress_style progress_style_now(bool quiet)
{
        const char *asked = getenv("BOOTLAP_PROGRESS"), *term = getenv("TERM");

        if (quiet || (asked && strcmp(asked, "none") == 0))
                return PROGRESS_NONE;
        if (asked && strcmp(asked, "bar") == 0)
                return PROGRESS_BAR;
        if (asked && strcmp(asked, "lines") == 0)
                return PROGRESS_LINES;
        return isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0) ? PROGRESS_BAR
                                                                             : PROGRESS_LINES;
}

void progress_start(struct progress *p, const char *what, uint64_t total)
{
        progress_start_counting(p, what, total, "");
}

void progress_start_counting(struct progress *p, const char *what, uint64_t total, const char *unit)
{
        p->what = what;
        p->total = total;
        p->unit = unit;
        p->next_us = clock_us(CLOCK_MONOTONIC) +
                     (p->style == PROGRESS_BAR ? BAR_INTERVAL_US : LINE_INTERVAL_US);
}

static unsigned terminal_columns(void)
{
        struct winsize size;

        return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

static void draw_bar(struct progress *p, uint64_t done)
{
        unsigned columns = terminal_columns(), cells, full;
        char bar[BAR_MAX_CELLS + 1];

        if (p->total == 0 || columns < BAR_TEXT_COLUMNS + 4) {
                (void) fprintf(stderr, CLEAR_LINE "%s %.30s %llu%s", p->who, p->what,
                               (unsigned long long) done, p->unit);
                return;
        }
        cells = columns - BAR_TEXT_COLUMNS;
        if (cells > BAR_MAX_CELLS)
                cells = BAR_MAX_CELLS;
        full = (unsigned) ((double) done / (double) p->total * cells);
        for (unsigned i = 0; i < cells; i++)
                bar[i] = i < full ? '#' : '.';
        bar[cells] = '\0';
        (void) fprintf(stderr, CLEAR_LINE "%.12s [%s] %3.0f %% %.30s", p->who, bar,
                       100.0 * (double) done / (double) p->total, p->what);
}

void progress_step(struct progress *p, uint64_t done)
{
        int64_t now_us;

        if (p->style == PROGRESS_NONE || !p->what)
                return;
        now_us = clock_us(CLOCK_MONOTONIC);
        if (now_us < p->next_us)
                return;
        if (p->total && done > p->total)
                done = p->total;
        if (p->style == PROGRESS_BAR) {
                draw_bar(p, done);
                p->bar_is_up = true;
                p->next_us = now_us + BAR_INTERVAL_US;
        } else {
                if (p->total)
                        (void) fprintf(stderr, "%s %s: %llu of %llu%s (%.0f %%)\n", p->who, p->what,
                                       (unsigned long long) done, (unsigned long long) p->total,
                                       p->unit, 100.0 * (double) done / (double) p->total);
                else
                        (void) fprintf(stderr, "%s %s: %llu%s\n", p->who, p->what,
                                       (unsigned long long) done, p->unit);
                p->next_us = now_us + LINE_INTERVAL_US;
        }
        (void) fflush(stderr);
}

void progress_end(struct progress *p)
{
        if (p->bar_is_up) {
                (void) fputs(CLEAR_LINE, stderr);
                (void) fflush(stderr);
        }
        p->bar_is_up = false;
        p->what = NULL;
}
