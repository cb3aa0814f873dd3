/* witness/plausible.h - what can be true of a boot
 *
 * What cannot is kept in the record with its reason and left out of every total: never dropped,
 * never believed.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "record/clock.h"

/* Ten years, in either direction from the kernel's start; beyond lies a subtraction that went
 * wrong. */
#define PLAUSIBLE_US_MAX ((uint64_t) 10 * 366 * 86400 * US_PER_S)
#define PLAUSIBLE_REALTIME_US_MAX ((uint64_t) 1000 * 366 * 86400 * US_PER_S)
/* Servers with much memory and many cards take some minutes to their loader. */
#define PLAUSIBLE_FIRMWARE_US_MAX ((int64_t) 10 * 60 * US_PER_S)

/** plausible_clamp() - an unsigned stamp in a signed one, cut to what JSON numbers hold exactly */
int64_t plausible_clamp(uint64_t us);

/**
 * plausible_firmware() - can the machine have started at @at_us (negative: before the kernel)?
 * Return: 0; -ERANGE with words in @reason.
 */
int plausible_firmware(int64_t at_us, char *reason, size_t reason_bytes);
