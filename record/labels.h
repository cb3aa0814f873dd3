/* record/labels.h - factors that a person gives: for one boot, or from now on
 *
 * A label of one boot stands in that boot's record. When the record is not made yet, and for labels
 * that hold until they are changed, STORE/.labels.json waits for the next record to be made.
 */
#pragma once
#include <jansson.h>
#include "record/record.h"

/**
 * labels_value() - a label's value as typed: a whole decimal integer is a number, all else text
 * Return: a new reference; NULL when out of memory
 */
json_t *labels_value(const char *text);

/** labels_change() - enter @changes into @labels; a null value takes the label away; -ENOMEM */
int labels_change(json_t *labels, json_t *changes);

/**
 * labels_keep() - remember labels for records to come
 * @boot_id: the boot they are for; NULL: until changed
 * @changes: key -> value, null to forget
 *
 * Return: 0; a negative errno with the reason, with what was kept before untouched.
 */
int labels_keep(const char *store_dir, const char *boot_id, json_t *changes, struct fault *fault);

/** labels_settle() - forget what waits for a boot whose record bears it by now */
int labels_settle(const char *store_dir, const char *boot_id, struct fault *fault);

/** labels_kept() - what holds until changed: a new object, empty when there is nothing */
int labels_kept(const char *store_dir, json_t **ret, struct fault *fault);

/**
 * labels_apply() - give a new record the labels that wait for it
 * What was said of this boot goes before what holds until changed, and what the record bears
 * already before both. Return: 0; a negative errno when what was kept cannot be read.
 */
int labels_apply(const char *store_dir, struct record *r, struct fault *fault);
