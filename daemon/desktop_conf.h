/* daemon/desktop_conf.h - which windows make a desktop, from bootlap.conf
 *
 *   [desktop]
 *   window = class=XTerm count=3
 *   window = class=firefox title="*Mozilla Firefox"
 *
 * Each line names windows by shell patterns of class, instance and title; all that are given have
 * to fit. Values with blanks stand in double quotes. Without any line, the first window that a
 * desktop shows is meant. Other sections of the file belong to others.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "record/fault.h"

#define DESKTOP_WINDOWS_MAX 16
#define DESKTOP_COUNT_MAX 64

struct desktop_window {
        char *class, *instance, *title; /* patterns; NULL: any */
        unsigned count;                 /* so many of them; at least 1 */
};

struct desktop_conf {
        struct desktop_window windows[DESKTOP_WINDOWS_MAX];
        size_t n_windows;
};
#define DESKTOP_CONF_NULL ((struct desktop_conf){ .n_windows = 0 })

/** desktop_conf_path() - $BOOTLAP_CONF, else SYSCONFDIR/bootlap/bootlap.conf */
const char *desktop_conf_path(void);

/**
 * desktop_conf_read() - read @path into @c, which is DESKTOP_CONF_NULL
 *
 * Return: 0, also without such a file; -EINVAL with "FILE:LINE: reason", and what stands in the
 * other lines read; another negative errno.
 */
int desktop_conf_read(struct desktop_conf *c, const char *path, struct fault *fault);
void desktop_conf_done(struct desktop_conf *c);

/** desktop_window_parse() - one line's value; 0, -EINVAL with the reason, -ENOMEM */
int desktop_window_parse(const char *value, struct desktop_window *ret, struct fault *fault);
void desktop_window_done(struct desktop_window *w);

/** desktop_window_fits() - texts that a window does not have are NULL or "" */
bool desktop_window_fits(const struct desktop_window *w, const char *class, const char *instance,
                         const char *title);

/** desktop_window_text() - "class=XTerm count=3", for messages; cut to @size */
void desktop_window_text(const struct desktop_window *w, char *ret, size_t size);
