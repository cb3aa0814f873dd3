/* machine/text.h - a string that grows; running out of memory sticks in @error */
#pragma once
#include <stddef.h>

struct text {
        char *bytes; /* NUL-terminated after the first text_put() */
        size_t n_bytes;
        int error; /* 0 or -ENOMEM */
};
#define TEXT_NULL ((struct text){ .bytes = NULL })

void text_put(struct text *t, const char *bytes, size_t n_bytes);
void text_put_string(struct text *t, const char *string);

/** text_take() - the string, which is the caller's; NULL when out of memory. Leaves TEXT_NULL. */
char *text_take(struct text *t);
