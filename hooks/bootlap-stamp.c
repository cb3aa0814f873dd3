/* hooks/bootlap-stamp.c - write down that something happened now
 *
 * Started by hooks in loaders' successors: initrds of three makes, X sessions, units. It is static,
 * since an initrd may have another libc or none, takes the time before anything else, waits for
 * nothing, and ends with 0 when the mark could not be written: what is measured comes first. */
#include <inttypes.h>
#include <string.h>
#include <time.h>
#include "record/clock.h"
#include "record/mark_send.h"

static const char usage[] =
        "Usage: bootlap-stamp NAME [SOURCE [DETAIL]]\n"
        "Mark that NAME (of [A-Za-z0-9._-]) happened now, in " MARK_RUN_DIR "/" MARK_FILE ".\n"
        "Ends with 0 also when the mark could not be written, and says why on stderr.\n";

int main(int argc, char **argv)
{
        struct fault fault = FAULT_NULL;
        struct timespec now;
        struct mark m = MARK_NULL;

        if (clock_gettime(CLOCK_MONOTONIC, &now) < 0)
                return 0;
        (void) alarm(1); /* whatever hangs, a boot is not held up for longer */
        if (argc == 2 && strcmp(argv[1], "--help") == 0)
                return fputs(usage, stdout) < 0;
        if (argc == 2 && strcmp(argv[1], "--version") == 0)
                return puts("bootlap-stamp " PACKAGE_VERSION) < 0;
        if (argc < 2 || argc > 4 || argv[1][0] == '-' || !mark_name_is_valid(argv[1])) {
                (void) fputs(usage, stderr);
                return 2;
        }
        m.name = argv[1];
        m.monotonic_ns = (uint64_t) now.tv_sec * NS_PER_S + (uint64_t) now.tv_nsec;
        m.source = argc > 2 ? argv[2] : NULL;
        m.detail = argc > 3 ? argv[3] : NULL;
        if (mark_send(mark_run_dir(), &m, &fault) < 0)
                (void) fprintf(stderr, "bootlap-stamp: %s\n", fault.text);
        return 0;
}
