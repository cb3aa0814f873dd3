/* analyze/boot_view.h - one boot as a person reads it; shared by show, measure and quickstart */
#pragma once
#include <stdio.h>
#include <jansson.h>
#include "record/record.h"

/** boot_view_print() - the tables of one boot; @r has been through record_sort() */
int boot_view_print(const struct record *r, FILE *f, bool color);

/** boot_view_print_samples() - what was measured, a line each value; nothing for no sample */
int boot_view_print_samples(const struct sample *samples, size_t n_samples, FILE *f, bool color);

/** boot_view_json() - the record with its derived "phases" and "total" added; old *ret is released
 */
int boot_view_json(const struct record *r, json_t **ret);
