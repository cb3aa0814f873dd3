/* analyze/import/unixbench_names.h - UnixBench's tests by its own short names */
#pragma once
#include <stddef.h>

/**
 * unixbench_test() - "Shell Scripts (8 concurrent)" as "shell8", in UnixBench's own words
 *
 * A name that is not known becomes its letters and digits, joined by '-'.
 */
void unixbench_test(const char *name, char *ret, size_t size);

/** unixbench_unit() - the unit in which the test called @test counts, which index tables leave out
 */
const char *unixbench_unit(const char *test);
