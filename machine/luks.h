/* machine/luks.h - what only a LUKS header on the drive tells */
#pragma once
#include "machine/machine.h"

struct luks_pbkdf {
        char type[32]; /* "argon2id", "pbkdf2" */
        uint32_t iterations;
        uint64_t memory_bytes; /* 0 for pbkdf2 */
        uint32_t threads;      /* 0 for pbkdf2 */
};

/**
 * luks_pbkdf_read() - the key derivation of the first key slot in use
 *
 * @path: of the device, or of a file that holds what one does
 *
 * Reads the header from the device, so the caller has made sure that its drives are awake.
 * Return: 0; -ENOTSUP when libcryptsetup is not installed; another negative errno
 */
int luks_pbkdf_read(struct luks_pbkdf *ret, const char *path, struct fault *fault);

/** luks_iv_bytes() - what the kernel wants as the initial vector of "aes", "xts-plain64" */
size_t luks_iv_bytes(const char *cipher, const char *mode);

/**
 * luks_cipher_speed() - how fast the kernel decrypts with one processor, as "cryptsetup benchmark"
 * measures it; takes two seconds
 * @cipher, @mode: "aes", "xts-plain64"
 * Return: 0; -ENOTSUP when the library or the kernel's interface is not there; another negative
 * errno
 */
int luks_cipher_speed(const char *cipher, const char *mode, unsigned key_bits,
                      double *ret_mib_per_s, struct fault *fault);
