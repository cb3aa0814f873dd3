/* witness/kernel_log.h - what the kernel log's lines have to be compared with on this machine */
#pragma once
#include "record/kernel_log.h"

/**
 * kernel_log_open() - learn from @root_fd what the lines have to be compared with
 * @source: kept
 */
void kernel_log_open(struct kernel_log *k, int root_fd, const char *source);
