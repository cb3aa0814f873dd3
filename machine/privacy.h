/* machine/privacy.h - what must not get into a record: secrets, and what names a machine or a
 * person
 *
 * Three kinds, told apart by what harm they do. Secrets (passwords, keys, tokens) are removed,
 * since a hash of a weak one can be guessed. Identifiers (UUIDs, MAC and IP addresses, names of
 * volumes) become keyed hashes, so that a change of them still shows. Everything else stays.
 */
#pragma once
#include "machine/machine.h"

/**
 * privacy_clean_cmdline() - a kernel command line fit to be kept
 * Return: a new string; NULL when out of memory
 */
char *privacy_clean_cmdline(const struct machine_context *m, const char *cmdline);

/** privacy_clean_options() - the same for mount options, which commas separate */
char *privacy_clean_options(const struct machine_context *m, const char *options);
