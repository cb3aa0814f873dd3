/* machine/cpu.c - processors: what they are, how many, and who decides on their clock */
#include <string.h>
#include "machine/root.h"
#include "machine/topics.h"
#include "record/procfile.h"

#define CPUINFO_MAX_BYTES (8 * 1024 * 1024)
#define CPU_FOLDER "sys/devices/system/cpu"

/* next_field() - the value of the next "name : value" line from *@at on; NULL when there is none */
static char *next_field(const char **at, const char *name)
{
        size_t n = strlen(name);

        for (const char *line = *at; *line; line += strcspn(line, "\n") + 1) {
                const char *value = line + n;
                size_t rest = strcspn(line, "\n");

                if (rest > n && strncmp(line, name, n) == 0) {
                        value += strspn(value, " \t");
                        if (*value == ':') {
                                value += 1 + strspn(value + 1, " \t");
                                *at = line + rest;
                                return strndup(value, strcspn(value, "\n"));
                        }
                }
                if (line[rest] == '\0')
                        break;
        }
        return NULL;
}

static char *field_of(const char *cpuinfo, const char *name) { return next_field(&cpuinfo, name); }

/* enter_arm_parts() - ARM's kernel knows numbers only: "0x41/0xd08", each kind of core once */
static bool enter_arm_parts(struct capture *c, const char *cpuinfo)
{
        char parts[128] = "";
        const char *at = cpuinfo;

        for (;;) {
                CLEANUP(freep) char *implementer = next_field(&at, "CPU implementer"), *part = NULL;
                char one[32];
                size_t used = strlen(parts);

                part = implementer ? next_field(&at, "CPU part") : NULL;
                if (!part)
                        break;
                (void) snprintf(one, sizeof one, "%s/%s", implementer, part);
                if (!strstr(parts, one))
                        (void) snprintf(parts + used, sizeof parts - used, "%s%s",
                                        used ? " + " : "", one);
        }
        if (*parts)
                factor_text(c, "cpu.model", parts);
        return *parts != '\0';
}

static void capture_model(struct capture *c, const char *cpuinfo)
{
        static const char *const names[] = { "model name", "cpu model", "cpu", "uarch" };

        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                CLEANUP(freep) char *model = field_of(cpuinfo, names[i]);

                if (model && *model) {
                        factor_text(c, "cpu.model", model);
                        return;
                }
        }
        if (!enter_arm_parts(c, cpuinfo))
                factor_absent(c, "cpu.model", "/proc/cpuinfo names none");
}

static void capture_cpuinfo(struct capture *c)
{
        CLEANUP(freep) char *cpuinfo = NULL, *microcode = NULL;
        int r = root_read(c->m, CPUINFO_MAX_BYTES, &cpuinfo, NULL, "proc/cpuinfo");

        if (r < 0) {
                factor_unread(c, "cpu.model", r, "proc/cpuinfo");
                factor_unread(c, "cpu.microcode", r, "proc/cpuinfo");
                return;
        }
        capture_model(c, cpuinfo);
        microcode = field_of(cpuinfo, "microcode");
        if (microcode)
                factor_text(c, "cpu.microcode", microcode);
        else
                factor_absent(c, "cpu.microcode", "/proc/cpuinfo names none");
}

/* next_range() - one part of "0-3,8"; false at the end and where it is no such list */
static bool next_range(const char **list, long *ret_first, long *ret_last)
{
        char *end;
        long first, last;

        if (**list < '0' || **list > '9')
                return false;
        first = last = strtol(*list, &end, 10);
        if (*end == '-') {
                *list = end + 1;
                last = strtol(*list, &end, 10);
                if (end == *list || last < first)
                        return false;
        }
        *list = end + (*end == ',');
        *ret_first = first;
        *ret_last = last;
        return true;
}

/* is_first_of() - whether a CPU leads the list of those it shares a core or package with */
static bool is_first_of(const struct machine_context *m, long cpu, const char *list)
{
        CLEANUP(freep) char *siblings = NULL;
        const char *at;
        long first, last;

        if (root_line(m, &siblings, CPU_FOLDER "/cpu%ld/topology/%s", cpu, list) < 0)
                return false;
        at = siblings;
        return next_range(&at, &first, &last) && first == cpu;
}

static void capture_counts(struct capture *c)
{
        CLEANUP(freep) char *online = NULL;
        int64_t n_threads = 0, n_cores = 0, n_sockets = 0;
        const char *at;
        long first, last;
        int r = root_line(c->m, &online, CPU_FOLDER "/online");

        if (r < 0) {
                factor_unread(c, "cpu.threads", r, CPU_FOLDER "/online");
                factor_unread(c, "cpu.cores", r, CPU_FOLDER "/online");
                return;
        }
        for (at = online; next_range(&at, &first, &last);)
                for (long cpu = first; cpu <= last; cpu++) {
                        n_threads++;
                        n_cores += is_first_of(c->m, cpu, "thread_siblings_list");
                        n_sockets += is_first_of(c->m, cpu, "core_siblings_list");
                }
        if (n_threads > 0)
                factor_integer(c, "cpu.threads", n_threads);
        if (n_cores > 0)
                factor_integer(c, "cpu.cores", n_cores);
        if (n_sockets > 0)
                factor_integer(c, "cpu.sockets", n_sockets);
        factor_absent(c, "cpu.threads", "/" CPU_FOLDER "/online: holds no list");
        factor_absent(c, "cpu.cores", "sysfs shows no topology");
}

static void capture_smt(struct capture *c)
{
        CLEANUP(freep) char *control = NULL;
        int64_t active;
        int r = root_integer(c->m, &active, CPU_FOLDER "/smt/active");

        if (r < 0)
                factor_unread(c, "cpu.smt", r, CPU_FOLDER "/smt/active");
        else
                factor_boolean(c, "cpu.smt", active != 0);
        if (root_line(c->m, &control, CPU_FOLDER "/smt/control") == 0 && *control)
                factor_text(c, "cpu.smt_control", control);
}

/* capture_policies() - a file of all frequency policies; big and little cores may differ */
static void capture_policies(struct capture *c, char **policies, const char *key, const char *file)
{
        char values[256] = "";

        for (char **policy = policies; *policy; policy++) {
                CLEANUP(freep) char *value = NULL;
                size_t used = strlen(values);

                if (strncmp(*policy, "policy", 6) != 0 ||
                    root_line(c->m, &value, CPU_FOLDER "/cpufreq/%s/%s", *policy, file) < 0 ||
                    strstr(values, value))
                        continue;
                (void) snprintf(values + used, sizeof values - used, "%s%s", used ? " + " : "",
                                value);
        }
        if (*values)
                factor_text(c, key, values);
}

static void capture_boost(struct capture *c)
{
        int64_t n;

        if (root_integer(c->m, &n, CPU_FOLDER "/cpufreq/boost") == 0)
                factor_boolean(c, "cpu.boost", n != 0);
        else if (root_integer(c->m, &n, CPU_FOLDER "/intel_pstate/no_turbo") == 0)
                factor_boolean(c, "cpu.boost", n == 0);
        else
                factor_absent(c, "cpu.boost", "the frequency driver shows no boost switch");
}

static void capture_frequency(struct capture *c)
{
        CLEANUP(root_list_freep) char **policies = NULL;
        int64_t khz;

        if (root_list(c->m, &policies, CPU_FOLDER "/cpufreq") < 0 || !policies[0] ||
            !root_exists(c->m, CPU_FOLDER "/cpufreq/policy0")) {
                factor_absent(c, "cpu.governor", "the kernel drives no clock frequency here");
                return;
        }
        capture_policies(c, policies, "cpu.governor", "scaling_governor");
        capture_policies(c, policies, "cpu.frequency_driver", "scaling_driver");
        capture_policies(c, policies, "cpu.energy_preference", "energy_performance_preference");
        if (root_integer(c->m, &khz, CPU_FOLDER "/cpufreq/policy0/cpuinfo_max_freq") == 0)
                factor_integer(c, "cpu.max_hz", khz * 1000);
        capture_boost(c);
        factor_absent(c, "cpu.governor", "the frequency policies name none");
}

void cpu_capture(struct capture *c)
{
        capture_cpuinfo(c);
        capture_counts(c);
        capture_smt(c);
        capture_frequency(c);
}
