/* collectors/memory_room.c - /proc/meminfo, and the memory controller's files above us */
#include "collectors/memory_room.h"
#include <inttypes.h>
#include <string.h>
#include "record/procfile.h"

#define FILE_MAX_BYTES 65536
#define LOW_SHARE 20

static int meminfo(int root_fd, struct memory_room *m, struct fault *fault)
{
        CLEANUP(freep) char *text = NULL;
        const char *total, *available;
        int r = procfile_read(root_fd, "proc/meminfo", FILE_MAX_BYTES, &text, NULL);

        if (r < 0)
                return fault_errno(fault, r, "/proc/meminfo");
        total = strstr(text, "MemTotal:");
        available = strstr(text, "MemAvailable:");
        if (!total || !available ||
            sscanf(total, "MemTotal: %" SCNu64 " kB", &m->total_bytes) != 1 ||
            sscanf(available, "MemAvailable: %" SCNu64 " kB", &m->available_bytes) != 1)
                return fault_set(fault, -EINVAL, "/proc/meminfo does not tell");
        m->total_bytes *= 1024;
        m->available_bytes *= 1024;
        return 0;
}

/* apply() - one cgroup's limit and use; "max" and a v1 group's 2^63 less a page are no limits */
static void apply(int root_fd, struct memory_room *m, const char *folder, const char *limit_name,
                  const char *use_name)
{
        char path[512];
        int64_t limit, used;

        (void) snprintf(path, sizeof path, "%.400s/%s", folder, limit_name);
        if (procfile_read_int(root_fd, path, &limit) < 0 || limit < 0)
                return;
        (void) snprintf(path, sizeof path, "%.400s/%s", folder, use_name);
        if (procfile_read_int(root_fd, path, &used) < 0 || used < 0)
                used = 0;
        if ((uint64_t) limit < m->total_bytes)
                m->total_bytes = (uint64_t) limit;
        if (used >= limit)
                m->available_bytes = 0;
        else if ((uint64_t) (limit - used) < m->available_bytes)
                m->available_bytes = (uint64_t) (limit - used);
}

/* walk_up() - from our group to the top: each one's limit holds */
static void walk_up(int root_fd, struct memory_room *m, const char *mount, const char *group,
                    bool is_v1)
{
        char folder[400];
        size_t n_mount;

        (void) snprintf(folder, sizeof folder, "%s%s", mount, strcmp(group, "/") == 0 ? "" : group);
        n_mount = strlen(mount);
        for (;;) {
                char *slash;

                apply(root_fd, m, folder, is_v1 ? "memory.limit_in_bytes" : "memory.max",
                      is_v1 ? "memory.usage_in_bytes" : "memory.current");
                slash = strrchr(folder, '/');
                if (!slash || (size_t) (slash - folder) < n_mount)
                        return;
                *slash = '\0';
        }
}

static void cgroups(int root_fd, struct memory_room *m)
{
        CLEANUP(freep) char *text = NULL;
        char *rest = NULL;

        if (procfile_read(root_fd, "proc/self/cgroup", FILE_MAX_BYTES, &text, NULL) < 0)
                return;
        /* "4:memory:/group" or "0::/group" */
        for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
                char *controllers = strchr(line, ':');
                char *group = controllers ? strchr(controllers + 1, ':') : NULL;

                if (!group || strlen(group) > 300 || strstr(group, ".."))
                        continue;
                *group++ = '\0';
                if (strcmp(controllers, ":memory") == 0)
                        walk_up(root_fd, m, "sys/fs/cgroup/memory", group, true);
                else if (strcmp(controllers, ":") == 0)
                        walk_up(root_fd, m, "sys/fs/cgroup", group, false);
        }
}

int memory_room_now(int root_fd, struct memory_room *ret, struct fault *fault)
{
        struct memory_room m;
        int r = meminfo(root_fd, &m, fault);

        if (r < 0)
                return r;
        cgroups(root_fd, &m);
        *ret = m;
        return 0;
}

uint64_t memory_room_for_load(const struct memory_room *m)
{
        uint64_t want = m->total_bytes / 2, most = m->available_bytes / 4 * 3;

        if (want > most)
                want = most;
        return want - want % MEMORY_STEP_BYTES;
}

bool memory_room_is_low(const struct memory_room *m)
{
        return m->available_bytes < m->total_bytes / LOW_SHARE;
}
