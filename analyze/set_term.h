/* analyze/set_term.h - the terms of a SET expression, which all have to hold */
#pragma once
#include <stdbool.h>
#include "record/record.h"

enum set_term_kind {
        SET_TERM_ID,     /* value is the beginning of an id */
        SET_TERM_FACTOR, /* key = value, or != with @denied */
        SET_TERM_CAMPAIGN,
        SET_TERM_MACHINE,
        SET_TERM_SINCE,
        SET_TERM_UNTIL,
};

struct set_term {
        enum set_term_kind kind;
        char *key, *value;
        bool denied;
        int64_t realtime_us;
};

struct set_terms {
        struct set_term *term;
        size_t n;
        size_t last; /* the newest that many; 0 for all */
};
#define SET_TERMS_NULL ((struct set_terms){ .term = NULL })

/** set_terms_parse() - Return: 0; -EINVAL with the term in @fault; -ENOMEM */
int set_terms_parse(const char *expression, struct set_terms *ret, struct fault *fault);
void set_terms_done(struct set_terms *t);

bool set_terms_hold(const struct set_terms *t, const struct record *r);
bool set_terms_name_an_id(const struct set_terms *t);
