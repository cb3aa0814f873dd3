/* witness/identity.c - see identity.h */
#include "witness/identity.h"
#include <string.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <systemd/sd-id128.h>
#include "record/digest.h"

/* Fixed for ever: another number would make another machine of each one. */
#define APPLICATION_ID SD_ID128_MAKE(5d, 0b, 0b, 8e, 3f, 0c, 4c, 1e, 9a, 62, 7e, 0f, 0c, 8a, 51, 27)

static int set_id(char **ret, sd_id128_t id)
{
        char text[SD_ID128_STRING_MAX];

        *ret = strdup(sd_id128_to_string(id, text));
        return *ret ? 0 : -ENOMEM;
}

/* hash_machine() - what stays the same from boot to boot where there is no machine id */
static int hash_machine(char **ret)
{
        struct utsname names;
        struct statvfs root = { .f_fsid = 0 };
        char text[sizeof names.nodename + sizeof names.machine + 64], hex[DIGEST_HEX_BYTES];
        const sd_id128_t key = APPLICATION_ID;

        if (uname(&names) < 0)
                return -errno;
        (void) statvfs("/", &root);
        (void) snprintf(text, sizeof text, "%s %s %lx", names.nodename, names.machine,
                        (unsigned long) root.f_fsid);
        digest_keyed_hex(&key, sizeof key, text, strlen(text), hex);
        *ret = strndup(hex, SD_ID128_STRING_MAX - 1);
        return *ret ? 0 : -ENOMEM;
}

static int enter_machine(struct record *r)
{
        sd_id128_t id;
        int code;

        if (sd_id128_get_machine_app_specific(APPLICATION_ID, &id) >= 0)
                return set_id(&r->machine, id);
        code = hash_machine(&r->machine);
        if (code < 0)
                return code;
        return record_add_warning(r,
                                  "/etc/machine-id is missing or empty: the machine is told by a "
                                  "hash of its name and root file system");
}

static int enter_boot(struct record *r)
{
        sd_id128_t id;
        int code = sd_id128_get_boot(&id);

        if (code >= 0)
                return set_id(&r->id, id);
        code = sd_id128_randomize(&id);
        if (code < 0)
                return code;
        code = set_id(&r->id, id);
        if (code < 0)
                return code;
        return record_add_warning(r,
                                  "the boot id cannot be read (is /proc mounted?): measuring again "
                                  "makes another record");
}

int identity_enter(struct record *r, struct fault *fault)
{
        int code;

        r->tool_version = strdup(PACKAGE_VERSION);
        code = r->tool_version ? enter_boot(r) : -ENOMEM;
        if (code == 0)
                code = enter_machine(r);
        return code < 0 ? fault_errno(fault, code, "which boot this is") : 0;
}
