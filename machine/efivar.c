/* machine/efivar.c - files of efivarfs */
#include "machine/efivar.h"
#include <string.h>
#include "machine/root.h"

#define VALUE_MAX_BYTES 4096
#define ATTRIBUTES_BYTES 4

int efivar_read(const struct machine_context *m, const char *name, char **ret, size_t *ret_bytes)
{
        CLEANUP(freep) char *raw = NULL;
        size_t n = 0;
        int r = root_read(m, VALUE_MAX_BYTES, &raw, &n, "sys/firmware/efi/efivars/%s", name);

        if (r < 0)
                return r;
        if (n < ATTRIBUTES_BYTES)
                return -EBADMSG;
        memmove(raw, raw + ATTRIBUTES_BYTES, n - ATTRIBUTES_BYTES + 1);
        *ret_bytes = n - ATTRIBUTES_BYTES;
        *ret = TAKE(raw);
        return 0;
}

int efivar_read_text(const struct machine_context *m, const char *name, char **ret)
{
        CLEANUP(freep) char *raw = NULL;
        size_t n = 0, used = 0;
        int r = efivar_read(m, name, &raw, &n);

        if (r < 0)
                return r;
        for (size_t i = 0; i + 1 < n && (raw[i] || raw[i + 1]); i += 2)
                raw[used++] = raw[i + 1] == 0 && raw[i] >= ' ' && raw[i] <= '~' ? raw[i] : '?';
        raw[used] = '\0';
        *ret = TAKE(raw);
        return 0;
}
