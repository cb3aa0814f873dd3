/* witness/bus.c - see bus.h */
#include "witness/bus.h"
#include <stdarg.h>
#include <string.h>
#include "record/macros.h"

int bus_open(const char *address, uint64_t timeout_us, sd_bus **ret, struct fault *fault)
{
        CLEANUP(sd_bus_close_unrefp) sd_bus *bus = NULL;
        int r = sd_bus_new(&bus);

        if (r >= 0)
                r = sd_bus_set_address(bus, address);
        if (r >= 0)
                r = sd_bus_set_method_call_timeout(bus, timeout_us);
        if (r >= 0)
                r = sd_bus_start(bus);
        if (r < 0)
                return fault_errno(fault, r, "%s", address);
        *ret = TAKE(bus);
        return 0;
}

int bus_open_system(uint64_t timeout_us, sd_bus **ret, struct fault *fault)
{
        CLEANUP(sd_bus_close_unrefp) sd_bus *bus = NULL;
        int r = sd_bus_open_system(&bus);

        if (r >= 0)
                r = sd_bus_set_method_call_timeout(bus, timeout_us);
        if (r < 0)
                return fault_errno(fault, r, "the system bus");
        *ret = TAKE(bus);
        return 0;
}

int bus_fault(struct fault *fault, int code, const sd_bus_error *error, const char *format, ...)
{
        char what[sizeof fault->text / 2];
        va_list ap;

        va_start(ap, format);
        (void) vsnprintf(what, sizeof what, format, ap);
        va_end(ap);
        if (sd_bus_error_is_set(error) && error->message)
                return fault_set(fault, code, "%s: %s", what, error->message);
        return fault_errno(fault, code, "%s", what);
}
