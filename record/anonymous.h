/* record/anonymous.h - a record fit to be shown to strangers
 *
 * A stored record holds no names, but it can be told to be of the same machine as another: by the
 * machine's id, the boot's id, hashes of serial numbers, and the hour at which somebody starts
 * work.
 */
#pragma once
#include <stdint.h>
#include "record/record.h"

#define ANONYMOUS_KEY_BYTES 32

/**
 * anonymous_make() - take all that out of @r
 *
 * Ids become others, equal where they were equal under one @key; hashes go; the wall clock keeps
 * its day; paths of a person's own go. Labels stay: they are what somebody typed to be read.
 *
 * @key: random, and forgotten afterwards
 * Return: 0; -ENOMEM
 */
int anonymous_make(struct record *r, const uint8_t key[ANONYMOUS_KEY_BYTES]);
