/* machine/stack.h - the block devices beneath a file system, from the top down to the drives
 *
 * A graph, walked through sysfs: a partition stands on its disk, a device-mapper or md device on
 * its slaves. A device that two others share occurs once.
 */
#pragma once
#include "machine/factor.h"

#define STACK_MAX 64

enum stack_kind {
        STACK_DRIVE, /* nothing below it that the kernel knows */
        STACK_PARTITION,
        STACK_CRYPT, /* dm-crypt; uuid tells LUKS1, LUKS2, plain, ... */
        STACK_LVM,
        STACK_MULTIPATH,
        STACK_INTEGRITY,
        STACK_VERITY,
        STACK_DM, /* another device-mapper target */
        STACK_MD,
        STACK_LOOP,
        STACK_BCACHE,
};

struct stack_node {
        unsigned major, minor;
        enum stack_kind kind;
        char *dir;      /* "sys/dev/block/8:1", relative to the root */
        char *devpath;  /* where that link points: "../../devices/pci.../block/sda/sda1" */
        char *uuid;     /* device mapper's, or NULL */
        bool is_walked; /* a loop device whose file has been looked up */
};

struct stack {
        struct stack_node nodes[STACK_MAX]; /* breadth first: parents before what they stand on */
        size_t n_nodes;
};
#define STACK_NULL ((struct stack){ .n_nodes = 0 })

void stack_done(struct stack *s);

/**
 * stack_add() - walk down from one device
 * @s: what was found before stays, so that the devices of one file system add up
 * Return: 0; -ENOENT when sysfs does not know the device; -E2BIG; another negative errno
 */
int stack_add(struct stack *s, const struct machine_context *m, unsigned major, unsigned minor,
              struct fault *fault);

/** stack_parse_devno() - "8:1", as sysfs writes it */
bool stack_parse_devno(const char *text, unsigned *ret_major, unsigned *ret_minor);

/** stack_node_name() - the kernel's name of a node: "sda1" */
const char *stack_node_name(const struct stack_node *n);

/**
 * stack_node_open() - the device itself, of the running system, for asking and not for reading
 * @ret_path: where it was found; may be NULL
 * Return: a descriptor; -ENOTSUP in a recorded tree; another negative errno
 */
int stack_node_open(const struct stack_node *n, const struct machine_context *m, char **ret_path);

/**
 * stack_capture() - the factors of all nodes of one kind, merged (factor_merge())
 * @capture_one: enters what one node says into a capture of its own
 * Return: how many nodes there are of that kind
 */
size_t stack_capture(struct capture *c, const struct stack *s, enum stack_kind kind,
                     void (*capture_one)(struct capture *, const struct stack *,
                                         const struct stack_node *));

/* One topic each: what the stack's nodes say. With @absent the walk failed, and that is the reason
 * for every factor. */
void drive_capture(struct capture *c, const struct stack *s, const char *absent);
void volume_capture(struct capture *c, const struct stack *s, const char *absent);
void crypt_capture(struct capture *c, const struct stack *s, const char *absent);
