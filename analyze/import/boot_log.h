/* analyze/import/boot_log.h - a boot's record out of stamped log lines: the kernel's and the
 * journal's
 *
 * What the lines mean is said in record/kernel_log.h and record/journal_lines.h, for witnesses and
 * importers alike. Here is what an importer adds: on which line of the file each milestone stands.
 */
#pragma once
#include "analyze/import/import.h"
#include "record/journal_lines.h"
#include "record/kernel_log.h"

struct boot_log {
        struct import *in;
        bool is_open;
        struct kernel_log kernel;
        struct journal_lines journal;
        struct boot_log_line { /* those that were read, for finding a stamp's line again */
                int64_t at_us;
                size_t i;
        } * lines;
        size_t n_lines, size;
};

/** boot_log_open() - a new record that begins on line @i */
void boot_log_open(struct boot_log *l, size_t i);

/** boot_log_kernel() - one line of the kernel's */
void boot_log_kernel(struct boot_log *l, int64_t at_us, const char *text, size_t i);

/** boot_log_entry() - one entry of the journal */
void boot_log_entry(struct boot_log *l, const struct journal_entry *e, size_t i);

/** boot_log_close() - what was left open, and the lines of all milestones; also frees */
void boot_log_close(struct boot_log *l);
