/* machine/volume.c - what lies between file system and drives: partition, LVM, md
 *
 * Names of volume groups and arrays are left out: installers put the host's name into them. */
#include <string.h>
#include "machine/dm.h"
#include "machine/root.h"
#include "machine/stack.h"
#include "machine/udev.h"

#define SECTOR_BYTES 512

static const char *const kind_words[] = {
        [STACK_DRIVE] = "drive",
        [STACK_PARTITION] = "partition",
        [STACK_CRYPT] = "crypt",
        [STACK_LVM] = "lvm",
        [STACK_MULTIPATH] = "multipath",
        [STACK_INTEGRITY] = "integrity",
        [STACK_VERITY] = "verity",
        [STACK_DM] = "dm",
        [STACK_MD] = "md",
        [STACK_LOOP] = "loop",
        [STACK_BCACHE] = "bcache",
};

static void capture_md(struct capture *c, const struct stack *s, const struct stack_node *n)
{
        int64_t degraded;

        (void) s;
        factor_line(c, "md.level", "%s/md/level", n->dir);
        factor_number(c, "md.disks", 1, "%s/md/raid_disks", n->dir);
        factor_number(c, "md.chunk_bytes", 1, "%s/md/chunk_size", n->dir);
        factor_line(c, "md.metadata", "%s/md/metadata_version", n->dir);
        /* Levels without redundancy have no such file, and cannot be degraded. */
        if (root_integer(c->m, &degraded, "%s/md/degraded", n->dir) == 0)
                factor_boolean(c, "md.degraded", degraded != 0);
}

/* A rotating drive is twice as fast at its outer edge, so where a partition lies is a factor. */
static void capture_partition(struct capture *c, const struct stack *s, const struct stack_node *n)
{
        CLEANUP(json_decrefp) json_t *udev = udev_properties(c->m, n->major, n->minor);
        CLEANUP(freep) char *table = udev_text(udev, "ID_PART_ENTRY_SCHEME");
        int64_t start, whole;

        (void) s;
        if (table)
                factor_text(c, "partition.table", table);
        factor_number(c, "partition.start_bytes", SECTOR_BYTES, "%s/start", n->dir);
        factor_number(c, "partition.size_bytes", SECTOR_BYTES, "%s/size", n->dir);
        if (root_integer(c->m, &start, "%s/start", n->dir) == 0 &&
            root_integer(c->m, &whole, "%s/../size", n->dir) == 0 && start >= 0 && whole > 0)
                factor_integer(c, "partition.start_percent", start / (whole / 100 + 1));
}

/* linear, striped, thin, cache, ...: of a volume whose pieces differ, the first piece's */
static void capture_lvm(struct capture *c, const struct stack *s, const struct stack_node *n)
{
        CLEANUP(dm_target_done) struct dm_target target = DM_TARGET_NULL;
        struct fault fault = FAULT_NULL;

        (void) s;
        if (dm_target_read(&target, c->m, n->major, n->minor, &fault) < 0)
                factor_absent(c, "lvm.layout", "%s", fault.text);
        else
                factor_text(c, "lvm.layout", target.type);
}

/* enter_words() - the kinds of layers from the top, each once: "crypt, lvm, partition, drive" */
static void enter_words(struct capture *c, const struct stack *s)
{
        char words[256] = "";
        unsigned seen = 0;
        size_t used = 0;

        for (size_t i = 0; i < s->n_nodes; i++) {
                unsigned bit = 1u << s->nodes[i].kind;

                if (!(seen & bit))
                        used += (size_t) snprintf(words + used, sizeof words - used, "%s%s",
                                                  seen ? ", " : "", kind_words[s->nodes[i].kind]);
                seen |= bit;
        }
        factor_text(c, "storage.stack", words);
}

void volume_capture(struct capture *c, const struct stack *s, const char *absent)
{
        if (absent) {
                factor_absent(c, "storage.stack", "%s", absent);
                return;
        }
        enter_words(c, s);
        factor_boolean(c, "lvm", stack_capture(c, s, STACK_LVM, capture_lvm) > 0);
        (void) stack_capture(c, s, STACK_MD, capture_md);
        (void) stack_capture(c, s, STACK_PARTITION, capture_partition);
        if (!factor_has(c, "md.level"))
                factor_text(c, "md.level", "none");
}
