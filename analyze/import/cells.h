/* analyze/import/cells.h - rows of tables whose cells are parted by '|' */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#define CELLS_MAX 16
#define CELL_MAX_BYTES 96

/** cells_split() - the cells of "| a | b |", trimmed. Return: how many, 0 when it is no row. */
size_t cells_split(const char *line, char ret[CELLS_MAX][CELL_MAX_BYTES]);

/** cells_is_rule() - "|---|:--:|" */
bool cells_is_rule(const char *line);
