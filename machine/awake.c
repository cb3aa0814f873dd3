/* machine/awake.c - sleeping drives. What has no platters wakes in microseconds and counts as
 * awake; of the others the kernel knows its own runtime suspend, and the drive answers ATA's CHECK
 * POWER MODE, the one command that does not spin it up (hdparm -C asks the same). */
#include "machine/awake.h"
#include <linux/hdreg.h>
#include <string.h>
#include <sys/ioctl.h>
#include "machine/root.h"

#define MODE_STANDBY 0x00

static bool never_sleeps(const struct machine_context *m, const struct stack_node *n)
{
        static const char *const buses[] = { "/virtio", "/nvme", "/mmc_host/", "/vbd-", "/pmem" };
        int64_t rotational;

        for (size_t i = 0; i < ELEMENTSOF(buses); i++)
                if (strstr(n->devpath, buses[i]))
                        return true;
        return root_integer(m, &rotational, "%s/queue/rotational", n->dir) == 0 && rotational == 0;
}

bool drive_is_awake(const struct machine_context *m, const struct stack_node *n,
                    struct fault *fault)
{
        unsigned char args[4] = { WIN_CHECKPOWERMODE1, 0, 0, 0 };
        CLEANUP(freep) char *status = NULL;
        CLEANUP(closep) int fd = -EBADF;

        if (never_sleeps(m, n))
                return true;
        if (root_line(m, &status, "%s/device/power/runtime_status", n->dir) == 0 &&
            (strcmp(status, "suspended") == 0 || strcmp(status, "suspending") == 0)) {
                (void) fault_set(fault, -EAGAIN, "the drive sleeps, and is not woken for it");
                return false;
        }
        fd = stack_node_open(n, m, NULL);
        if (fd < 0 || ioctl(fd, HDIO_DRIVE_CMD, args) < 0) {
                (void) fault_set(fault, -EAGAIN,
                                 "the drive may sleep: it does not tell, and is not woken for it");
                return false;
        }
        /* After the command, the third byte is the drive's sector count: its mode. */
        if (args[2] == MODE_STANDBY)
                (void) fault_set(fault, -EAGAIN, "the drive sleeps, and is not woken for it");
        return args[2] != MODE_STANDBY;
}
