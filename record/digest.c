/* record/digest.c - nettle's SHA-256 and HMAC behind two calls */
#include "record/digest.h"
#include <nettle/hmac.h>
#include <nettle/sha2.h>

static void hex_from_bytes(const uint8_t *bytes, size_t n_bytes, char *ret)
{
        static const char digits[] = "0123456789abcdef";

        for (size_t i = 0; i < n_bytes; i++) {
                ret[2 * i] = digits[bytes[i] >> 4];
                ret[2 * i + 1] = digits[bytes[i] & 15];
        }
        ret[2 * n_bytes] = '\0';
}

void digest_hex(const void *data, size_t n_bytes, char ret[DIGEST_HEX_BYTES])
{
        struct sha256_ctx ctx;
        uint8_t digest[SHA256_DIGEST_SIZE];

        sha256_init(&ctx);
        sha256_update(&ctx, n_bytes, data);
        sha256_digest(&ctx, sizeof digest, digest);
        hex_from_bytes(digest, sizeof digest, ret);
}

void digest_keyed_hex(const void *key, size_t key_bytes, const void *data, size_t n_bytes,
                      char ret[DIGEST_HEX_BYTES])
{
        struct hmac_sha256_ctx ctx;
        uint8_t digest[SHA256_DIGEST_SIZE];

        hmac_sha256_set_key(&ctx, key_bytes, key);
        hmac_sha256_update(&ctx, n_bytes, data);
        hmac_sha256_digest(&ctx, sizeof digest, digest);
        hex_from_bytes(digest, sizeof digest, ret);
}
