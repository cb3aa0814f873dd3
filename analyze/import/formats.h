/* analyze/import/formats.h - the functions of each format; what they do is said in import.h
 * and, for each format, on top of its file */
#pragma once
#include "analyze/import/import.h"

int boot_notes_recognize(const struct text *text);
void boot_notes_read(struct import *in);
void boot_notes_unwrap(struct text *text);

int resp_recognize(const struct text *text);
void resp_read(struct import *in);
void resp_unwrap(struct text *text);

int contest_recognize(const struct text *text);
void contest_read(struct import *in);
void contest_unwrap(struct text *text);

int interbench_recognize(const struct text *text);
void interbench_read(struct import *in);
void interbench_unwrap(struct text *text);

int diskinfo_recognize(const struct text *text);
void diskinfo_read(struct import *in);
void diskinfo_unwrap(struct text *text);

int unixbench_recognize(const struct text *text);
void unixbench_read(struct import *in);
void unixbench_unwrap(struct text *text);

int sysbench_recognize(const struct text *text);
void sysbench_read(struct import *in);
void sysbench_unwrap(struct text *text);

int systemd_analyze_recognize(const struct text *text);
void systemd_analyze_read(struct import *in);
void systemd_analyze_unwrap(struct text *text);

int systemd_plot_recognize(const struct text *text);
void systemd_plot_read(struct import *in);

int time_recognize(const struct text *text);
void time_read(struct import *in);
void time_unwrap(struct text *text);

int hyperfine_recognize(const struct text *text);
void hyperfine_read(struct import *in);
void hyperfine_unwrap(struct text *text);

int fio_recognize(const struct text *text);
void fio_read(struct import *in);

int ioping_recognize(const struct text *text);
void ioping_read(struct import *in);
void ioping_unwrap(struct text *text);

int phoronix_recognize(const struct text *text);
void phoronix_read(struct import *in);

int bootchart_recognize(const struct text *text);
void bootchart_read(struct import *in);

int grabserial_recognize(const struct text *text);
void grabserial_read(struct import *in);
void grabserial_unwrap(struct text *text);

int journal_recognize(const struct text *text);
void journal_read(struct import *in);
void journal_unwrap(struct text *text);

int dmesg_recognize(const struct text *text);
void dmesg_read(struct import *in);
void dmesg_unwrap(struct text *text);
