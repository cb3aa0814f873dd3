/* machine/boot_kind.c - what kind of boot this was, and what lay before it
 *
 * After a crash the file systems are checked or replayed; the first boot after an update rebuilds
 * caches: both are slow for reasons that no change of the machine explains. The login records tell
 * when this boot and the one before began and whether that one was shut down; the package
 * database's last change tells of updates. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <utmp.h>
#include "machine/root.h"
#include "machine/topics.h"

#define WTMP "var/log/wtmp"
#define TAIL_RECORDS 4096
#define LOADER_KEXEC 13 /* boot protocol's number: the kernel was started by another one */
#define HOUR_S 3600

/* What the login records say of the boot before this one. */
struct previous_boot {
        int64_t began_s, this_began_s; /* wall clock */
        bool was_shut_down;
};

/* read_tail() - the last records of a file of fixed-size records */
static int read_tail(const struct machine_context *m, struct utmp **ret, size_t *ret_n)
{
        CLEANUP(closep) int fd = root_open(m, O_RDONLY | O_NONBLOCK, WTMP);
        CLEANUP(freep) struct utmp *records = NULL;
        struct stat st;
        size_t n;
        ssize_t got;

        if (fd < 0)
                return fd;
        if (fstat(fd, &st) < 0)
                return -errno;
        if (!S_ISREG(st.st_mode))
                return -EBADMSG;
        n = (size_t) st.st_size / sizeof *records;
        if (n > TAIL_RECORDS)
                n = TAIL_RECORDS;
        records = calloc(n + 1, sizeof *records);
        if (!records)
                return -ENOMEM;
        got = pread(fd, records, n * sizeof *records,
                    (off_t) (((size_t) st.st_size / sizeof *records - n) * sizeof *records));
        if (got < 0)
                return -errno;
        *ret_n = (size_t) got / sizeof *records;
        *ret = TAKE(records);
        return 0;
}

static int find_previous(const struct machine_context *m, struct previous_boot *ret)
{
        CLEANUP(freep) struct utmp *records = NULL;
        struct previous_boot p = { .began_s = 0 };
        size_t n = 0;
        int r = read_tail(m, &records, &n);

        if (r < 0)
                return r;
        while (n-- > 0) {
                const struct utmp *u = &records[n];

                if (u->ut_type == RUN_LVL && p.this_began_s > 0 &&
                    strncmp(u->ut_user, "shutdown", sizeof u->ut_user) == 0)
                        p.was_shut_down = true;
                if (u->ut_type != BOOT_TIME)
                        continue;
                if (p.this_began_s == 0) {
                        p.this_began_s = u->ut_tv.tv_sec;
                        continue;
                }
                p.began_s = u->ut_tv.tv_sec;
                *ret = p;
                return 0;
        }
        return -ENODATA;
}

/* packages_changed_s() - when the package database was last written; 0 when none is known */
static int64_t packages_changed_s(const struct machine_context *m)
{
        static const char *const databases[] = { "var/lib/dpkg/status",
                                                 "usr/lib/sysimage/rpm/rpmdb.sqlite",
                                                 "var/lib/rpm/rpmdb.sqlite", "var/lib/pacman/local",
                                                 "lib/apk/db/installed" };

        for (size_t i = 0; i < ELEMENTSOF(databases); i++) {
                CLEANUP(closep) int fd = root_open(m, O_PATH, "%s", databases[i]);
                struct stat st;

                if (fd >= 0 && fstat(fd, &st) == 0)
                        return st.st_mtim.tv_sec;
        }
        return 0;
}

static void enter_update(struct capture *c, const struct previous_boot *p)
{
        int64_t changed_s = packages_changed_s(c->m);

        if (changed_s == 0)
                factor_absent(c, "boot.after_update", "no package database that is known");
        else if (changed_s > p->this_began_s)
                factor_absent(
                        c, "boot.after_update",
                        "packages changed since this boot began, which hides earlier changes");
        else
                factor_boolean(c, "boot.after_update", changed_s >= p->began_s);
}

static void capture_previous(struct capture *c)
{
        struct previous_boot p;
        int r = find_previous(c->m, &p);

        if (r == -ENOMEM)
                c->error = r;
        if (r < 0) {
                const char *why = r == -ENODATA ? "knows no boot before this one" : strerror(-r);

                factor_absent(c, "boot.after_crash", "/" WTMP ": %s", why);
                factor_absent(c, "boot.after_update", "/" WTMP ": %s", why);
                return;
        }
        factor_boolean(c, "boot.after_crash", !p.was_shut_down);
        factor_integer(c, "boot.previous_age_hours", (p.this_began_s - p.began_s) / HOUR_S);
        enter_update(c, &p);
}

/* capture_kind() - what the record knows already (a witness may have seen a reboot in the journal),
 * else what the loader's number tells */
static void capture_kind(struct capture *c)
{
        int64_t type = 0;

        if (!c->r->boot_kind && c->r->boot_number > 0)
                c->r->boot_kind = strdup("soft-reboot");
        else if (!c->r->boot_kind &&
                 root_integer(c->m, &type, "proc/sys/kernel/bootloader_type") == 0 &&
                 type >> 4 == LOADER_KEXEC)
                c->r->boot_kind = strdup("kexec");
        if (c->r->boot_kind)
                factor_text(c, "boot.kind", c->r->boot_kind);
        else
                factor_absent(
                        c, "boot.kind",
                        "no sign of a kexec, and a reset leaves none that tells cold from warm");
}

void boot_kind_capture(struct capture *c)
{
        capture_kind(c);
        capture_previous(c);
}
