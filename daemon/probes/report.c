/* daemon/probes/report.c - marks on stdout, remarks on stderr */
#include "daemon/probes/report.h"
#include <stdarg.h>
#include <string.h>
#include "daemon/probes/lateness.h"

/* A pipe takes lines of this size whole or not at all, so readers never see half a mark. */
static int write_line(const char *line, size_t n)
{
        for (;;) {
                ssize_t written = write(STDOUT_FILENO, line, n);

                if (written == (ssize_t) n)
                        return 0;
                if (written < 0 && errno == EINTR)
                        continue;
                return written < 0 ? -errno : -EIO;
        }
}

int report_mark(const char *name, int64_t at_ns, const char *source,
                const struct mark_detail *detail)
{
        char line[MARK_LINE_MAX_BYTES + 1];
        struct mark m = { .name = (char *) (uintptr_t) name,
                          .monotonic_ns = (uint64_t) at_ns,
                          .source = (char *) (uintptr_t) source,
                          .detail = (char *) (uintptr_t) (detail ? detail->text : "") };
        int n = mark_format_line(&m, line);

        return n < 0 ? n : write_line(line, (size_t) n);
}

int report_absent(const char *milestone, const char *session, const char *source,
                  const char *format, ...)
{
        struct mark_detail d = MARK_DETAIL_NULL;
        char reason[256];
        va_list list;

        va_start(list, format);
        (void) vsnprintf(reason, sizeof reason, format, list);
        va_end(list);
        mark_detail_add(&d, "milestone", "%s", milestone);
        if (session)
                mark_detail_add(&d, "session", "%s", session);
        mark_detail_add(&d, "reason", "%s", reason);
        return report_mark(MARK_ABSENT, monotonic_ns(), source, &d);
}

void report_remark(const char *format, ...)
{
        char text[512];
        int used;
        va_list list;

        used = snprintf(text, sizeof text, "%s: ", program_invocation_short_name);
        va_start(list, format);
        (void) vsnprintf(text + used, sizeof text - (size_t) used, format, list);
        va_end(list);
        (void) fprintf(stderr, "%s\n", text);
}
