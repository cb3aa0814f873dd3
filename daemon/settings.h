/* daemon/settings.h - what bootlapd is told by /etc/bootlap/bootlap.conf
 *
 *   [daemon]
 *   deadline = 600          seconds of machine time for a boot to settle
 *   desktop = auto          yes: wait for one though no display manager starts it; no: do not
 *
 *   [plan]                  collectors to run when the boot has settled, in this order
 *   maildir = --path /home/me/Maildir
 *   build = --jobs 4
 */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "record/collect.h"
#include "record/fault.h"

#define SETTINGS_FILE SYSCONFDIR "/bootlap/bootlap.conf"
#define SETTINGS_DEADLINE_US ((int64_t) 600 * 1000000)
#define SETTINGS_PLAN_MAX 32

enum settings_desktop { DESKTOP_AUTO, DESKTOP_YES, DESKTOP_NO };

struct settings {
        int64_t deadline_us;
        enum settings_desktop desktop;
        struct collect_job plan[SETTINGS_PLAN_MAX];
        char *commands[SETTINGS_PLAN_MAX]; /* the plan's words lie in them */
        size_t n_plan;
};
#define SETTINGS_NULL ((struct settings){ .deadline_us = SETTINGS_DEADLINE_US })

/**
 * settings_read() - read @path into @s, which holds the defaults
 *
 * Sections and keys that other parts of bootlap read from the same file are passed over, unknown
 * keys of these sections are not. Return: 0, also without such a file; -EINVAL with "FILE:LINE:
 * reason", and what stands in other lines read; another negative errno.
 */
int settings_read(struct settings *s, const char *path, struct fault *fault);
void settings_done(struct settings *s);
