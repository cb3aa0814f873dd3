/* machine/virt.c - whether this is a virtual machine or a container, and whose
 *
 * Only files tell, in the order in which they are sure. A container hides the machine beneath it,
 * so it is named first. */
#include <string.h>
#include "machine/root.h"
#include "machine/topics.h"

#define CPUINFO_MAX_BYTES (8 * 1024 * 1024)

static bool enter_container(struct capture *c)
{
        static const struct {
                const char *path, *word; /* NULL: the file's first line is the word */
        } marks[] = { { "run/systemd/container", NULL },
                      { "run/host/container-manager", NULL },
                      { "run/.containerenv", "podman" },
                      { ".dockerenv", "docker" } };

        for (size_t i = 0; i < ELEMENTSOF(marks); i++) {
                CLEANUP(freep) char *word = NULL;

                if (!marks[i].word && root_line(c->m, &word, "%s", marks[i].path) == 0 && *word)
                        factor_text(c, "virt", word);
                else if (marks[i].word && root_exists(c->m, "%s", marks[i].path))
                        factor_text(c, "virt", marks[i].word);
                else
                        continue;
                return true;
        }
        return false;
}

/* DMI strings by which hypervisors give their machines away, as systemd-detect-virt looks for them.
 */
static bool enter_dmi(struct capture *c)
{
        static const char *const files[] = { "product_name", "sys_vendor", "board_vendor",
                                             "bios_vendor" };
        static const struct {
                const char *beginning, *word;
        } makers[] = { { "KVM", "kvm" },
                       { "OpenStack", "kvm" },
                       { "KubeVirt", "kvm" },
                       { "Amazon EC2", "amazon" },
                       { "QEMU", "qemu" },
                       { "VMware", "vmware" },
                       { "VMW", "vmware" },
                       { "innotek GmbH", "oracle" },
                       { "VirtualBox", "oracle" },
                       { "Xen", "xen" },
                       { "Bochs", "bochs" },
                       { "Parallels", "parallels" },
                       { "BHYVE", "bhyve" },
                       { "Hyper-V", "microsoft" },
                       { "Apple Virtualization", "apple" },
                       { "Google Compute Engine", "google" } };

        for (size_t f = 0; f < ELEMENTSOF(files); f++) {
                CLEANUP(freep) char *text = NULL;

                if (root_line(c->m, &text, "sys/class/dmi/id/%s", files[f]) < 0)
                        continue;
                for (size_t i = 0; i < ELEMENTSOF(makers); i++)
                        if (strncmp(text, makers[i].beginning, strlen(makers[i].beginning)) == 0) {
                                factor_text(c, "virt", makers[i].word);
                                return true;
                        }
        }
        return false;
}

static bool enter_device_tree(struct capture *c)
{
        CLEANUP(freep) char *compatible = NULL, *model = NULL;

        if (root_line(c->m, &compatible, "sys/firmware/devicetree/base/hypervisor/compatible") == 0)
                factor_text(c, "virt",
                            strstr(compatible, "xen")      ? "xen"
                            : strstr(compatible, "kvm")    ? "kvm"
                            : strstr(compatible, "vmware") ? "vmware"
                                                           : "vm-other");
        else if (root_line(c->m, &model, "sys/firmware/devicetree/base/model") == 0 &&
                 strcmp(model, "linux,dummy-virt") == 0)
                factor_text(c, "virt", "qemu");
        else
                return false;
        return true;
}

void virt_capture(struct capture *c)
{
        CLEANUP(freep) char *type = NULL, *cpuinfo = NULL;

        if (enter_container(c))
                return;
        if (root_line(c->m, &type, "sys/hypervisor/type") == 0 && *type) {
                factor_text(c, "virt", type);
                return;
        }
        if (enter_dmi(c) || enter_device_tree(c))
                return;
        (void) root_read(c->m, CPUINFO_MAX_BYTES, &cpuinfo, NULL, "proc/cpuinfo");
        /* Only x86 has a flag for it; elsewhere DMI or a device tree without a sign has to do. */
        if (cpuinfo && strstr(cpuinfo, " hypervisor"))
                factor_text(c, "virt", "vm-other");
        else if ((cpuinfo && strstr(cpuinfo, "\nflags")) || root_exists(c->m, "sys/class/dmi/id") ||
                 root_exists(c->m, "sys/firmware/devicetree/base"))
                factor_text(c, "virt", "none");
        else
                factor_absent(c, "virt", "neither DMI, a device tree nor processor flags tell");
}
