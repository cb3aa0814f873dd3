/* analyze/level_change.h - how a factor's change is put: "5400 -> 7200" */
#pragma once

/**
 * level_change() - "@before -> @after"; where that is long, words that both have become "..."
 *
 * A kernel command line of twenty words in which one changed is read for that one. What was left
 * out is in the JSON and in `bootlap config`.
 * Return: text to free; NULL when out of memory.
 */
char *level_change(const char *before, const char *after);
