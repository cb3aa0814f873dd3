/* analyze/import/formats.c - the table of what can be imported. Order matters for auto: a format
 * takes its lines away, so those with the strongest marks come first, and those that are made of a
 * few common words last. */
#include <string.h>
#include "analyze/import/formats.h"

static const struct import_format formats[] = {
        { "journal", "journalctl -o json, export, short-monotonic", journal_recognize, journal_read,
          journal_unwrap },
        { "dmesg", "the kernel's log as dmesg prints it", dmesg_recognize, dmesg_read,
          dmesg_unwrap },
        { "boot-notes", "boots timed by hand with a watch", boot_notes_recognize, boot_notes_read,
          boot_notes_unwrap },
        { "resp", "tables of response under load", resp_recognize, resp_read, resp_unwrap },
        { "contest", "contest: a kernel build under loads", contest_recognize, contest_read,
          contest_unwrap },
        { "interbench", "interbench: latency beside loads", interbench_recognize, interbench_read,
          interbench_unwrap },
        { "diskinfo", "FreeBSD's diskinfo -v -t -c -i -S", diskinfo_recognize, diskinfo_read,
          diskinfo_unwrap },
        { "unixbench", "UnixBench 4.1 and 5.x", unixbench_recognize, unixbench_read,
          unixbench_unwrap },
        { "sysbench", "sysbench 0.4 to 1.1", sysbench_recognize, sysbench_read, sysbench_unwrap },
        { "systemd-analyze", "systemd-analyze time, blame, critical-chain",
          systemd_analyze_recognize, systemd_analyze_read, systemd_analyze_unwrap },
        { "systemd-plot", "systemd-analyze plot --json", systemd_plot_recognize, systemd_plot_read,
          NULL },
        { "time", "time of the shells, GNU time, fish", time_recognize, time_read, time_unwrap },
        { "hyperfine", "hyperfine's JSON, and its text", hyperfine_recognize, hyperfine_read,
          hyperfine_unwrap },
        { "fio", "fio, in its JSON form", fio_recognize, fio_read, NULL },
        { "ioping", "ioping's requests and statistics", ioping_recognize, ioping_read,
          ioping_unwrap },
        { "phoronix", "Phoronix Test Suite result XML", phoronix_recognize, phoronix_read, NULL },
        { "bootchart", "bootchart's header and proc_stat.log", bootchart_recognize, bootchart_read,
          NULL },
        { "grabserial", "a serial console with grabserial's stamps", grabserial_recognize,
          grabserial_read, NULL },
};

const struct import_format *import_formats(size_t *ret_n)
{
        *ret_n = ELEMENTSOF(formats);
        return formats;
}

const struct import_format *import_format_find(const char *name)
{
        for (size_t i = 0; i < ELEMENTSOF(formats); i++)
                if (strcmp(formats[i].name, name) == 0)
                        return &formats[i];
        return NULL;
}
