/* machine/mitigations.c - what the kernel does about the processor's faults
 *
 * Each fault has a file. "Not affected" is a property of the processor and is left out; what is
 * mitigated costs time, and what is not might have. */
#include <string.h>
#include "machine/root.h"
#include "machine/topics.h"

#define FOLDER "sys/devices/system/cpu/vulnerabilities"
#define LIST_BYTES 1024

static void append(char list[LIST_BYTES], const char *name)
{
        size_t used = strlen(list);

        (void) snprintf(list + used, LIST_BYTES - used, "%s%s", used ? " " : "", name);
}

void mitigations_capture(struct capture *c)
{
        static const char mitigated[] = "Mitigation: ";
        CLEANUP(root_list_freep) char **names = NULL;
        char in_force[LIST_BYTES] = "", open[LIST_BYTES] = "";
        int r = root_list(c->m, &names, FOLDER);

        if (r < 0) {
                factor_unread(c, "kernel.mitigations", r, FOLDER);
                factor_unread(c, "kernel.vulnerable", r, FOLDER);
                return;
        }
        for (char **name = names; *name; name++) {
                CLEANUP(freep) char *state = NULL;
                char key[128];

                if (root_line(c->m, &state, FOLDER "/%s", *name) < 0)
                        continue;
                (void) snprintf(key, sizeof key, "kernel.mitigation.%s", *name);
                if (strncmp(state, mitigated, strlen(mitigated)) == 0) {
                        append(in_force, *name);
                        factor_text(c, key, state + strlen(mitigated));
                } else if (strncmp(state, "Vulnerable", strlen("Vulnerable")) == 0) {
                        append(open, *name);
                        factor_text(c, key, state);
                }
        }
        factor_text(c, "kernel.mitigations", *in_force ? in_force : "none");
        factor_text(c, "kernel.vulnerable", *open ? open : "none");
}
