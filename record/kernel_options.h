/* record/kernel_options.h - kernel configs, kept once each beside the records that name them
 *
 * STORE/kernel-configs/<sha256>.gz: a record holds the hash alone (kernel.config_sha256), and a
 * comparison prints which options differ. The folder holds no *.json, so that no listing of records
 * finds anything in it.
 */
#pragma once
#include <jansson.h>
#include <stddef.h>
#include "record/fault.h"

/**
 * kernel_options_keep() - store a config unless it is there already
 * @sha256: of @text, as hex
 * Return: 0; a negative errno with the reason
 */
int kernel_options_keep(const char *store_dir, const char *sha256, const char *text, size_t n_bytes,
                        struct fault *fault);

/** kernel_options_parse() - a config's text as kernel_options_load() returns it; -ENOMEM */
int kernel_options_parse(const char *text, json_t **ret);

/**
 * kernel_options_load() - a kept config as an object: "CONFIG_HZ" -> "250"
 * What is "not set" is "n"; what a config does not mention is not there.
 * Return: 0; -ENOENT when it was not kept; -EBADMSG when its content is not what its name says
 */
int kernel_options_load(const char *store_dir, const char *sha256, json_t **ret,
                        struct fault *fault);
