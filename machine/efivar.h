/* machine/efivar.h - EFI variables, below the root that is read */
#pragma once
#include "machine/machine.h"

/**
 * efivar_read() - a variable's value, without the four bytes of attributes before it
 * @name: "SecureBoot-8be4df61-..."
 * @ret: NUL-terminated
 */
int efivar_read(const struct machine_context *m, const char *name, char **ret, size_t *ret_bytes);

/** efivar_read_text() - a value in UTF-16, of which only ASCII is kept */
int efivar_read_text(const struct machine_context *m, const char *name, char **ret);
