/* analyze/prose.h - a paragraph that is written with stdio and then wrapped */
#pragma once
#include <stdbool.h>
#include <stdio.h>

struct prose {
        char *text;
        size_t size;
        FILE *f; /* write here */
};

/** prose_open() - false when out of memory */
bool prose_open(struct prose *p);

/** prose_print() - wrap what was written into @f, and release it; -ENOMEM, -EIO */
int prose_print(struct prose *p, FILE *f);
