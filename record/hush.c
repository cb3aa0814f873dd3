/* record/hush.c - stderr turned to /dev/null for a while */
#include "record/hush.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include "record/macros.h"

int hush_stderr(void)
{
        CLEANUP(closep) int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
        CLEANUP(closep) int saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

        if (null < 0 || saved < 0 || dup2(null, STDERR_FILENO) < 0)
                return -errno;
        return TAKE_FD(saved);
}

void hush_end(int saved)
{
        if (saved < 0)
                return;
        (void) dup2(saved, STDERR_FILENO);
        (void) close(saved);
}
