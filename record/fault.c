/* record/fault.c - words beside the errno. Kept in a fixed buffer: see fault.h. */
#include "record/fault.h"
#include <stdarg.h>
#include <string.h>

int fault_set(struct fault *f, int code, const char *format, ...)
{
        va_list ap;

        if (!f)
                return code;
        va_start(ap, format);
        (void) vsnprintf(f->text, sizeof f->text, format, ap);
        va_end(ap);
        return code;
}

int fault_errno(struct fault *f, int code, const char *format, ...)
{
        char what[sizeof f->text / 2];
        va_list ap;

        if (!f)
                return code;
        va_start(ap, format);
        (void) vsnprintf(what, sizeof what, format, ap);
        va_end(ap);
        return fault_set(f, code, "%s: %s", what, strerror(-code));
}

int fault_context(struct fault *f, int code, const char *format, ...)
{
        char what[sizeof f->text / 2], before[sizeof f->text];
        va_list ap;

        if (!f)
                return code;
        va_start(ap, format);
        (void) vsnprintf(what, sizeof what, format, ap);
        va_end(ap);
        (void) snprintf(before, sizeof before, "%s", f->text);
        (void) snprintf(f->text, sizeof f->text, "%.*s: %.*s", (int) sizeof f->text / 2, what,
                        (int) (sizeof f->text - strlen(what) - 3), before);
        return code;
}
