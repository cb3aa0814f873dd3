/* machine/crypt.c - dm-crypt in the stack
 *
 * The type stands in the mapping's uuid ("CRYPT-LUKS2-..."), which sysfs shows to anybody. Cipher,
 * sector size and flags are the mapping's table, shown to root; the key derivation's cost stands in
 * the header alone, and is read from drives that are awake. */
#include <string.h>
#include "machine/awake.h"
#include "machine/dm.h"
#include "machine/luks.h"
#include "machine/root.h"

#define CRYPTO_MAX_BYTES (1024 * 1024)

static const char *const table_keys[] = { "crypt.cipher", "crypt.key_bits", "crypt.sector_bytes",
                                          "crypt.flags", "crypt.integrity" };
static const char *const pbkdf_keys[] = { "crypt.pbkdf", "crypt.pbkdf_iterations" };

static void absent_all(struct capture *c, const char *const *keys, size_t n_keys, const char *why)
{
        for (size_t i = 0; i < n_keys; i++)
                factor_absent(c, keys[i], "%s", why);
}

/* enter_type() - "luks2" of "CRYPT-LUKS2-<uuid>-<name>" */
static void enter_type(struct capture *c, const char *uuid)
{
        const char *type = uuid + strlen("CRYPT-");
        size_t n_bytes = strcspn(type, "-");
        char lower[32];

        if (n_bytes == 0 || n_bytes >= sizeof lower) {
                factor_absent(c, "crypt.type", "the mapping's uuid does not tell");
                return;
        }
        for (size_t i = 0; i < n_bytes; i++)
                lower[i] =
                        (char) (type[i] >= 'A' && type[i] <= 'Z' ? type[i] - 'A' + 'a' : type[i]);
        lower[n_bytes] = '\0';
        factor_text(c, "crypt.type", lower);
}

/* enter_driver() - which code does the work: of those that offer "xts(aes)" in /proc/crypto, the
 * one of the highest priority. AES in software is a tenth as fast as the processor's own. */
static void enter_driver(struct capture *c, const char *cipher)
{
        CLEANUP(freep) char *text = NULL;
        char algorithm[80], driver[80] = "", name[80] = "", best[80] = "", *rest, *line;
        const char *dash = strchr(cipher, '-');
        int priority, best_priority = -1;

        if (!dash || strncmp(cipher, "capi:", 5) == 0)
                return;
        (void) snprintf(algorithm, sizeof algorithm, "%.*s(%.*s)", (int) strcspn(dash + 1, "-"),
                        dash + 1, (int) (dash - cipher), cipher);
        if (root_read(c->m, CRYPTO_MAX_BYTES, &text, NULL, "proc/crypto") < 0)
                return;
        for (rest = text; (line = strsep(&rest, "\n"));) {
                if (sscanf(line, "name : %79s", name) == 1 ||
                    sscanf(line, "driver : %79s", driver) == 1 ||
                    sscanf(line, "priority : %d", &priority) != 1)
                        continue;
                if (strcmp(name, algorithm) == 0 && priority > best_priority) {
                        best_priority = priority;
                        memcpy(best, driver, sizeof best);
                }
        }
        if (*best)
                factor_text(c, "crypt.driver", best);
}

static void enter_table(struct capture *c, const struct stack_node *n)
{
        CLEANUP(dm_target_done) struct dm_target target = DM_TARGET_NULL;
        struct fault fault = FAULT_NULL;
        struct dm_crypt crypt;
        int r = dm_target_read(&target, c->m, n->major, n->minor, &fault);

        if (r == 0 && strcmp(target.type, "crypt") != 0)
                r = fault_set(&fault, -EINVAL, "the mapping's target is %s", target.type);
        if (r == 0) {
                r = dm_crypt_parse(target.params, &crypt);
                if (r < 0)
                        (void) fault_set(&fault, r, "the mapping's table cannot be read");
        }
        if (r < 0) {
                absent_all(c, table_keys, ELEMENTSOF(table_keys), fault.text);
                return;
        }
        factor_text(c, "crypt.cipher", crypt.cipher);
        factor_integer(c, "crypt.key_bits", crypt.key_bits);
        factor_integer(c, "crypt.sector_bytes", crypt.sector_bytes);
        factor_text(c, "crypt.flags", crypt.flags);
        factor_text(c, "crypt.integrity", crypt.integrity);
        enter_driver(c, crypt.cipher);
}

/* header_device() - what the mapping stands on, which is where its header lies; NULL when the
 * header is detached or there is more than one */
static const struct stack_node *header_device(const struct machine_context *m,
                                              const struct stack *s, const struct stack_node *n)
{
        CLEANUP(root_list_freep) char **slaves = NULL;
        CLEANUP(freep) char *devno = NULL;
        unsigned major, minor;

        if (root_list(m, &slaves, "%s/slaves", n->dir) < 0 || !slaves[0] || slaves[1] ||
            root_line(m, &devno, "%s/slaves/%s/dev", n->dir, slaves[0]) < 0 ||
            !stack_parse_devno(devno, &major, &minor))
                return NULL;
        for (size_t i = 0; i < s->n_nodes; i++)
                if (s->nodes[i].major == major && s->nodes[i].minor == minor)
                        return &s->nodes[i];
        return NULL;
}

static int check_awake(const struct machine_context *m, const struct stack *s, struct fault *fault)
{
        for (size_t i = 0; i < s->n_nodes; i++)
                if (s->nodes[i].kind == STACK_DRIVE && !drive_is_awake(m, &s->nodes[i], fault))
                        return -EAGAIN;
        return 0;
}

static void enter_pbkdf(struct capture *c, const struct stack *s, const struct stack_node *n)
{
        const struct stack_node *device = header_device(c->m, s, n);
        CLEANUP(freep) char *path = NULL;
        CLEANUP(closep) int fd = -EBADF;
        struct luks_pbkdf pbkdf;
        struct fault fault = FAULT_NULL;
        int r = 0;

        if (strncmp(n->uuid, "CRYPT-LUKS", strlen("CRYPT-LUKS")) != 0)
                return;
        if (!c->m->is_live)
                r = fault_set(&fault, -ENOTSUP, "stands in the header on the drive");
        else if (!device)
                r = fault_set(&fault, -ENOENT, "the header is not where the mapping stands");
        if (r == 0)
                r = check_awake(c->m, s, &fault);
        if (r == 0) {
                fd = stack_node_open(device, c->m, &path);
                if (fd < 0)
                        r = fault_errno(&fault, fd, "the device that bears the header");
        }
        if (r == 0)
                r = luks_pbkdf_read(&pbkdf, path, &fault);
        if (r < 0) {
                absent_all(c, pbkdf_keys, ELEMENTSOF(pbkdf_keys), fault.text);
                return;
        }
        factor_text(c, "crypt.pbkdf", pbkdf.type);
        factor_integer(c, "crypt.pbkdf_iterations", pbkdf.iterations);
        if (pbkdf.memory_bytes > 0) {
                factor_integer(c, "crypt.pbkdf_memory_bytes", (int64_t) pbkdf.memory_bytes);
                factor_integer(c, "crypt.pbkdf_threads", pbkdf.threads);
        }
}

static void capture_layer(struct capture *c, const struct stack *s, const struct stack_node *n)
{
        enter_type(c, n->uuid);
        enter_table(c, n);
        enter_pbkdf(c, s, n);
}

void crypt_capture(struct capture *c, const struct stack *s, const char *absent)
{
        if (absent)
                factor_absent(c, "crypt.type", "%s", absent);
        else if (stack_capture(c, s, STACK_CRYPT, capture_layer) == 0)
                factor_text(c, "crypt.type", "none");
}
