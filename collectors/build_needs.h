/* collectors/build_needs.h - what a kernel build wants of the machine, asked before it starts
 *
 * A build that ends after eight minutes for want of bc has wasted them; and its words, "/bin/sh: 1:
 * bc: not found", do not name the package.
 */
#pragma once
#include "record/fault.h"

/**
 * build_needs_missing() - programs and headers that are wanted and not there
 * @tree: the kernel's source, or NULL for what any source takes
 * @config_text: a .config, or NULL for what making one takes
 * @path_list: as $PATH
 * @ret: all of them, each with its Debian package: "flex (package flex), bc (package bc)"
 *
 * Return: 1 when there are some; 0; -EINTR, -ENOMEM.
 */
int build_needs_missing(const char *tree, const char *config_text, const char *path_list,
                        char *const *environment, char **ret, struct fault *fault);
