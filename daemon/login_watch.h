/* daemon/login_watch.h - when a person has logged in at the screen
 *
 * sd-login tells of sessions from the files that logind keeps in /run/systemd, without any bus.
 * Only sessions of people on seat0 count: those of greeters, ssh, serial lines, cron and user
 * managers are passed over. The exact time is asked of logind later (witness/logind.c).
 */
#pragma once
#include <stdbool.h>
#include <systemd/sd-event.h>
#include "record/fault.h"

struct login_watch;

/**
 * login_watch_start() - call @on_login once, when the first such session is there
 *
 * Return: 0; -ENOENT logind has not started yet: try again; another negative errno.
 */
int login_watch_start(sd_event *event, void (*on_login)(void *userdata), void *userdata,
                      struct login_watch **ret, struct fault *fault);
struct login_watch *login_watch_free(struct login_watch *w);
