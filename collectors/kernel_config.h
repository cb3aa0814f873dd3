/* collectors/kernel_config.h - a run's .config, and what building it asks of the machine */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "collectors/kernel_make.h"
#include "record/digest.h"
#include "record/fault.h"

struct kernel_config {
        char *text;                    /* the whole .config */
        char sha256[DIGEST_HEX_BYTES]; /* of it */
};

void kernel_config_done(struct kernel_config *c);

/** kernel_config_is_target() - a name that make knows, rather than a file's */
bool kernel_config_is_target(const char *name);

/**
 * kernel_config_make() - write the .config into @m's folder of objects, and read it back
 * @name: "tinyconfig", "defconfig", or a file, which is copied and brought up to date with the
 *        defaults of what it does not know
 *
 * Return: 0; what kernel_make_run() and kernel_make_explain() return; -EINVAL, -ENOENT and others
 * for the file.
 */
int kernel_config_make(struct kernel_config *c, struct kernel_make *m, const char *name,
                       struct fault *fault);

/** kernel_config_has() - is "CONFIG_" @option built in or a module? */
bool kernel_config_has(const char *config_text, const char *option);

/** kernel_config_guess_bytes() - a low guess of what the objects will take on disk */
uint64_t kernel_config_guess_bytes(const char *config_text);
