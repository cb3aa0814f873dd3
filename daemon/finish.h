/* daemon/finish.h - from the end of watching to the stored record */
#pragma once
#include "daemon/daemon.h"

/**
 * finish() - make this boot's record, run the plan, and make records of boots that were cut off
 *
 * The record is stored before the first collector runs and after each of them. Collectors run only
 * when the boot has settled: what is measured beside an unfinished boot compares with nothing.
 * Return: 0 when the record is stored; a negative errno with the reason.
 */
int finish(struct daemon *d, const char *store_dir, struct fault *fault);
