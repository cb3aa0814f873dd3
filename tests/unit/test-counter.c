/* The time before the kernel from two readings of the counter, and when it is not believed */
#include "tests/test.h"
#include <string.h>
#include "record/clock.h"
#include "witness/counter.h"

/* A counter of 2 GHz that was reset 8.2 s before the kernel's start, read 100 s and 101 s after it
 */
static const struct counter_reading first = { true, UINT64_C(216400000000),
                                              100 * (int64_t) NS_PER_S, 200 };
static const struct counter_reading last = { true, UINT64_C(218400000000), 101 * (int64_t) NS_PER_S,
                                             200 };

static void arithmetic(void **state)
{
        struct counter_rate rate = counter_measure_rate(&first, &last);
        int64_t error_us;

        (void) state;
        assert_true(rate.hz > 1999999999.0 && rate.hz < 2000000001.0);
        assert_int_equal(counter_span_us(&last, rate, &error_us), 8200000);
        /* 200 ns in 1 s, drawn out over 109.2 s */
        assert_true(error_us >= 21 && error_us <= 24);
}

static void the_kernels_own_rate(void **state)
{
        struct counter_rate measured = { .hz = 2445418000, .error = 5e-6 }, rate;

        (void) state;
        rate = counter_choose_rate(measured, 2445422);
        assert_true(rate.hz == 2445422000.0);
        assert_true(rate.error < 1e-6);
        rate = counter_choose_rate(measured, 2445500); /* does not fit: another counter's */
        assert_true(rate.hz == measured.hz);
        rate = counter_choose_rate(measured, 0);
        assert_true(rate.hz == measured.hz);
}

static const struct counter_facts cold = {
        .elapsed_us = 8200000, .hz = 2e9, .stated_hz = 2e9, .earlier_end_before_us = -1
};

static int judge(const struct counter_facts *f, char reason[160])
{
        reason[0] = '\0';
        return counter_judge(f, reason, 160);
}

static void judgements(void **state)
{
        struct counter_facts f = cold;
        char reason[160];

        (void) state;
        assert_int_equal(judge(&f, reason), 0);
        assert_string_equal(reason, "");
        f.earlier_end_before_us = 3600LL * US_PER_S; /* switched on an hour after the last boot */
        assert_int_equal(judge(&f, reason), 0);

        f = cold;
        f.elapsed_us = 1702000000;
        assert_int_equal(judge(&f, reason), -ERANGE);
        assert_non_null(strstr(reason, "1702 s before the kernel"));
        f = cold;
        f.elapsed_us = 37300000; /* a short boot before, and nothing odd about the length alone */
        f.earlier_end_before_us = 6 * US_PER_S;
        assert_int_equal(judge(&f, reason), -ERANGE);
        assert_non_null(strstr(reason, "warm reboot"));
        f = cold;
        f.elapsed_us = -120000;
        f.has_hypervisor = true;
        assert_int_equal(judge(&f, reason), -ERANGE);
        assert_non_null(strstr(reason, "hypervisor"));
        f = cold;
        f.slept_us = 60 * US_PER_S;
        assert_int_equal(judge(&f, reason), -ERANGE);
        assert_non_null(strstr(reason, "slept for 60 s"));
        f = cold;
        f.was_kexec = true;
        assert_int_equal(judge(&f, reason), -ERANGE);
        assert_non_null(strstr(reason, "kexec"));
        f = cold;
        f.hz = 2.4e9;
        assert_int_equal(judge(&f, reason), -ERANGE);
        assert_non_null(strstr(reason, "scaled"));
        f.stated_hz = 0; /* the CPU does not say: nothing to compare */
        assert_int_equal(judge(&f, reason), 0);
}

static void the_real_counter_runs_on(void **state)
{
        struct counter_reading a = counter_read(), b = counter_read();

        (void) state;
        assert_int_equal(a.is_read, b.is_read);
        if (!a.is_read)
                return; /* a CPU without one; nothing is claimed of it */
        assert_true(b.ticks > a.ticks);
        assert_true(b.raw_ns > a.raw_ns);
        assert_true(a.width_ns >= 0);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(arithmetic),
                cmocka_unit_test(the_kernels_own_rate),
                cmocka_unit_test(judgements),
                cmocka_unit_test(the_real_counter_runs_on),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
