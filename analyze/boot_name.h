/* analyze/boot_name.h - how views name a boot */
#pragma once
#include "record/record.h"

#define BOOT_NAME_BYTES 96

/**
 * boot_name() - the beginning of its id, and where it was imported from or when it was
 * @ret: of BOOT_NAME_BYTES: "8986bcc0, notes.txt:20 boot 3", "4f2c91aa, 2026-11-30 12:00"
 *
 * Return: @ret.
 */
const char *boot_name(const struct record *r, char *ret);
