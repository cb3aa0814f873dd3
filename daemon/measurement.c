/* daemon/measurement.c - see measurement.h */
#include "daemon/measurement.h"
#include <fcntl.h>
#include <string.h>
#include "machine/machine.h"
#include "record/labels.h"
#include "record/merge.h"
#include "record/store.h"
#include "witness/witness.h"

#define SLEPT_US (10 * 1000)

int measurement_ask(struct record *r, struct fault *fault)
{
        CLEANUP(closep) int root_fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        struct witness_context ctx;
        int code;

        if (root_fd < 0)
                return fault_errno(fault, -errno, "/");
        witness_context_init(&ctx, root_fd, true);
        r->start = ctx.now;
        code = witness_ask_all(&ctx, r);
        if (code == 0 && ctx.now.boottime_us - ctx.now.monotonic_us > SLEPT_US)
                code = record_add_warning(
                        r,
                        "the machine has slept for %.0f s since boot: what is placed "
                        "by its birth or start after the first sleep is late by that",
                        s_from_us(ctx.now.boottime_us - ctx.now.monotonic_us));
        if (code == 0 && ctx.wall.step_us != 0)
                code = record_add_warning(r,
                                          "the wall clock was set by %.1f s since the boot began",
                                          s_from_us(ctx.wall.step_us));
        witness_context_done(&ctx);
        return code < 0 ? fault_errno(fault, code, "asking the witnesses") : 0;
}

/* keep_beside() - what is kept with the store: without it a record is poorer, and no less true */
static int keep_beside(struct record *r, struct machine_context *m, const char *store_dir)
{
        struct fault fault = FAULT_NULL;

        if (machine_keep_kernel_config(m, r, store_dir, &fault) < 0)
                return record_add_warning(r, "the kernel's config is not kept: %s", fault.text);
        return 0;
}

int measurement_capture(struct record *r, const char *store_dir, bool keep_serials,
                        struct fault *fault)
{
        CLEANUP(machine_close) struct machine_context m = MACHINE_CONTEXT_NULL;
        struct fault why = FAULT_NULL;
        int code = machine_open(&m, NULL, fault);

        m.keep_serials = keep_serials;
        if (code == 0 && machine_load_key(&m, store_dir, &why) < 0 &&
            record_add_warning(r, "identifiers are left out: %s", why.text) < 0)
                code = fault_set(fault, -ENOMEM, "no memory");
        if (code == 0)
                code = machine_capture(&m, r, fault);
        if (code == 0 && keep_beside(r, &m, store_dir) < 0)
                code = fault_set(fault, -ENOMEM, "no memory");
        return code;
}

/* hide() - hiding what is hidden already changes nothing */
static int hide(struct record *r, const char *store_dir, struct fault *fault)
{
        CLEANUP(machine_close) struct machine_context m = MACHINE_CONTEXT_NULL;
        int code = machine_open(&m, NULL, fault);

        if (code < 0)
                return code;
        (void) machine_load_key(&m, store_dir, NULL); /* measurement_capture() has said why not */
        return machine_hide(&m, r, fault);
}

int measurement_store(struct record *r, const char *store_dir, char **ret_path, struct fault *fault)
{
        int code = hide(r, store_dir, fault);

        if (code < 0)
                return code;
        record_sort(r);
        return store_write(store_dir, r, ret_path, fault);
}

static int apply_labels(struct record *r, const char *store_dir)
{
        struct fault fault = FAULT_NULL;
        int code = labels_apply(store_dir, r, &fault);

        return code < 0 ? record_add_warning(r, "labels are left out: %s", fault.text) : 0;
}

static int merge_earlier(struct record *r, const char *store_dir, struct fault *fault)
{
        CLEANUP(record_freep) struct record *earlier = NULL;
        CLEANUP(freep) char *path = NULL;
        int code = store_find(store_dir, r->machine, r->id, &path, fault);

        if (code == -ENOENT)
                return 0;
        if (code < 0)
                return code;
        code = store_read(path, &earlier, NULL, fault);
        if (code < 0)
                return fault_context(fault, code, "this boot's earlier record is not replaced");
        code = record_merge_earlier(r, earlier);
        return code < 0 ? fault_errno(fault, code, "%s", path) : 0;
}

int measurement_keep_earlier(struct record *r, const char *store_dir, struct fault *fault)
{
        /* What the store holds is hidden: only so are a wait's name then and now the same. */
        int code = hide(r, store_dir, fault);

        if (code == 0)
                code = merge_earlier(r, store_dir, fault);
        if (code == 0 && apply_labels(r, store_dir) < 0)
                code = fault_set(fault, -ENOMEM, "no memory");
        return code;
}

int measurement_note_clocks(struct record *r)
{
        unsigned flags, known = clock_tuple_flags(&r->start, &r->end);
        int code = 0;

        r->end = clock_tuple_now();
        flags = clock_tuple_flags(&r->start, &r->end) & ~known;
        if (flags & CLOCK_STEPPED)
                code = record_add_warning(r, "the wall clock was set while measuring");
        if (code == 0 && (flags & CLOCK_SUSPENDED))
                code = record_add_warning(r, "the machine slept while measuring");
        if (code == 0 && (flags & CLOCK_DRIFTED))
                code = record_add_warning(r,
                                          "CLOCK_MONOTONIC ran more than 1 %% off the raw clock");
        return code;
}
