/* collectors/coldcache.h - empty the page cache before a workload, and prove that it was empty
 *
 * Root's helper drops everything: data, folders, inodes. An ordinary user can only ask the kernel
 * to forget the contents of files (POSIX_FADV_DONTNEED), so folders and inodes stay: a weaker cold
 * that has its own word. What was reached is checked on a spread of files, and afterwards against
 * what the drives delivered.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <jansson.h>
#include "collectors/privilege.h"
#include "collectors/progress.h"
#include "collectors/usage.h"

enum cache_state { CACHE_UNKNOWN, CACHE_WARM, CACHE_COLD_DATA_ONLY, CACHE_COLD };

enum cache_dropped { CACHE_NOT_DROPPED, CACHE_DATA_DROPPED, CACHE_ALL_DROPPED };

struct coldcache {
        enum cache_dropped dropped;
        int drop_error;                 /* why root's drop did not work, or 0 */
        size_t n_checked;               /* files whose residency is known */
        size_t n_unchecked;             /* files that were picked and could not be asked about */
        uint64_t pages, resident_pages; /* of the checked files, right before the workload */
};

/**
 * coldcache_prepare() - drop what can be dropped of all files below @paths, and check
 * @privilege: the root helper, if there is one
 * @drop: false only checks, for a run on the cache as it is
 *
 * Files that cannot be opened are passed over: the workload will say what is wrong with them.
 * Return: 0 whatever was reached (see coldcache_judge()); -ENOMEM; -EINTR when interrupted.
 */
int coldcache_prepare(const struct privilege *privilege, const char *const *paths, size_t n_paths,
                      bool drop, struct progress *progress, struct coldcache *ret);

/**
 * coldcache_judge() - how cold the workload that just ended really was
 * @needed_bytes: file contents that the workload had to get from the drive, 0 when it cannot tell
 */
enum cache_state coldcache_judge(const struct coldcache *c, const struct usage *used,
                                 uint64_t needed_bytes);

/** cache_state_word() - "cold", "cold-data-only", "warm", "unknown" */
const char *cache_state_word(enum cache_state state);

/** coldcache_to_json() - the numbers behind the word, for a sample's details; NULL without memory
 */
json_t *coldcache_to_json(const struct coldcache *c, uint64_t needed_bytes);
