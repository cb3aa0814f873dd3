/* collectors/cipher_cost.c - the mapping from machine/, its cipher's speed from the kernel, the
 * drive's from reading it */
#include "collectors/cipher_cost.h"
#include <string.h>
#include "collectors/blockdev.h"
#include "machine/luks.h"
#include "record/clock.h"
#include "record/record.h"

#define WORKLOAD_VERSION "1"
#define READS 64 /* of 1 MiB, from the middle of the drive */
#define PREFIX "path.here."

void cipher_cost_done(struct cipher_cost *c) { disk_target_done(&c->drive); }

bool cipher_cost_split(const char *text, char *ret_cipher, char *ret_mode, size_t size)
{
        const char *dash = strchr(text, '-');

        if (!dash || dash == text || dash[1] == '\0' || strncmp(text, "capi:", 5) == 0 ||
            (size_t) (dash - text) >= size || strlen(dash) > size)
                return false;
        (void) snprintf(ret_cipher, size, "%.*s", (int) (dash - text), text);
        (void) snprintf(ret_mode, size, "%s", dash + 1);
        return true;
}

void cipher_cost_read(struct cipher_cost *c, const struct machine_context *m, const char *path)
{
        CLEANUP(record_freep) struct record *r = record_new();
        const char *type, *cipher, *why;

        if (!r || machine_capture_path(m, r, "here", path, NULL) < 0)
                return;
        type = json_string_value(json_object_get(r->config, PREFIX "crypt.type"));
        c->is_there = type && strcmp(type, "none") != 0;
        if (!c->is_there)
                return;
        cipher = json_string_value(json_object_get(r->config, PREFIX "crypt.cipher"));
        why = record_absent_reason(r, PREFIX "crypt.cipher");
        (void) snprintf(c->why, sizeof c->why, "%s", cipher ? "" : why ? why : "not told");
        (void) snprintf(c->cipher, sizeof c->cipher, "%s", cipher ? cipher : "");
        c->key_bits =
                (unsigned) json_integer_value(json_object_get(r->config, PREFIX "crypt.key_bits"));
}

/* open_drive() - what is beneath, when it is one drive: of several each carries its part */
static void open_drive(struct cipher_cost *c, const char *path)
{
        struct blockdev_set set;
        struct fault fault = FAULT_NULL;

        if (blockdev_beneath(path, &set) < 0 || set.n_leaves != 1) {
                (void) snprintf(c->why, sizeof c->why, "there is not one drive beneath it");
                return;
        }
        (void) snprintf(c->drive_name, sizeof c->drive_name, "/dev/%s", set.leaves[0].name);
        if (disk_target_open(&c->drive, c->drive_name, &fault) < 0)
                (void) snprintf(c->why, sizeof c->why, "%.250s", fault.text);
}

void cipher_cost_look(struct cipher_cost *c, const char *path)
{
        struct machine_context m = MACHINE_CONTEXT_NULL;

        if (machine_open(&m, NULL, NULL) < 0)
                return;
        cipher_cost_read(c, &m, path);
        machine_close(&m);
        if (c->is_there && *c->cipher)
                open_drive(c, path);
}

static int drive_speed(const struct cipher_cost *c, double *ret_mib_per_s, struct fault *fault)
{
        uint64_t start = c->drive.medium.size_bytes / 2, n = READS;
        int64_t elapsed_ns = 0;

        start -= start % DISK_BULK_BYTES;
        if (n > (c->drive.medium.size_bytes - start) / DISK_BULK_BYTES)
                n = (c->drive.medium.size_bytes - start) / DISK_BULK_BYTES;
        for (uint64_t i = 0; i < n; i++) {
                int64_t ns;
                int r = disk_target_read(&c->drive, start + i * DISK_BULK_BYTES, DISK_BULK_BYTES,
                                         &ns, fault);

                if (r < 0)
                        return fault_context(fault, r, "%s", c->drive_name);
                elapsed_ns += ns;
        }
        if (n == 0 || elapsed_ns <= 0)
                return fault_set(fault, -ENODATA, "%s is too small to tell", c->drive_name);
        *ret_mib_per_s = (double) n / ((double) elapsed_ns / NS_PER_S);
        return 0;
}

static int add_sample(const struct cipher_cost *c, struct harness *h, double rate,
                      double drive_rate, struct fault *fault)
{
        CLEANUP(sample_done) struct sample s = SAMPLE_NULL;
        int r = harness_sample_init(h, &s, "crypt.decrypt", 1, fault);

        if (r < 0)
                return r;
        s.tool = strdup("bootlap-crypt");
        s.tool_version = strdup(WORKLOAD_VERSION);
        if (!s.tool || !s.tool_version ||
            record_set_string(s.parameters, "cipher", c->cipher) < 0 ||
            record_set_integer(s.parameters, "key_bits", c->key_bits) < 0 ||
            record_set_string(s.details, "drive", c->drive_name) < 0 ||
            sample_add(&s, "rate", rate, "MiB/s", BETTER_HIGHER, NULL) < 0 ||
            sample_add(&s, "drive_rate", drive_rate, "MiB/s", BETTER_HIGHER, NULL) < 0 ||
            sample_add(&s, "share", rate / drive_rate, "", BETTER_HIGHER, NULL) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        return harness_sample_add(h, &s, fault);
}

int cipher_cost_measure(const struct cipher_cost *c, struct harness *h, struct fault *fault)
{
        char cipher[80], mode[80];
        struct fault why = FAULT_NULL;
        double rate = 0, drive_rate = 0;
        int r = 0;

        if (!c->is_there)
                return 0;
        if (c->why[0])
                r = fault_set(&why, -ENODATA, "%s", c->why);
        else if (!cipher_cost_split(c->cipher, cipher, mode, sizeof cipher))
                r = fault_set(&why, -ENOTSUP, "%s is nothing that a single cipher's speed tells of",
                              c->cipher);
        progress_start(&h->progress, "the cipher and the drive", 0);
        if (r == 0)
                r = luks_cipher_speed(cipher, mode, c->key_bits, &rate, &why);
        if (r == 0)
                r = drive_speed(c, &drive_rate, &why);
        progress_end(&h->progress);
        if (r == -EINTR || r == -ENOMEM)
                return fault_set(fault, r, "%s", why.text);
        if (r < 0) {
                harness_warn(h, "it lies on dm-crypt, whose cost is not known: %s", why.text);
                return 0;
        }
        if (rate < drive_rate)
                harness_warn(h,
                             "it lies on dm-crypt: one processor decrypts %.0f MiB/s, %.0f %% of "
                             "the %.0f MiB/s that the drive delivers",
                             rate, 100 * rate / drive_rate, drive_rate);
        return add_sample(c, h, rate, drive_rate, fault);
}
