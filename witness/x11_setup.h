/* witness/x11_setup.h - whether a connection setup reply can have come from an X server
 *
 * libxcb takes any bytes behind a leading 1 for a setup and walks them by the lengths that they
 * claim. So they are added up first.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/** x11_setup_is_sane() - @setup of @n_bytes: version 11, and every screen, depth and visual it
 * announces lies inside it; at least one screen */
bool x11_setup_is_sane(const void *setup, size_t n_bytes);
