/* tests/unit/test-coldcache.c - when is a cache called cold? */
#include "tests/test.h"
#include <string.h>
#include "collectors/coldcache.h"

#define NEEDED 1000000

static const struct verdict_case {
        const char *what;
        enum cache_dropped dropped;
        uint64_t pages, resident;
        int64_t storage, device; /* bytes read; -1 not known */
        const char *want;
} cases[] = {
        { "all dropped, nothing resident, all read", CACHE_ALL_DROPPED, 1000, 0, NEEDED, NEEDED,
          "cold" },
        { "contents dropped", CACHE_DATA_DROPPED, 1000, 0, NEEDED, NEEDED, "cold-data-only" },
        { "1 % may be resident", CACHE_ALL_DROPPED, 1000, 10, NEEDED, NEEDED, "cold" },
        { "more may not", CACHE_ALL_DROPPED, 1000, 11, NEEDED, NEEDED, "unknown" },
        { "dropped, and there all the same (tmpfs)", CACHE_ALL_DROPPED, 1000, 1000, 0, -1, "warm" },
        { "not dropped, all resident", CACHE_NOT_DROPPED, 1000, 990, 0, 0, "warm" },
        { "not dropped, none resident: folders may be", CACHE_NOT_DROPPED, 1000, 0, NEEDED, NEEDED,
          "unknown" },
        { "nothing could be asked about", CACHE_ALL_DROPPED, 0, 0, NEEDED, NEEDED, "unknown" },
        { "read from somewhere else than the drive (a loop device's file)", CACHE_ALL_DROPPED, 1000,
          0, NEEDED, 1000, "unknown" },
        { "nothing was fetched by us", CACHE_ALL_DROPPED, 1000, 0, 1000, NEEDED, "unknown" },
        { "compressed to a half", CACHE_ALL_DROPPED, 1000, 0, NEEDED / 2, NEEDED / 2, "cold" },
        { "no counters at all", CACHE_ALL_DROPPED, 1000, 0, -1, -1, "cold" },
};

static void check(void **state)
{
        const struct verdict_case *c = *state;
        const struct coldcache cold = { .dropped = c->dropped,
                                        .pages = c->pages,
                                        .resident_pages = c->resident };
        const struct usage used = {
                .has_io = c->storage >= 0,
                .storage_read_bytes = (uint64_t) c->storage,
                .has_device = c->device >= 0,
                .device = { .read_bytes = (uint64_t) c->device },
        };

        assert_string_equal(cache_state_word(coldcache_judge(&cold, &used, NEEDED)), c->want);
}

int main(void)
{
        struct CMUnitTest tests[ELEMENTSOF(cases)];

        for (size_t i = 0; i < ELEMENTSOF(cases); i++)
                tests[i] = (struct CMUnitTest){ .name = cases[i].what,
                                                .test_func = check,
                                                .initial_state = (void *) (uintptr_t) &cases[i] };
        return _cmocka_run_group_tests("coldcache", tests, ELEMENTSOF(tests), NULL, NULL);
}
