/* daemon/probes/files.c - the files probe: milestones that show themselves as a file
 *
 * systemd's questions for a disk's passphrase (in /run/systemd/ask-password, gone once answered),
 * and what bootlap.conf names:
 *
 *   [files]
 *   cache-warm = /var/cache/app-?/ready
 *
 * marks "user.cache-warm" when the first such file appears. A child does the watching, since
 * libinotifytools waits by itself; this process waits for the end. Arguments NAME=PATTERN are
 * watched beside those of the configuration.
 */
#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include "daemon/desktop_conf.h"
#include "daemon/probes/loop.h"
#include "daemon/probes/report.h"
#include "daemon/probes/watched.h"
#include "record/clock.h"
#include "record/procfile.h"

#define SOURCE "probe files"
#define QUESTIONS "/run/systemd/ask-password/ask.*"
#define QUESTION_MAX_BYTES 4096
#define DISK_ID "Id=cryptsetup:"
#define NAME_MAX_BYTES 40
#define NAME_CHARS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"
#define ASKED_MAX 16

struct asked {
        char path[128], disk[128];
};

struct files {
        struct lateness lateness;
        struct file_time file_time;
        char *names[WATCHED_MAX], *patterns[WATCHED_MAX]; /* the first is the questions' */
        unsigned n;
        struct asked asked[ASKED_MAX];
        size_t n_asked;
};

static int add(struct files *f, const char *name, size_t n_name, const char *pattern,
               struct fault *fault)
{
        if (n_name == 0 || n_name > NAME_MAX_BYTES || strspn(name, NAME_CHARS) < n_name)
                return fault_set(fault, -EINVAL, "a name is 1 to %d of [A-Za-z0-9._-]",
                                 NAME_MAX_BYTES);
        if (watched_check(pattern, fault) < 0)
                return -EINVAL;
        if (f->n == WATCHED_MAX)
                return fault_set(fault, -EINVAL, "more than %d patterns", WATCHED_MAX);
        f->names[f->n] = strndup(name, n_name);
        f->patterns[f->n] = strdup(pattern);
        if (!f->names[f->n] || !f->patterns[f->n])
                return fault_set(fault, -ENOMEM, "no memory");
        f->n++;
        return 0;
}

/* A wrong line is said and costs no other; inih wants 1 for a right one. */
static int on_entry(void *user, const char *section, const char *name, const char *value)
{
        struct fault fault = FAULT_NULL;

        if (strcmp(section, "files") == 0 &&
            add(user, name, strlen(name), value ? value : "", &fault) < 0)
                report_remark("%s: [files] %.64s: %s", desktop_conf_path(), name, fault.text);
        return 1;
}

static void read_conf(struct files *f)
{
        FILE *file = fopen(desktop_conf_path(), "re");

        if (!file)
                return;
        (void) ini_parse_file(file, on_entry, f);
        (void) fclose(file);
}

/* When a file came, and how much earlier it may have been at most. */
struct stamp {
        int64_t at_ns, bound_ns;
};

static struct stamp stamp_of(const struct files *f, const char *path, enum file_how how)
{
        struct stamp s = { .at_ns = monotonic_ns() };

        s.bound_ns = lateness_us(&f->lateness, s.at_ns) * NS_PER_US;
        /* One that was there when we came may be as old as the boot. */
        if (how == FILE_WAS_THERE)
                s.bound_ns = s.at_ns;
        file_time_stamp(&f->file_time, path, how, &s.at_ns, &s.bound_ns);
        return s;
}

static void mark(const char *name, const char *session, const char *path, struct stamp stamp)
{
        struct mark_detail d = MARK_DETAIL_NULL;

        if (session)
                mark_detail_add(&d, "session", "%s", session);
        mark_detail_add(&d, "error_us", "%lld", (long long) us_from_ns(stamp.bound_ns) + 1);
        if (path)
                mark_detail_add(&d, "path", "%.200s", path);
        if (report_mark(name, stamp.at_ns, SOURCE, &d) < 0)
                _exit(EXIT_FAILURE);
}

/* on_question() - whose passphrase systemd asks for; other questions are no disk's */
static void on_question(struct files *f, const char *path, struct stamp stamp)
{
        CLEANUP(freep) char *text = NULL;
        struct asked *a = &f->asked[f->n_asked];
        const char *id;
        size_t n_bytes;

        if (f->n_asked == ASKED_MAX || strlen(path) >= sizeof a->path ||
            procfile_read(AT_FDCWD, path, QUESTION_MAX_BYTES, &text, &n_bytes) < 0)
                return;
        id = strstr(text, DISK_ID);
        if (!id || (id != text && id[-1] != '\n'))
                return;
        id += strlen(DISK_ID);
        (void) snprintf(a->path, sizeof a->path, "%s", path);
        (void) snprintf(a->disk, sizeof a->disk, "%.*s", (int) strcspn(id, "\n"), id);
        f->n_asked++;
        mark("unlock.prompt", a->disk, NULL, stamp);
}

static void on_file(void *userdata, unsigned index, const char *path, enum file_how how)
{
        struct files *f = userdata;
        struct stamp stamp = stamp_of(f, path, how);
        char name[NAME_MAX_BYTES + 8];

        if (index == 0) {
                on_question(f, path, stamp);
                return;
        }
        (void) snprintf(name, sizeof name, "user.%s", f->names[index]);
        mark(name, NULL, path, stamp);
}

/* on_gone() - when it went, the folder that it was in knows */
static void on_gone(void *userdata, unsigned index, const char *path)
{
        struct files *f = userdata;
        char folder[sizeof f->asked[0].path];

        for (size_t i = 0; index == 0 && i < f->n_asked; i++)
                if (strcmp(f->asked[i].path, path) == 0) {
                        (void) snprintf(folder, sizeof folder, "%.*s",
                                        (int) (strrchr(path, '/') - path), path);
                        mark("unlock.answered", f->asked[i].disk, NULL,
                             stamp_of(f, folder, FILE_MOVED));
                        f->asked[i] = f->asked[--f->n_asked];
                        return;
                }
}

static void on_sleep(void *userdata)
{
        struct files *f = userdata;

        file_time_sleep(&f->file_time);
        lateness_sleep(&f->lateness);
}

static void on_wake(void *userdata)
{
        struct files *f = userdata;

        lateness_woke(&f->lateness);
}

/* child() - the one that watches; it ends when its parent does */
static int child(struct files *f)
{
        const struct watched_handler handler = { .on_file = on_file,
                                                 .on_gone = on_gone,
                                                 .on_sleep = on_sleep,
                                                 .on_wake = on_wake,
                                                 .userdata = f };
        struct fault fault = FAULT_NULL;
        sigset_t none;

        (void) sigemptyset(&none);
        (void) sigprocmask(SIG_SETMASK, &none, NULL);
        (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
        lateness_init(&f->lateness);
        file_time_init(&f->file_time);
        (void) watched_run((const char *const *) f->patterns, f->n, &handler, &fault);
        report_remark("%s", fault.text);
        return EXIT_FAILURE;
}

static int on_child_exit(sd_event_source *source, const siginfo_t *info, void *userdata)
{
        struct probe *p = userdata;

        (void) source;
        (void) info;
        return sd_event_exit(p->event, EXIT_FAILURE);
}

static int run(struct files *f, struct probe *p, struct fault *fault)
{
        pid_t pid = fork();
        int r;

        if (pid < 0)
                return fault_errno(fault, -errno, "a process to watch files");
        if (pid == 0)
                _exit(child(f));
        r = sd_event_add_child(p->event, NULL, pid, WEXITED, on_child_exit, p);
        r = r < 0 ? fault_errno(fault, r, "the event loop") : probe_run(p);
        (void) kill(pid, SIGKILL);
        (void) waitpid(pid, NULL, 0);
        return r;
}

static void done(struct files *f)
{
        for (unsigned i = 0; i < f->n; i++) {
                free(f->names[i]);
                free(f->patterns[i]);
        }
        f->n = 0;
}

/* take_arguments() - each NAME=PATTERN */
static int take_arguments(struct files *f, char **argv)
{
        for (; *argv; argv++) {
                struct fault fault = FAULT_NULL;
                size_t n = strcspn(*argv, "=");

                if ((*argv)[n] != '=' || add(f, *argv, n, *argv + n + 1, &fault) < 0) {
                        report_remark("want NAME=PATTERN, not '%.100s'%s%s", *argv,
                                      fault.text[0] ? ": " : "", fault.text);
                        return -EINVAL;
                }
        }
        return 0;
}

int main(int argc, char **argv)
{
        struct files f = { .n = 0 };
        struct fault fault = FAULT_NULL;
        struct probe p;
        int r = add(&f, "unlock", strlen("unlock"), QUESTIONS, &fault);

        if (r == 0 && take_arguments(&f, argc > 0 ? argv + 1 : argv) < 0) {
                done(&f);
                return 2;
        }
        read_conf(&f);
        if (r == 0)
                r = probe_init(&p, SOURCE, &fault);
        if (r == 0) {
                r = run(&f, &p, &fault);
                probe_done(&p);
        }
        if (fault.text[0])
                report_remark("%s", fault.text);
        done(&f);
        return r < 0 ? EXIT_FAILURE : r;
}
