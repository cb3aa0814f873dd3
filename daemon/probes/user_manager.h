/* daemon/probes/user_manager.h - when a user's systemd reached a target */
#pragma once
#include <stdint.h>
#include <sys/types.h>
#include "record/fault.h"

/**
 * user_manager_await() - wait until the user manager of @uid has graphical-session.target active
 * @ret_at_us: CLOCK_MONOTONIC, by the manager's own stamp
 *
 * For a process of its own: it takes on that user's rights for good, since what is asked and what
 * answers are the user's, and it waits as long as the manager lives.
 *
 * Return: 0; a negative errno when no manager answers, or not sense, with the reason.
 */
int user_manager_await(uid_t uid, int64_t *ret_at_us, struct fault *fault);
