/* analyze/paragraph.h - prose in the views: wrapped at the width of the tables, a heading in bold
 */
#pragma once
#include <stdbool.h>
#include <stdio.h>

/** paragraph_print() - @text wrapped at blanks; -ENOMEM, -EIO */
int paragraph_print(FILE *f, const char *text);

/** paragraph_heading() - an empty line, then @text likewise, bold with @color */
void paragraph_heading(FILE *f, const char *text, bool color);
