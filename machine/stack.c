/* machine/stack.c - the walk down; what the nodes mean is for drive.c, volume.c and crypt.c
 *
 * sysfs alone, which any user may read and which answers from the kernel's memory: no device is
 * opened, so none is woken. */
#include "machine/stack.h"
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include "machine/root.h"

void stack_done(struct stack *s)
{
        for (size_t i = 0; i < s->n_nodes; i++) {
                free(s->nodes[i].dir);
                free(s->nodes[i].devpath);
                free(s->nodes[i].uuid);
        }
        *s = STACK_NULL;
}

const char *stack_node_name(const struct stack_node *n)
{
        const char *slash = strrchr(n->devpath, '/');

        return slash ? slash + 1 : n->devpath;
}

static bool starts_with(const char *text, const char *beginning)
{
        return text && strncmp(text, beginning, strlen(beginning)) == 0;
}

/* The first part of a mapping's uuid is the subsystem that made it. */
static enum stack_kind mapping_kind(const char *uuid)
{
        static const struct {
                const char *beginning;
                enum stack_kind kind;
        } kinds[] = { { "CRYPT-INTEGRITY", STACK_INTEGRITY },
                      { "CRYPT-VERITY", STACK_VERITY },
                      { "CRYPT-", STACK_CRYPT },
                      { "LVM-", STACK_LVM },
                      { "mpath-", STACK_MULTIPATH } };

        for (size_t i = 0; i < ELEMENTSOF(kinds); i++)
                if (starts_with(uuid, kinds[i].beginning))
                        return kinds[i].kind;
        return STACK_DM;
}

static enum stack_kind kind_of(const struct machine_context *m, const struct stack_node *n)
{
        const char *name = stack_node_name(n);

        if (root_exists(m, "%s/partition", n->dir))
                return STACK_PARTITION;
        if (root_exists(m, "%s/md/level", n->dir))
                return STACK_MD;
        if (root_exists(m, "%s/dm", n->dir))
                return mapping_kind(n->uuid);
        if (starts_with(name, "loop"))
                return STACK_LOOP;
        if (starts_with(name, "bcache"))
                return STACK_BCACHE;
        return STACK_DRIVE;
}

bool stack_parse_devno(const char *text, unsigned *ret_major, unsigned *ret_minor)
{
        int used = 0;

        return sscanf(text, "%u:%u%n", ret_major, ret_minor, &used) == 2 && text[used] == '\0';
}

static int add_node(struct stack *s, const struct machine_context *m, unsigned major,
                    unsigned minor, struct fault *fault)
{
        struct stack_node n = { .major = major, .minor = minor };
        int r;

        for (size_t i = 0; i < s->n_nodes; i++)
                if (s->nodes[i].major == major && s->nodes[i].minor == minor)
                        return 0;
        if (s->n_nodes == STACK_MAX)
                return fault_set(fault, -E2BIG, "more than %d devices beneath one file system",
                                 STACK_MAX);
        if (asprintf(&n.dir, "sys/dev/block/%u:%u", major, minor) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        r = root_link(m, &n.devpath, "%s", n.dir);
        if (r < 0) {
                r = fault_errno(fault, r, "/%s", n.dir);
                free(n.dir);
                return r;
        }
        (void) root_line(m, &n.uuid, "%s/dm/uuid", n.dir);
        n.kind = kind_of(m, &n);
        s->nodes[s->n_nodes++] = n;
        return 0;
}

/* add_below() - what node @i stands on goes to the end of the list */
static int add_below(struct stack *s, const struct machine_context *m, size_t i,
                     struct fault *fault)
{
        CLEANUP(root_list_freep) char **slaves = NULL;
        const char *dir = s->nodes[i].dir;
        unsigned major, minor;

        if (s->nodes[i].kind == STACK_PARTITION) {
                CLEANUP(freep) char *devno = NULL;
                int r = root_line(m, &devno, "%s/../dev", dir);

                if (r < 0 || !stack_parse_devno(devno, &major, &minor))
                        return fault_errno(fault, r < 0 ? r : -EINVAL, "/%s/../dev", dir);
                return add_node(s, m, major, minor, fault);
        }
        if (root_list(m, &slaves, "%s/slaves", dir) < 0)
                return 0; /* leaf devices of some drivers have no such folder */
        for (char **slave = slaves; *slave; slave++) {
                CLEANUP(freep) char *devno = NULL;
                int r = root_line(m, &devno, "%s/slaves/%s/dev", dir, *slave);

                if (r == 0 && !stack_parse_devno(devno, &major, &minor))
                        r = -EINVAL;
                if (r < 0)
                        return fault_errno(fault, r, "/%s/slaves/%s/dev", dir, *slave);
                r = add_node(s, m, major, minor, fault);
                if (r < 0)
                        return r;
        }
        return 0;
}

int stack_add(struct stack *s, const struct machine_context *m, unsigned major, unsigned minor,
              struct fault *fault)
{
        size_t first = s->n_nodes;
        int r = add_node(s, m, major, minor, fault);

        for (size_t i = first; r == 0 && i < s->n_nodes; i++)
                r = add_below(s, m, i, fault);
        return r;
}

/* By its kernel name, which devtmpfs gives the node: /dev/block/8:1 is there only where udev runs.
 */
int stack_node_open(const struct stack_node *n, const struct machine_context *m, char **ret_path)
{
        CLEANUP(closep) int fd = -EBADF;
        CLEANUP(freep) char *path = NULL;
        struct stat st;

        if (!m->is_live)
                return -ENOTSUP;
        if (asprintf(&path, "/dev/%s", stack_node_name(n)) < 0)
                return -ENOMEM;
        for (char *p = path; (p = strchr(p, '!'));)
                *p = '/'; /* "cciss!c0d0" is /dev/cciss/c0d0 */
        fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        if (fd < 0)
                return -errno;
        if (fstat(fd, &st) < 0 || !S_ISBLK(st.st_mode) || st.st_rdev != makedev(n->major, n->minor))
                return -ENODEV;
        if (ret_path)
                *ret_path = TAKE(path);
        return TAKE_FD(fd);
}

size_t stack_capture(struct capture *c, const struct stack *s, enum stack_kind kind,
                     void (*capture_one)(struct capture *, const struct stack *,
                                         const struct stack_node *))
{
        struct record *parts[STACK_MAX];
        size_t n_parts = 0;

        for (size_t i = 0; i < s->n_nodes; i++) {
                struct capture part = { .m = c->m, .prefix = "" };

                if (s->nodes[i].kind != kind)
                        continue;
                part.r = record_new();
                if (!part.r) {
                        c->error = -ENOMEM;
                        break;
                }
                parts[n_parts++] = part.r;
                capture_one(&part, s, &s->nodes[i]);
                if (part.error < 0)
                        c->error = part.error;
        }
        if (n_parts > 0)
                factor_merge(c, parts, n_parts);
        for (size_t i = 0; i < n_parts; i++)
                (void) record_free(parts[i]);
        return n_parts;
}
