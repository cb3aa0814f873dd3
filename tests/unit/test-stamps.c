/* tests/unit/test-stamps.c - stamps that a file and an X server gave, and what they leave open */
#include "tests/test.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "daemon/probes/file_time.h"
#include "daemon/probes/lateness.h"
#include "daemon/probes/x11_time.h"
#include "record/clock.h"

#define LATE_NS (5 * (int64_t) NS_PER_S) /* how long we did not get round to it */
#define BOUND_NS (LATE_NS + NS_PER_S)

static char folder[] = "/tmp/bootlap-stamps.XXXXXX";

struct made {
        int64_t before_ns, after_ns; /* it came in between */
        int64_t at_ns, bound_ns;     /* what is known of that */
};

/* make() - a file that is noticed long after, with @t as it was before */
static struct made make(const struct file_time *t, const char *name, enum file_how how)
{
        CLEANUP(freep) char *path = NULL;
        struct made m = { .bound_ns = BOUND_NS };
        int fd;

        assert_true(asprintf(&path, "%s/%s", folder, name) > 0);
        m.before_ns = monotonic_ns();
        fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
        m.after_ns = monotonic_ns();
        assert_true(fd >= 0);
        (void) close(fd);
        m.at_ns = m.after_ns + LATE_NS;
        file_time_stamp(t, path, how, &m.at_ns, &m.bound_ns);
        assert_int_equal(unlink(path), 0);
        return m;
}

static void is_bounded(const struct made *m)
{
        assert_true(m->bound_ns >= 0);
        assert_true(m->at_ns >= m->before_ns);
        assert_true(m->at_ns - m->bound_ns <= m->after_ns);
}

static void files(void **state)
{
        struct file_time t;
        struct made m;

        (void) state;
        file_time_init(&t);
        m = make(&t, "made", FILE_MADE);
        is_bounded(&m);
        assert_true(m.at_ns < m.after_ns + LATE_NS / 5);
        assert_true(m.bound_ns < LATE_NS / 5);
        m = make(&t, "moved", FILE_MOVED); /* its birth may be old: only the end is known better */
        is_bounded(&m);
        assert_true(m.at_ns < m.after_ns + LATE_NS / 5);
        assert_true(m.at_ns - m.bound_ns == m.after_ns + LATE_NS - BOUND_NS);
        m = make(&t, "was-there", FILE_WAS_THERE);
        assert_true(m.at_ns == m.after_ns + LATE_NS && m.bound_ns == BOUND_NS);
}

static void stepped(void **state)
{
        struct file_time t;
        struct made m;

        (void) state;
        file_time_init(&t);
        t.before.least_ns -= NS_PER_S;
        t.before.most_ns -= NS_PER_S;
        m = make(&t, "stepped", FILE_MADE);
        assert_true(m.at_ns == m.after_ns + LATE_NS && m.bound_ns == BOUND_NS);
}

static void x_server(void **state)
{
        const int64_t ms = 1000000, now_ns = 7000 * ms + 123456;
        int64_t at_ns, error_us;

        (void) state;
        x11_time_place(6950, 6000 * ms, now_ns, &at_ns, &error_us); /* read 50 ms late */
        assert_true(at_ns == 6952 * ms);
        assert_int_equal(error_us, 2000);
        x11_time_place(6999, 6000 * ms, now_ns, &at_ns, &error_us); /* at once: never after now */
        assert_true(at_ns == now_ns);
        assert_int_equal(error_us, 1123);
        x11_time_place(5000, 6000 * ms, now_ns, &at_ns, &error_us); /* before it can have been */
        assert_true(at_ns == now_ns);
        assert_int_equal(error_us, 0);
        x11_time_place(7001, 6000 * ms, now_ns, &at_ns, &error_us); /* to come: 49 days ago */
        assert_true(at_ns == now_ns);
        assert_int_equal(error_us, 0);
        /* 2^32 ms is no boundary */
        x11_time_place(UINT32_MAX, 0, (INT64_C(4294967296) + 40) * ms, &at_ns, &error_us);
        assert_true(at_ns == (INT64_C(4294967295) + 2) * ms);
}

static int make_folder(void **state)
{
        (void) state;
        return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
        (void) state;
        return rmdir(folder);
}

int main(void)
{
        const struct CMUnitTest tests[] = { cmocka_unit_test(files), cmocka_unit_test(stepped),
                                            cmocka_unit_test(x_server) };

        return cmocka_run_group_tests_name("stamps", tests, make_folder, remove_folder);
}
