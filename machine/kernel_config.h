/* machine/kernel_config.h - the .config that the running kernel was built with */
#pragma once
#include "machine/machine.h"

struct kernel_config {
        char *text;
        size_t n_bytes;
        char *source; /* "/proc/config.gz", "/boot/config-6.1.0-18-amd64" */
};
#define KERNEL_CONFIG_NULL ((struct kernel_config){ .text = NULL })

void kernel_config_done(struct kernel_config *k);

/**
 * kernel_config_read() - from /proc/config.gz, /boot/config-RELEASE or /lib/modules/RELEASE/config
 * @release: of the kernel whose file is wanted
 * Return: 0; -ENOENT with the places that were tried; -EBADMSG when one is no whole config
 */
int kernel_config_read(struct kernel_config *ret, const struct machine_context *m,
                       const char *release, struct fault *fault);

/**
 * kernel_config_value() - what an option is set to
 * @ret: where the value begins ("y", "m", "250", "\"text\"")
 * @ret_bytes: its length
 * Return: false when the option is not set, or the kernel has none of that name
 */
bool kernel_config_value(const struct kernel_config *k, const char *option, const char **ret,
                         size_t *ret_bytes);

/** kernel_config_integer() - the same where it is a decimal integer */
bool kernel_config_integer(const struct kernel_config *k, const char *option, int64_t *ret);

/** kernel_config_is_set() - whether an option is "y" */
bool kernel_config_is_set(const struct kernel_config *k, const char *option);
