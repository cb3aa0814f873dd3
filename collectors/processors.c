/* collectors/processors.c - sched_getaffinity() on machines of any size */
#include "collectors/processors.h"
#include <sched.h>

unsigned processors_we_may_use(void)
{
        /* The kernel refuses a set smaller than its own: 8192 is the most that it can be built for.
         */
        enum { MOST = 8192 };
        cpu_set_t *set = CPU_ALLOC(MOST);
        int n = 0;

        if (set && sched_getaffinity(0, CPU_ALLOC_SIZE(MOST), set) == 0)
                n = CPU_COUNT_S(CPU_ALLOC_SIZE(MOST), set);
        CPU_FREE(set);
        return n > 0 ? (unsigned) n : 1;
}
