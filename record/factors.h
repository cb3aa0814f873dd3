/* record/factors.h - what belongs together when a machine is changed
 *
 * Each key of a record's config and labels is a factor, but one act changes many: a new drive
 * brings another model, size, firmware and bus. Comparisons therefore speak of groups.
 * docs/factors.md lists every key with its unit and source; a test holds that page and this mapping
 * together.
 */
#pragma once
#include <stdbool.h>

/**
 * factor_group() - the group that a key of config or labels belongs to
 * @key: "drive.rpm"; the copies beneath a collector's path ("path.maildir.drive.rpm") belong to the
 *       group of what they describe
 *
 * Groups: drive, volume, crypt, filesystem, kernel, cpu, memory, gpu, desktop, firmware, power, os,
 * boot; "summary" holds what other keys imply (the stack in words), which is no factor of its own.
 *
 * Return: the group's name; NULL for a key that is not known (a label of one's own): each of those
 * stands for itself.
 */
const char *factor_group(const char *key);

/**
 * factor_drifts() - whether a value moves from boot to boot with nobody changing anything
 *
 * Fill and age of a file system, battery charge, temperature: worth showing beside odd boots, but
 * any two sets of boots differ in them, so that they never count as "what else changed".
 */
bool factor_drifts(const char *key);
