/* machine/luks.c - libcryptsetup, loaded when it is needed
 *
 * It brings OpenSSL and Argon2 along, 4 ms of linking that every other verb would pay for one
 * factor of one kind of machine. So it is opened here, as systemd does. */
#include "machine/luks.h"
#include <dlfcn.h>
#include <libcryptsetup.h>
#include <string.h>

#define LIBRARY "libcryptsetup.so.12"
#define BENCHMARK_BYTES (1024 * 1024) /* what "cryptsetup benchmark" hands the kernel at a time */

struct library {
        void *handle;
        __typeof__(&crypt_init) init;
        __typeof__(&crypt_load) load;
        __typeof__(&crypt_free) free;
        __typeof__(&crypt_get_type) get_type;
        __typeof__(&crypt_keyslot_max) keyslot_max;
        __typeof__(&crypt_keyslot_status) keyslot_status;
        __typeof__(&crypt_keyslot_get_pbkdf) keyslot_get_pbkdf;
        __typeof__(&crypt_set_log_callback) set_log_callback;
        __typeof__(&crypt_metadata_locking) metadata_locking;
        __typeof__(&crypt_benchmark) benchmark;
};

static void library_close(struct library *l)
{
        if (l->handle)
                (void) dlclose(l->handle);
}

/* LOOK_UP() - one function; the cast goes over memory, since ISO C knows none between the kinds */
#define LOOK_UP(l, member, name)                                                                   \
        __extension__({                                                                            \
                void *symbol_ = dlsym((l)->handle, name);                                          \
                memcpy(&(l)->member, &symbol_, sizeof symbol_);                                    \
                symbol_ != NULL;                                                                   \
        })

static int library_open(struct library *l, struct fault *fault)
{
        l->handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
        if (!l->handle)
                return fault_set(fault, -ENOTSUP, "needs %s, which is not installed", LIBRARY);
        if (!LOOK_UP(l, init, "crypt_init") || !LOOK_UP(l, load, "crypt_load") ||
            !LOOK_UP(l, free, "crypt_free") || !LOOK_UP(l, get_type, "crypt_get_type") ||
            !LOOK_UP(l, keyslot_max, "crypt_keyslot_max") ||
            !LOOK_UP(l, keyslot_status, "crypt_keyslot_status") ||
            !LOOK_UP(l, keyslot_get_pbkdf, "crypt_keyslot_get_pbkdf") ||
            !LOOK_UP(l, set_log_callback, "crypt_set_log_callback") ||
            !LOOK_UP(l, metadata_locking, "crypt_metadata_locking") ||
            !LOOK_UP(l, benchmark, "crypt_benchmark"))
                return fault_set(fault, -ENOTSUP, "%s lacks a function that is asked for", LIBRARY);
        return 0;
}

static void swallow(int level, const char *message, void *userdata)
{
        (void) level;
        (void) message;
        (void) userdata;
}

static int read_slots(const struct library *l, struct crypt_device *cd, struct luks_pbkdf *ret,
                      struct fault *fault)
{
        int max = l->keyslot_max(l->get_type(cd));

        for (int slot = 0; slot < max; slot++) {
                struct crypt_pbkdf_type pbkdf = { .type = NULL };
                crypt_keyslot_info info = l->keyslot_status(cd, slot);

                if ((info != CRYPT_SLOT_ACTIVE && info != CRYPT_SLOT_ACTIVE_LAST) ||
                    l->keyslot_get_pbkdf(cd, slot, &pbkdf) < 0 || !pbkdf.type)
                        continue;
                (void) snprintf(ret->type, sizeof ret->type, "%s", pbkdf.type);
                ret->iterations = pbkdf.iterations;
                ret->memory_bytes = (uint64_t) pbkdf.max_memory_kb * 1024;
                ret->threads = pbkdf.parallel_threads;
                return 0;
        }
        return fault_set(fault, -ENODATA, "the LUKS header has no key slot in use");
}

int luks_pbkdf_read(struct luks_pbkdf *ret, const char *path, struct fault *fault)
{
        CLEANUP(library_close) struct library l = { .handle = NULL };
        struct luks_pbkdf pbkdf = { .type = "" };
        struct crypt_device *cd = NULL;
        int r = library_open(&l, fault);

        if (r < 0)
                return r;
        l.set_log_callback(NULL, swallow, NULL);
        /* A reader of an active device needs no lock, and taking one would make /run/cryptsetup. */
        (void) l.metadata_locking(NULL, 0);
        r = l.init(&cd, path);
        if (r == 0)
                r = l.load(cd, CRYPT_LUKS, NULL);
        if (r == 0)
                r = read_slots(&l, cd, &pbkdf, fault);
        else
                r = fault_errno(fault, r, "the LUKS header of %s", path);
        l.free(cd);
        if (r == 0)
                *ret = pbkdf;
        return r;
}

size_t luks_iv_bytes(const char *cipher, const char *mode)
{
        static const char *const blocks_of_64_bits[] = { "blowfish", "cast5", "des", "des3_ede" };
        size_t n_bytes = strcspn(mode, "-");

        if (strncmp(mode, "ecb", n_bytes) == 0)
                return 0;
        /* No chains of blocks: a whole sector is one, with a tweak of a size of its own. */
        if (strncmp(mode, "adiantum", n_bytes) == 0 || strncmp(mode, "hctr2", n_bytes) == 0)
                return 32;
        for (size_t i = 0; i < ELEMENTSOF(blocks_of_64_bits); i++)
                if (strcmp(cipher, blocks_of_64_bits[i]) == 0)
                        return 8;
        return 16;
}

int luks_cipher_speed(const char *cipher, const char *mode, unsigned key_bits,
                      double *ret_mib_per_s, struct fault *fault)
{
        CLEANUP(library_close) struct library l = { .handle = NULL };
        CLEANUP(freep) char *chaining = strndup(mode, strcspn(mode, "-"));
        double encrypt, decrypt;
        int r = chaining ? library_open(&l, fault) : fault_set(fault, -ENOMEM, "no memory");

        if (r < 0)
                return r;
        l.set_log_callback(NULL, swallow, NULL);
        /* AF_ALG knows "xts"; the "-plain64" after it is dm-crypt's own. */
        r = l.benchmark(NULL, cipher, chaining, key_bits / 8, luks_iv_bytes(cipher, mode),
                        BENCHMARK_BYTES, &encrypt, &decrypt);
        if (r == -ENOENT || r == -ENOTSUP)
                return fault_set(fault, -ENOTSUP,
                                 "this kernel lends %s-%s with %u bits to no program (AF_ALG)",
                                 cipher, mode, key_bits);
        if (r < 0)
                return fault_errno(fault, r, "%s-%s with %u bits", cipher, mode, key_bits);
        *ret_mib_per_s = decrypt;
        return 0;
}
