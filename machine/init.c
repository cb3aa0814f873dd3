/* machine/init.c - the first program, its version, and what it starts */
#include <string.h>
#include "machine/root.h"
#include "machine/topics.h"

/* systemd_version() - the name of its own shared library bears it: "libsystemd-shared-252.so" */
static char *systemd_version(const struct machine_context *m)
{
        static const char beginning[] = "libsystemd-shared-", end[] = ".so";
        static const char *const fixed[] = { "usr/lib/systemd", "lib/systemd",
                                             "usr/lib64/systemd" };
        CLEANUP(root_list_freep) char **triplets = NULL;
        CLEANUP(freep) char **folders = NULL;
        size_t n = 0;

        (void) root_list(m, &triplets, "usr/lib");
        for (char **t = triplets; t && *t; t++)
                n++;
        folders = calloc(n + ELEMENTSOF(fixed) + 1, sizeof *folders);
        if (!folders)
                return NULL;
        for (size_t i = 0; i < n + ELEMENTSOF(fixed); i++) {
                CLEANUP(root_list_freep) char **names = NULL;

                if (i >= ELEMENTSOF(fixed) && !strstr(triplets[i - ELEMENTSOF(fixed)], "-linux-"))
                        continue;
                if ((i < ELEMENTSOF(fixed) ? root_list(m, &names, "%s", fixed[i])
                                           : root_list(m, &names, "usr/lib/%s/systemd",
                                                       triplets[i - ELEMENTSOF(fixed)])) < 0)
                        continue;
                for (char **name = names; *name; name++) {
                        size_t length = strlen(*name);

                        if (length > strlen(beginning) + strlen(end) &&
                            strncmp(*name, beginning, strlen(beginning)) == 0 &&
                            strcmp(*name + length - strlen(end), end) == 0)
                                return strndup(*name + strlen(beginning),
                                               length - strlen(beginning) - strlen(end));
                }
        }
        return NULL;
}

static void capture_target(struct capture *c)
{
        static const char *const places[] = { "etc/systemd/system", "usr/lib/systemd/system",
                                              "lib/systemd/system" };

        for (size_t i = 0; i < ELEMENTSOF(places); i++) {
                CLEANUP(freep) char *target = NULL;

                if (root_link_base(c->m, &target, "%s/default.target", places[i]) == 0) {
                        factor_text(c, "boot.target", target);
                        return;
                }
        }
        factor_absent(c, "boot.target", "no default.target is set");
}

void init_capture(struct capture *c)
{
        CLEANUP(freep) char *name = NULL, *version = NULL;
        int r = root_line(c->m, &name, "proc/1/comm");

        if (r < 0) {
                factor_unread(c, "init.name", r, "proc/1/comm");
                return;
        }
        factor_text(c, "init.name", name);
        if (strcmp(name, "systemd") != 0) {
                factor_absent(c, "init.version", "%s does not tell", name);
                return;
        }
        version = systemd_version(c->m);
        if (version)
                factor_text(c, "init.version", version);
        else
                factor_absent(c, "init.version", "systemd's library is not found by its name");
        capture_target(c);
}
