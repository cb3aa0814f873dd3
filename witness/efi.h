/* witness/efi.h - the boot loader interface's variables, apart from where they are read */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "record/record.h"
#include "witness/counter_reading.h"

/* In microseconds since the counter's reset, as the loader counted; 0 means "not there". */
struct efi_times {
        int64_t init_us;
        int64_t menu_us;
        int64_t exec_us;
        int64_t timeout_s; /* the menu's; 0 none or unknown */
};

/**
 * efi_decode_text() - the content of a file of efivarfs: 4 bytes of attributes, then UTF-16LE
 *
 * Reads up to the first NUL; a half surrogate becomes U+FFFD.
 * Return: 0 and UTF-8 that is the caller's; -EINVAL; -ENOMEM.
 */
int efi_decode_text(const void *data, size_t n_bytes, char **ret);

/** efi_read_text() - a variable of the boot loader interface below @root_fd; 0, -errno */
int efi_read_text(int root_fd, const char *name, char **ret);

/** efi_judge() - can the loader have run then? Return: 0; -ERANGE with words in @reason. */
int efi_judge(const struct efi_times *t, const struct pre_kernel *p, char *reason,
              size_t reason_bytes);

/** efi_enter() - the loader's milestones, placed on the counter's axis; 0, -ENOMEM */
int efi_enter(struct record *r, const struct efi_times *t, const struct pre_kernel *p);
