/* analyze/import/systemd_analyze.h - what systemd's text and its JSON have in common */
#pragma once
#include <stdbool.h>

/** systemd_target_is_milestone() - one of the targets that are milestones of a boot */
bool systemd_target_is_milestone(const char *target);
