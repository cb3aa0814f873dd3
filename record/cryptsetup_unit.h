/* record/cryptsetup_unit.h - which mapping a unit of systemd's opens */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/**
 * cryptsetup_unit_mapping() - "luks-1234" of "systemd-cryptsetup@luks\x2d1234.service"
 * @unit: may be NULL
 * Return: false when @unit is no such unit, or its name does not fit.
 */
bool cryptsetup_unit_mapping(const char *unit, char *ret, size_t ret_bytes);
