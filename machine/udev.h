/* machine/udev.h - what udev's rules found out about a device */
#pragma once
#include <jansson.h>
#include "machine/machine.h"

/**
 * udev_properties() - the properties of a block device
 *
 * Live, sd-device answers from /run/udev; in a recorded tree the same file is read directly.
 * Return: an object of strings, empty when udev knows nothing of it; NULL when out of memory
 */
json_t *udev_properties(const struct machine_context *m, unsigned major, unsigned minor);

/** udev_text() - one property, with udev's "\x20" decoded and blanks at the ends cut; NULL if
 * absent or out of memory. The caller frees it. */
char *udev_text(const json_t *properties, const char *key);
