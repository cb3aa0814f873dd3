/* analyze/verdict_words.h - a row of a comparison as sentences for somebody who is no statistician
 */
#pragma once
#include <stdio.h>
#include "analyze/compare.h"

/** verdict_word() - for a table: "faster", "equivalent", "faster every boot", "cannot tell" */
const char *verdict_word(const struct row *r);

/** verdict_sentence() - what B is compared with A, and how sure that is; one or two sentences */
void verdict_sentence(const struct comparison *c, const struct row *r, FILE *f);

/** verdict_needs() - what would make a claim possible; prints nothing where there is one */
void verdict_needs(const struct comparison *c, const struct row *r, FILE *f);
