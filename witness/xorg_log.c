/* witness/xorg_log.c - the server's own log: its first stamp is when it started
 *
 * Stamps are CLOCK_MONOTONIC in seconds with three digits, from 32-bit milliseconds. The file
 * outlives its boot, so one that was not written to since this boot began says nothing. */
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include "record/procfile.h"
#include "witness/witness.h"
#include "witness/xorg_log.h"

#define LOG_MAX_BYTES (4 * 1024 * 1024)
#define USER_LOGS ".local/share/xorg"

int xorg_log_parse_stamp(const char *line, int64_t *ret_us)
{
        const char *p = line;
        char digits[24];
        size_t whole;
        int64_t ms;

        if (*p++ != '[')
                return -EINVAL;
        p += strspn(p, " ");
        whole = strspn(p, "0123456789");
        if (whole == 0 || whole > 12 || p[whole] != '.' ||
            strspn(p + whole + 1, "0123456789") != 3 || p[whole + 4] != ']')
                return -EINVAL;
        memcpy(digits, p, whole);
        memcpy(digits + whole, p + whole + 1, 3);
        digits[whole + 3] = '\0';
        if (parse_int(digits, &ms) < 0)
                return -EINVAL;
        *ret_us = ms * 1000;
        return 0;
}

/* is_of_this_boot() - the log's last write must lie in this boot, at or after its first stamp */
static bool is_of_this_boot(const struct witness_context *ctx, int fd, int64_t first_us)
{
        struct sighting written;
        struct stat st;

        if (fstat(fd, &st) < 0)
                return false;
        if (!ctx->is_live)
                return true; /* a recorded tree's files carry the times of their copying */
        return wall_clock_place(&ctx->wall, &ctx->now,
                                st.st_mtim.tv_sec * US_PER_S + us_from_ns(st.st_mtim.tv_nsec),
                                first_us, &written, NULL) == 0;
}

static int read_log(struct witness_context *ctx, struct record *r, int dir_fd, const char *name,
                    const char *folder, const char *number)
{
        CLEANUP(freep) char *text = NULL;
        CLEANUP(closep) int fd = -EBADF;
        struct sighting s = { .error_us = 1000, .source = (char[]){ "xorg log" } };
        char session[16], detail[512];
        int64_t at_us = 0;
        bool found = false;

        if (procfile_read(dir_fd, name, LOG_MAX_BYTES, &text, NULL) < 0)
                return 0;
        for (const char *line = text; line && !found; line = strchr(line, '\n')) {
                line += *line == '\n';
                found = xorg_log_parse_stamp(line, &at_us) == 0;
        }
        fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (!found || fd < 0 || at_us > ctx->now.monotonic_us || !is_of_this_boot(ctx, fd, at_us))
                return 0;
        (void) snprintf(session, sizeof session, ":%.10s", number);
        (void) snprintf(detail, sizeof detail, "%.300s/%.100s", folder, name);
        s.at_us = at_us;
        s.detail = detail;
        return record_see(r, "display.exec", session, &s);
}

/* read_folder() - every Xorg.N.log of one folder */
static int read_folder(struct witness_context *ctx, struct record *r, const char *folder,
                       const char *shown)
{
        int code = 0, fd = openat(ctx->root_fd, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
        const struct dirent *d;

        if (!dir) {
                closep(&fd);
                return 0;
        }
        while (code == 0 && (d = readdir(dir))) {
                char number[16];
                size_t n = strncmp(d->d_name, "Xorg.", 5) == 0 ? strspn(d->d_name + 5, "0123456789")
                                                               : 0;

                if (n == 0 || n >= sizeof number || strcmp(d->d_name + 5 + n, ".log") != 0)
                        continue;
                memcpy(number, d->d_name + 5, n);
                number[n] = '\0';
                code = read_log(ctx, r, fd, d->d_name, shown, number);
        }
        (void) closedir(dir);
        return code;
}

/* read_homes() - a server that runs as its user logs below that user's home */
static int read_homes(struct witness_context *ctx, struct record *r)
{
        int code = 0, fd = openat(ctx->root_fd, "home", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
        const struct dirent *d;

        if (!dir) {
                closep(&fd);
                return 0;
        }
        while (code == 0 && (d = readdir(dir))) {
                CLEANUP(freep) char *folder = NULL;

                if (d->d_name[0] == '.')
                        continue;
                if (asprintf(&folder, "home/%s/" USER_LOGS, d->d_name) < 0)
                        code = -ENOMEM;
                else /* the user's name stays out of the record */
                        code = read_folder(ctx, r, folder, "~/" USER_LOGS);
        }
        (void) closedir(dir);
        return code;
}

static int ask_xorg_log(struct witness_context *ctx, struct record *r, struct fault *fault)
{
        int code = read_folder(ctx, r, "var/log", "/var/log");

        (void) fault;
        if (code == 0)
                code = read_folder(ctx, r, "root/" USER_LOGS, "~/" USER_LOGS);
        return code < 0 ? code : read_homes(ctx, r);
}

static const char *const milestones[] = { NULL };

const struct witness witness_xorg_log = { "xorg log", milestones, ask_xorg_log };
