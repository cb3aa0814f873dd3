/* record/collect.c - collectors as their callers see them: bootlap run, bootlap measure, bootlapd
 */
#include "record/collect.h"
#include <string.h>
#include "record/clock.h"
#include "record/programs.h"
#include "record/supervise.h"

#define OUTPUT_MAX_BYTES (16u << 20)

enum { EXIT_FLAWED = 1, EXIT_USAGE = 2, EXIT_UNAVAILABLE = 77 };

void collected_done(struct collected *c)
{
        result_done(&c->result);
        *c = COLLECTED_NULL;
}

/* Passes a collector's stderr on, line by line (a carriage return, which redraws a bar, ends one
 * too). A line that starts with "NAME: " is a fault: the last of them is kept back, since the
 * caller will word it as the reason. */
struct relay {
        const char *name;
        bool quiet;
        char line[SUPERVISE_LINE_BYTES];
        size_t n_bytes;
        char fault[SUPERVISE_LINE_BYTES + 1]; /* kept back, with its newline; or "" */
};

static void relay_line(struct relay *relay)
{
        size_t n = strlen(relay->name);

        if (relay->quiet)
                return;
        if (strncmp(relay->line, relay->name, n) == 0 && strncmp(relay->line + n, ": ", 2) == 0) {
                (void) fputs(relay->fault, stderr);
                memcpy(relay->fault, relay->line, relay->n_bytes + 1);
        } else {
                (void) fputs(relay->fault, stderr);
                (void) fputs(relay->line, stderr);
                relay->fault[0] = '\0';
        }
}

static void relay_stderr(void *userdata, const char *data, size_t n_bytes)
{
        struct relay *relay = userdata;

        for (size_t i = 0; i < n_bytes; i++) {
                if (data[i] != '\0') /* no text has one */
                        relay->line[relay->n_bytes++] = data[i];
                relay->line[relay->n_bytes] = '\0';
                if (data[i] == '\n' || data[i] == '\r' ||
                    relay->n_bytes == sizeof relay->line - 1) {
                        relay_line(relay);
                        relay->n_bytes = 0;
                }
        }
        (void) fflush(stderr);
}

/* relay_end() - what is still there; a fault only when the caller will not say it */
static void relay_end(struct relay *relay, bool fault_too)
{
        if (relay->n_bytes > 0)
                relay_line(relay);
        if (fault_too)
                (void) fputs(relay->fault, stderr);
}

/* reason_from() - the collector's last line on stderr, without its name before it */
static void reason_from(struct collected *c, const char *name, const struct supervised *s,
                        const char *otherwise)
{
        const char *line = s->last_line;
        size_t n = strlen(name);

        if (strncmp(line, name, n) == 0 && strncmp(line + n, ": ", 2) == 0)
                line += n + 2;
        (void) snprintf(c->reason, sizeof c->reason, "%s", *line ? line : otherwise);
}

/* judge_flawed() - failed, but with a result that says what was wrong with what it measured */
static void judge_flawed(struct collected *c, const struct supervised *s)
{
        if (s->status != EXIT_FLAWED ||
            result_read(s->output, s->output_bytes, &c->result, NULL) < 0)
                return;
        if (c->result.n_faults > 0) {
                c->status = COLLECT_MEASURED;
                c->reason[0] = '\0';
        } else {
                result_done(&c->result);
        }
}

static void judge_exit(struct collected *c, const char *name, const struct supervised *s)
{
        struct fault fault = FAULT_NULL;

        switch (s->status) {
        case EXIT_SUCCESS:
                if (result_read(s->output, s->output_bytes, &c->result, &fault) == 0)
                        c->status = COLLECT_MEASURED;
                else
                        (void) snprintf(c->reason, sizeof c->reason, "printed no result: %.400s",
                                        fault.text);
                return;
        case EXIT_USAGE:
                c->status = COLLECT_USAGE;
                reason_from(c, name, s, "was called wrongly");
                return;
        case EXIT_UNAVAILABLE:
                c->status = COLLECT_UNAVAILABLE;
                reason_from(c, name, s, "cannot be measured here, without saying why");
                return;
        default:
                reason_from(c, name, s, "failed without saying why");
                judge_flawed(c, s);
        }
}

static void judge(struct collected *c, const struct collect_job *job, const struct supervised *s,
                  int64_t deadline_us)
{
        *c = COLLECTED_NULL;
        switch (s->end) {
        case SUPERVISE_EXITED:
                judge_exit(c, job->name, s);
                break;
        case SUPERVISE_KILLED:
                (void) snprintf(c->reason, sizeof c->reason, "was killed by signal %d (%s)",
                                s->status, strsignal(s->status));
                break;
        case SUPERVISE_DEADLINE:
                (void) snprintf(c->reason, sizeof c->reason,
                                "did not end within %.0f s and was killed", s_from_us(deadline_us));
                break;
        case SUPERVISE_FLOOD:
                (void) snprintf(c->reason, sizeof c->reason,
                                "printed more than %u MiB and was killed", OUTPUT_MAX_BYTES >> 20);
                break;
        case SUPERVISE_ENOUGH: /* nothing is watched here */
                break;
        case SUPERVISE_INTERRUPTED:
                c->status = COLLECT_INTERRUPTED;
                c->signal = s->status;
                (void) snprintf(c->reason, sizeof c->reason, "interrupted");
                break;
        }
        if (s->n_survivors > 0)
                (void) snprintf(c->reason + strlen(c->reason), sizeof c->reason - strlen(c->reason),
                                "; %zu of its processes cannot be killed", s->n_survivors);
}

static const char *progress_setting(const struct collect_job *job)
{
        if (job->quiet)
                return "BOOTLAP_PROGRESS=none";
        return isatty(STDERR_FILENO) ? "BOOTLAP_PROGRESS=bar" : "BOOTLAP_PROGRESS=lines";
}

static int run_program(const struct collect_job *job, char *path, char **argv,
                       struct collected *ret)
{
        struct relay relay = { .name = job->name, .quiet = job->quiet };
        CLEANUP(supervised_done) struct supervised s = SUPERVISED_NULL;
        CLEANUP(freep) char *progress = strdup(progress_setting(job));
        char *environment[] = { progress, NULL };
        struct supervise_job supervised = {
                .path = path,
                .argv = argv,
                .environment = getenv("BOOTLAP_PROGRESS") ? NULL : environment,
                .deadline_us = job->deadline_us > 0 ? job->deadline_us : COLLECT_DEADLINE_US,
                .grace_us = job->grace_us > 0 ? job->grace_us : COLLECT_GRACE_US,
                .max_output_bytes = OUTPUT_MAX_BYTES,
                .on_stderr = relay_stderr,
                .userdata = &relay,
        };
        struct fault fault = FAULT_NULL;
        int r;

        if (!progress)
                return -ENOMEM;
        r = supervise(&supervised, &s, &fault);
        if (r == -ENOMEM)
                return r;
        if (r < 0)
                (void) snprintf(ret->reason, sizeof ret->reason, "%s", fault.text);
        else
                judge(ret, job, &s, supervised.deadline_us);
        ret->reason_was_shown = ret->status == COLLECT_USAGE && !job->quiet;
        relay_end(&relay, (ret->status == COLLECT_MEASURED && ret->result.n_faults == 0) ||
                                  ret->reason_was_shown);
        return 0;
}

int collect_run(const struct collect_job *job, struct collected *ret, struct fault *fault)
{
        CLEANUP(freep) char *path = NULL, **argv = NULL;
        struct fault why = FAULT_NULL;
        int r;

        *ret = COLLECTED_NULL;
        r = program_find(&program_folders_collectors, job->name, &path, &why);
        if (r == -ENOMEM)
                return fault_set(fault, r, "no memory");
        if (r < 0) {
                ret->status = COLLECT_UNAVAILABLE;
                (void) snprintf(ret->reason, sizeof ret->reason, "%s", why.text);
                return 0;
        }
        argv = calloc(job->n_arguments + 2, sizeof *argv);
        if (!argv)
                return fault_set(fault, -ENOMEM, "no memory");
        argv[0] = (char *) (uintptr_t) job->name;
        for (size_t i = 0; i < job->n_arguments; i++)
                argv[i + 1] = (char *) (uintptr_t) job->arguments[i];
        r = run_program(job, path, argv, ret);
        return r < 0 ? fault_set(fault, r, "no memory") : 0;
}

/* runs_of() - the highest run number that the record holds of @workload */
static unsigned runs_of(const struct record *r, const char *workload)
{
        unsigned n = 0;

        for (size_t i = 0; i < r->n_samples; i++)
                if (strcmp(r->samples[i].workload, workload) == 0 && r->samples[i].run > n)
                        n = r->samples[i].run;
        return n;
}

static int enter_samples(struct record *r, struct result *result)
{
        CLEANUP(freep) unsigned *before = calloc(result->n_samples, sizeof *before);
        int code = before ? 0 : -ENOMEM;

        /* All first: what is entered below must not count as having been there. */
        for (size_t i = 0; code == 0 && i < result->n_samples; i++)
                before[i] = runs_of(r, result->samples[i].workload);
        for (size_t i = 0; code == 0 && i < result->n_samples; i++) {
                result->samples[i].run += before[i];
                code = record_add_sample(r, &result->samples[i]);
        }
        return code;
}

int collect_enter(struct record *r, const char *name, struct collected *c, struct fault *fault)
{
        CLEANUP(freep) char *absent = NULL;
        int code;

        if (asprintf(&absent, "collector.%s", name) < 0) {
                absent = NULL;
                return fault_set(fault, -ENOMEM, "no memory");
        }
        record_forget_absent(r, absent); /* of an earlier attempt */
        if (c->status != COLLECT_MEASURED) {
                code = record_add_absent(r, absent, "%s", c->reason);
                return code < 0 ? fault_errno(fault, code, "%s", absent) : 0;
        }
        code = enter_samples(r, &c->result);
        for (size_t i = 0; code == 0 && i < c->result.n_warnings; i++)
                code = record_add_warning(r, "%s: %s", name, c->result.warnings[i]);
        for (size_t i = 0; code == 0 && i < c->result.n_faults; i++)
                code = record_add_warning(r, "%s: %s", name, c->result.faults[i]);
        return code < 0 ? fault_errno(fault, code, "%s", name) : 0;
}

int collect_into(struct record *r, const struct collect_job *jobs, size_t n_jobs,
                 void (*on_done)(void *userdata, const struct collect_job *job,
                                 const struct collected *c),
                 void *userdata, struct fault *fault)
{
        for (size_t i = 0; i < n_jobs; i++) {
                CLEANUP(collected_done) struct collected c = COLLECTED_NULL;
                int code = collect_run(&jobs[i], &c, fault);

                if (code == 0 && on_done)
                        on_done(userdata, &jobs[i], &c);
                if (code == 0)
                        code = collect_enter(r, jobs[i].name, &c, fault);
                if (code < 0)
                        return code;
                if (c.status == COLLECT_INTERRUPTED)
                        return fault_set(fault, -EINTR, "interrupted");
        }
        return 0;
}

int collect_words(char *command, struct collect_job *job, struct fault *fault)
{
        CLEANUP(freep) const char **words = calloc(strlen(command) / 2 + 1, sizeof *words);
        char *rest;

        if (!words)
                return fault_set(fault, -ENOMEM, "no memory");
        job->name = strtok_r(command, " \t", &rest);
        if (!job->name)
                return fault_set(fault, -EINVAL, "want a collector's name");
        job->n_arguments = 0;
        for (const char *word; (word = strtok_r(NULL, " \t", &rest));)
                words[job->n_arguments++] = word;
        job->arguments = TAKE(words);
        return 0;
}
