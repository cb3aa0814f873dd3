/* machine/kernel.c - which kernel runs, how it was built and what it was told */
#include <string.h>
#include "machine/kernel_config.h"
#include "machine/privacy.h"
#include "machine/root.h"
#include "machine/text.h"
#include "machine/topics.h"
#include "record/kernel_options.h"

#define CMDLINE_MAX_BYTES (64 * 1024)

static const char *const config_keys[] = { "kernel.config_sha256", "kernel.highmem", "kernel.pae",
                                           "kernel.hz", "kernel.preempt" };

/* is_own_parameter() - whether a word is about the kernel, and not about where the root is, what
 * the loader has put there, or how the network is reached: those follow from other factors */
static bool is_own_parameter(const char *word)
{
        static const char *const names[] = {
                "BOOT_IMAGE", "initrd",     "root",          "rootflags",   "rootfstype", "ro",
                "rw",         "resume",     "resume_offset", "cryptdevice", "cryptkey",   "crypto",
                "bootfs",     "zfs",        "nfsroot",       "netroot",     "ip",         "ifname",
                "BOOTIF",     "nameserver", "hostname",      "username"
        };
        static const char *const beginnings[] = { "rd.luks",  "rd.lvm",
                                                  "rd.md",    "rd.dm",
                                                  "rd.iscsi", "rd.zfs",
                                                  "luks.",    "systemd.machine_id" };
        size_t n = strcspn(word, "=");

        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                if (strlen(names[i]) == n && strncmp(word, names[i], n) == 0)
                        return false;
        for (size_t i = 0; i < ELEMENTSOF(beginnings); i++)
                if (strncmp(word, beginnings[i], strlen(beginnings[i])) == 0)
                        return false;
        return true;
}

static void enter_parameters(struct capture *c, const char *cmdline)
{
        CLEANUP(freep) char *copy = strdup(cmdline), *own = NULL;
        struct text t = TEXT_NULL;

        if (!copy)
                t.error = -ENOMEM;
        text_put_string(&t, "");
        for (char *rest = copy, *word; (word = strsep(&rest, " "));) {
                if (!*word || !is_own_parameter(word))
                        continue;
                if (t.n_bytes > 0)
                        text_put_string(&t, " ");
                text_put_string(&t, word);
        }
        own = text_take(&t);
        if (own)
                factor_text(c, "kernel.parameters", *own ? own : "none");
        else
                c->error = -ENOMEM;
}

static void capture_cmdline(struct capture *c)
{
        CLEANUP(freep) char *line = NULL, *clean = NULL;
        int r = root_line(c->m, &line, "proc/cmdline");

        if (r < 0) {
                factor_unread(c, "kernel.cmdline", r, "proc/cmdline");
                return;
        }
        clean = privacy_clean_cmdline(c->m, line);
        if (!clean) {
                c->error = -ENOMEM;
                return;
        }
        factor_text(c, "kernel.cmdline", clean);
        enter_parameters(c, clean);
}

/* capture_arch() - as uname names it. Recorded trees may have only the config to tell. */
static void capture_arch(struct capture *c, const struct kernel_config *k)
{
        static const struct {
                const char *option, *arch;
        } archs[] = { { "CONFIG_X86_64", "x86_64" }, { "CONFIG_X86_32", "i686" },
                      { "CONFIG_ARM64", "aarch64" }, { "CONFIG_ARM", "armv7l" },
                      { "CONFIG_RISCV", "riscv64" }, { "CONFIG_PPC64", "ppc64" },
                      { "CONFIG_S390", "s390x" } };

        factor_line(c, "kernel.arch", "proc/sys/kernel/arch");
        for (size_t i = 0; k->text && !factor_has(c, "kernel.arch") && i < ELEMENTSOF(archs); i++)
                if (kernel_config_is_set(k, archs[i].option))
                        factor_text(c, "kernel.arch", archs[i].arch);
}

/* capture_highmem() - how a 32-bit kernel reaches memory above its direct map. 64-bit kernels have
 * no such option: everything is mapped. */
static void capture_highmem(struct capture *c, const struct kernel_config *k)
{
        const char *highmem = "none";

        if (kernel_config_is_set(k, "CONFIG_HIGHMEM64G"))
                highmem = "64g";
        else if (kernel_config_is_set(k, "CONFIG_HIGHMEM4G") ||
                 kernel_config_is_set(k, "CONFIG_HIGHMEM")) /* since 6.15 on x86, ever on ARM */
                highmem = "4g";
        factor_text(c, "kernel.highmem", highmem);
        factor_boolean(c, "kernel.pae", kernel_config_is_set(k, "CONFIG_X86_PAE"));
}

static void capture_preempt(struct capture *c, const struct kernel_config *k)
{
        static const struct {
                const char *option, *word;
        } models[] = { { "CONFIG_PREEMPT_RT", "rt" },
                       { "CONFIG_PREEMPT_LAZY", "lazy" },
                       { "CONFIG_PREEMPT_VOLUNTARY", "voluntary" },
                       { "CONFIG_PREEMPT_NONE", "none" },
                       { "CONFIG_PREEMPT", "full" } };
        CLEANUP(freep) char *line = NULL;

        for (size_t i = 0; i < ELEMENTSOF(models); i++)
                if (kernel_config_is_set(k, models[i].option)) {
                        factor_text(c, "kernel.preempt", models[i].word);
                        break;
                }
        factor_absent(c, "kernel.preempt", "%s names no preemption model", k->source);
        /* With PREEMPT_DYNAMIC the command line has the last word. */
        if (!kernel_config_is_set(k, "CONFIG_PREEMPT_DYNAMIC") ||
            root_line(c->m, &line, "proc/cmdline") < 0)
                return;
        for (char *rest = line, *word; (word = strsep(&rest, " "));)
                if (strncmp(word, "preempt=", 8) == 0 && word[8])
                        factor_text(c, "kernel.preempt", word + 8);
}

static void capture_config(struct capture *c, const struct kernel_config *k)
{
        char hex[DIGEST_HEX_BYTES];
        int64_t hz;

        digest_hex(k->text, k->n_bytes, hex);
        factor_text(c, "kernel.config_sha256", hex);
        capture_highmem(c, k);
        capture_preempt(c, k);
        if (kernel_config_integer(k, "CONFIG_HZ", &hz))
                factor_integer(c, "kernel.hz", hz);
        else
                factor_absent(c, "kernel.hz", "%s has no CONFIG_HZ", k->source);
}

void kernel_capture(struct capture *c)
{
        CLEANUP(kernel_config_done) struct kernel_config k = KERNEL_CONFIG_NULL;
        CLEANUP(freep) char *release = NULL;
        struct fault fault = FAULT_NULL;
        const char *arch;
        int r;

        factor_line(c, "kernel.release", "proc/sys/kernel/osrelease");
        factor_line(c, "kernel.version", "proc/sys/kernel/version");
        factor_line(c, "kernel.clocksource",
                    "sys/devices/system/clocksource/clocksource0/current_clocksource");
        factor_bracketed(c, "kernel.huge_pages", "sys/kernel/mm/transparent_hugepage/enabled");
        capture_cmdline(c);
        r = root_line(c->m, &release, "proc/sys/kernel/osrelease");
        if (r == 0)
                r = kernel_config_read(&k, c->m, release, &fault);
        else
                (void) fault_errno(&fault, r, "/proc/sys/kernel/osrelease");
        capture_arch(c, &k);
        if (r == 0) {
                capture_config(c, &k);
                return;
        }
        arch = json_string_value(json_object_get(c->r->config, "kernel.arch"));
        if (arch && strstr(arch, "64")) {
                factor_text(c, "kernel.highmem", "none");
                factor_boolean(c, "kernel.pae", false);
        }
        for (size_t i = 0; i < ELEMENTSOF(config_keys); i++)
                factor_absent(c, config_keys[i], "%s", fault.text);
}

int machine_keep_kernel_config(const struct machine_context *m, const struct record *r,
                               const char *store_dir, struct fault *fault)
{
        CLEANUP(kernel_config_done) struct kernel_config k = KERNEL_CONFIG_NULL;
        const char *sha256, *release;
        int code;

        sha256 = json_string_value(json_object_get(r->config, "kernel.config_sha256"));
        release = json_string_value(json_object_get(r->config, "kernel.release"));
        if (!sha256 || !release)
                return 0;
        code = kernel_config_read(&k, m, release, fault);
        if (code < 0)
                return code;
        return kernel_options_keep(store_dir, sha256, k.text, k.n_bytes, fault);
}
