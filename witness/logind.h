/* witness/logind.h - which of logind's sessions is the person's at the screen */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "record/record.h"

struct login_session {
        uint64_t at_us;   /* CLOCK_MONOTONIC; 0 unknown */
        char class[32];   /* "user", "greeter", "manager", "background", ... */
        char service[64]; /* "lightdm-autologin", "sshd", ... */
        char seat[32];    /* "seat0", or "" */
        bool is_remote;
};

/** login_sessions_enter() - the greeter's and the first person's session on seat0, which also ends
 * the wait for that person; 0, -ENOMEM */
int login_sessions_enter(struct record *r, const struct login_session *sessions, size_t n);
