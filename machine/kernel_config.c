/* machine/kernel_config.c - find, unpack and ask a kernel's .config */
#include "machine/kernel_config.h"
#include <string.h>
#include <zlib.h>
#include "machine/root.h"
#include "record/procfile.h"

#define PACKED_MAX_BYTES (4 * 1024 * 1024)
#define TEXT_MAX_BYTES (16 * 1024 * 1024)
#define FIRST_BYTES (512 * 1024)

void kernel_config_done(struct kernel_config *k)
{
        free(k->text);
        free(k->source);
        *k = KERNEL_CONFIG_NULL;
}

/* unpack() - a gzip file in memory; what is not packed is taken as it is */
static int unpack(const char *packed, size_t packed_bytes, char **ret, size_t *ret_bytes)
{
        z_stream z = { .next_in = (Bytef *) (uintptr_t) packed, .avail_in = (uInt) packed_bytes };
        CLEANUP(freep) char *text = NULL;
        size_t size = FIRST_BYTES;
        int r;

        if (inflateInit2(&z, 15 + 32) != Z_OK) /* 32: gzip or zlib by its head */
                return -ENOMEM;
        do {
                char *grown = size > TEXT_MAX_BYTES ? NULL : realloc(text, size + 1);

                if (!grown) {
                        (void) inflateEnd(&z);
                        return size > TEXT_MAX_BYTES ? -EBADMSG : -ENOMEM;
                }
                text = grown;
                z.next_out = (Bytef *) text + z.total_out;
                z.avail_out = (uInt) (size - z.total_out);
                r = inflate(&z, Z_NO_FLUSH);
                size *= 2;
        } while (r == Z_OK && z.avail_out == 0);
        text[z.total_out] = '\0';
        *ret_bytes = z.total_out;
        (void) inflateEnd(&z);
        if (r != Z_STREAM_END)
                return -EBADMSG;
        *ret = TAKE(text);
        return 0;
}

static bool is_config(const char *text) { return strstr(text, "\nCONFIG_") != NULL; }

int kernel_config_read(struct kernel_config *ret, const struct machine_context *m,
                       const char *release, struct fault *fault)
{
        static const char *const places[] = { "proc/config.gz", "boot/config-%s",
                                              "lib/modules/%s/config",
                                              "usr/lib/modules/%s/config" };
        CLEANUP(kernel_config_done) struct kernel_config k = KERNEL_CONFIG_NULL;

        for (size_t i = 0; i < ELEMENTSOF(places); i++) {
                CLEANUP(freep) char *packed = NULL, *path = NULL;
                const char *mark = strchr(places[i], '%');
                size_t n = 0;
                int r;

                if (asprintf(&path, "%.*s%s%s", mark ? (int) (mark - places[i]) : 64, places[i],
                             mark ? release : "", mark ? mark + 2 : "") < 0)
                        return fault_set(fault, -ENOMEM, "no memory");
                r = root_read(m, PACKED_MAX_BYTES, &packed, &n, "%s", path);
                if (r == -ENOMEM)
                        return fault_set(fault, r, "no memory");
                if (r < 0)
                        continue;
                if (n > 2 && (unsigned char) packed[0] == 0x1f &&
                    (unsigned char) packed[1] == 0x8b) {
                        r = unpack(packed, n, &k.text, &k.n_bytes);
                        if (r < 0)
                                return fault_set(fault, r, "/%s: cannot be unpacked", path);
                } else {
                        k.text = TAKE(packed);
                        k.n_bytes = n;
                }
                if (!is_config(k.text))
                        return fault_set(fault, -EBADMSG, "/%s: holds no kernel options", path);
                if (asprintf(&k.source, "/%s", path) < 0)
                        return fault_set(fault, -ENOMEM, "no memory");
                *ret = k;
                k = KERNEL_CONFIG_NULL;
                return 0;
        }
        return fault_set(fault, -ENOENT,
                         "neither /proc/config.gz nor a config of %s in /boot or /lib/modules",
                         release);
}

bool kernel_config_value(const struct kernel_config *k, const char *option, const char **ret,
                         size_t *ret_bytes)
{
        size_t n = strlen(option);

        for (const char *p = k->text; (p = strstr(p, option)); p += n)
                if ((p == k->text || p[-1] == '\n') && p[n] == '=') {
                        *ret = p + n + 1;
                        *ret_bytes = strcspn(*ret, "\n");
                        return true;
                }
        return false;
}

bool kernel_config_is_set(const struct kernel_config *k, const char *option)
{
        const char *value;
        size_t n;

        return kernel_config_value(k, option, &value, &n) && n == 1 && *value == 'y';
}

bool kernel_config_integer(const struct kernel_config *k, const char *option, int64_t *ret)
{
        const char *value;
        char number[24];
        size_t n;

        if (!kernel_config_value(k, option, &value, &n) || n >= sizeof number)
                return false;
        memcpy(number, value, n);
        number[n] = '\0';
        return parse_int(number, ret) == 0;
}
