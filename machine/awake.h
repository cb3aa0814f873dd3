/* machine/awake.h - whether a drive can be read without waking it */
#pragma once
#include "machine/stack.h"

/**
 * drive_is_awake() - asked without waking it
 * Return: false when it sleeps and also when it cannot be known, with the reason
 */
bool drive_is_awake(const struct machine_context *m, const struct stack_node *n,
                    struct fault *fault);
