/* machine/dm.c - ask the device mapper, through its library
 *
 * The table says what is in force now, whatever the header on the drive says, and reading it
 * touches no drive. libcryptsetup would read the header along with it. */
#include "machine/dm.h"
#include <libdevmapper.h>
#include <string.h>
#include "record/procfile.h"

#define CONTROL "/dev/mapper/control"

void dm_target_done(struct dm_target *t)
{
        if (t->params)
                explicit_bzero(t->params, strlen(t->params));
        free(t->params);
        *t = DM_TARGET_NULL;
}

/* The library logs to stderr by itself; what it has to say comes back as an errno. */
static void swallow(int level, const char *file, int line, int dm_errno, const char *format, ...)
{
        (void) level;
        (void) file;
        (void) line;
        (void) dm_errno;
        (void) format;
}

static void task_destroyp(struct dm_task **t)
{
        if (*t)
                dm_task_destroy(*t);
}

static int copy_target(struct dm_target *ret, struct dm_task *task)
{
        uint64_t start, length;
        char *type = NULL, *params = NULL;

        (void) dm_get_next_target(task, NULL, &start, &length, &type, &params);
        if (!type || !params)
                return -ENODATA;
        (void) snprintf(ret->type, sizeof ret->type, "%s", type);
        ret->params = strdup(params);
        return ret->params ? 0 : -ENOMEM;
}

int dm_target_read(struct dm_target *ret, const struct machine_context *m, unsigned major,
                   unsigned minor, struct fault *fault)
{
        CLEANUP(task_destroyp) struct dm_task *task = NULL;
        struct dm_target target = DM_TARGET_NULL;
        int r;

        if (!m->is_live)
                return fault_set(fault, -ENOTSUP, "only the running device mapper tells");
        /* Asked before the library is: it would try to make the node. */
        if (access(CONTROL, R_OK | W_OK) < 0)
                return fault_errno(fault, -errno, CONTROL);
        dm_log_with_errno_init(swallow);
        task = dm_task_create(DM_DEVICE_TABLE);
        if (!task || !dm_task_set_major_minor(task, (int) major, (int) minor, 0) ||
            !dm_task_secure_data(task) || !dm_task_no_open_count(task))
                return fault_set(fault, -ENOMEM, "no memory");
        if (!dm_task_run(task)) {
                r = dm_task_get_errno(task);
                return fault_errno(fault, r ? -r : -EIO, "the device mapper's table");
        }
        r = copy_target(&target, task);
        if (r < 0)
                return fault_errno(fault, r, "the device mapper's table");
        *ret = target;
        return 0;
}

/* key_bits() - a key is hexadecimal, "-" for none, or ":BYTES:TYPE:NAME" in the kernel's keyring */
static bool parse_key(const char *key, unsigned *ret_bits)
{
        char bytes[16] = "";
        int64_t n;

        if (strcmp(key, "-") == 0) {
                *ret_bits = 0;
                return true;
        }
        if (*key != ':') {
                *ret_bits = (unsigned) strlen(key) * 4;
                return strspn(key, "0123456789abcdefABCDEF") == strlen(key);
        }
        (void) snprintf(bytes, sizeof bytes, "%.*s", (int) strcspn(key + 1, ":"), key + 1);
        if (parse_int(bytes, &n) < 0 || n < 0 || n > 65536)
                return false;
        *ret_bits = (unsigned) n * 8;
        return true;
}

static bool parse_option(const char *option, struct dm_crypt *c)
{
        static const char sector[] = "sector_size:", integrity[] = "integrity:";
        size_t used = strlen(c->flags);
        const char *kind;
        int64_t n;

        if (strncmp(option, sector, strlen(sector)) == 0) {
                if (parse_int(option + strlen(sector), &n) < 0 || n < 512 || n > 65536)
                        return false;
                c->sector_bytes = (unsigned) n;
        } else if (strncmp(option, integrity, strlen(integrity)) == 0) {
                kind = strchr(option + strlen(integrity), ':');
                (void) snprintf(c->integrity, sizeof c->integrity, "%s", kind ? kind + 1 : "yes");
        } else {
                (void) snprintf(c->flags + used, sizeof c->flags - used, "%s%s", used ? " " : "",
                                option);
        }
        return true;
}

static int parse_fields(char *line, struct dm_crypt *c)
{
        char *fields[5], *rest = line, *option;

        for (size_t i = 0; i < ELEMENTSOF(fields); i++) {
                fields[i] = strsep(&rest, " ");
                if (!fields[i] || *fields[i] == '\0')
                        return -EINVAL;
        }
        (void) snprintf(c->cipher, sizeof c->cipher, "%s", fields[0]);
        if (!parse_key(fields[1], &c->key_bits))
                return -EINVAL;
        (void) strsep(&rest, " "); /* the number of options, which their end tells as well */
        while ((option = strsep(&rest, " ")))
                if (*option && !parse_option(option, c))
                        return -EINVAL;
        return 0;
}

int dm_crypt_parse(const char *params, struct dm_crypt *ret)
{
        struct dm_crypt c = { .sector_bytes = 512 };
        char *line = strdup(params);
        size_t n = strlen(params);
        int r;

        if (!line)
                return -ENOMEM;
        r = parse_fields(line, &c);
        explicit_bzero(line, n);
        free(line);
        if (r < 0)
                return r;
        if (!*c.flags)
                (void) snprintf(c.flags, sizeof c.flags, "none");
        if (!*c.integrity)
                (void) snprintf(c.integrity, sizeof c.integrity, "none");
        *ret = c;
        return 0;
}
