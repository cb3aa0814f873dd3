/* witness/xorg_log.h - the stamp at the head of a line of Xorg's log */
#pragma once
#include <stdint.h>

/** xorg_log_parse_stamp() - "[    18.663] ..." in microseconds; -EINVAL when there is none */
int xorg_log_parse_stamp(const char *line, int64_t *ret_us);
