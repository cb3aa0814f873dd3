/* Xorg's logs of a recorded machine */
#include "tests/test.h"
#include <string.h>
#include "tests/tree.h"
#include "witness/witness.h"
#include "witness/xorg_log.h"

static void stamps(void **state)
{
        static const struct {
                const char *line;
                int want;
                int64_t us;
        } cases[] = {
                { "[    18.663] ", 0, 18663000 },
                { "[    18.663] X.Org X Server 1.21.1.7", 0, 18663000 },
                { "[4294967.295] (II)", 0, 4294967295000 },
                { "[     0.000]", 0, 0 },
                { "X.Org X Server 1.21.1.7", -EINVAL, 0 },
                { "[    18.66] short", -EINVAL, 0 },
                { "[    18.6634] long", -EINVAL, 0 },
                { "[   -18.663] ", -EINVAL, 0 },
                { "[ 99999999999999.663] ", -EINVAL, 0 },
                { "[    18.663", -EINVAL, 0 },
                { "", -EINVAL, 0 },
        };

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                int64_t us = 77;

                assert_int_equal(xorg_log_parse_stamp(cases[i].line, &us), cases[i].want);
                assert_int_equal(us, cases[i].want == 0 ? cases[i].us : 77);
        }
}

static struct record *ask(int64_t uptime_us)
{
        CLEANUP(closep) int fd = tree_open("desktop");
        struct witness_context ctx = { .root_fd = fd, .now = { .monotonic_us = uptime_us } };
        struct record *r = record_new();

        assert_true(fd >= 0);
        assert_int_equal(witness_xorg_log.ask(&ctx, r, NULL), 0);
        return r;
}

static void a_server_and_a_users_server(void **state)
{
        CLEANUP(record_freep) struct record *r = ask(3600LL * US_PER_S);
        bool has_first = false, has_second = false;

        (void) state;
        assert_int_equal(r->n_milestones, 2); /* .old, failsafe and a log without stamps are none */
        for (size_t i = 0; i < r->n_milestones; i++) {
                const struct milestone *m = &r->milestones[i];

                assert_string_equal(m->name, "display.exec");
                assert_int_equal(m->best.bound, BOUND_UPPER);
                if (strcmp(m->session, ":0") == 0 && m->best.at_us == 18663000 &&
                    strcmp(m->best.detail, "/var/log/Xorg.0.log") == 0)
                        has_first = true;
                if (strcmp(m->session, ":1") == 0 && m->best.at_us == 45120000 &&
                    strcmp(m->best.detail, "~/.local/share/xorg/Xorg.1.log") == 0)
                        has_second = true; /* the user's name stays out of the record */
        }
        assert_true(has_first && has_second);
}

static void a_log_of_a_longer_boot(void **state)
{
        CLEANUP(record_freep) struct record *r = ask(30 * US_PER_S);

        (void) state;
        assert_int_equal(r->n_milestones, 1); /* :1 started after this boot's present */
        assert_string_equal(r->milestones[0].session, ":0");
}

static void a_log_of_an_earlier_boot(void **state)
{
        CLEANUP(tree_remove) struct tree t = tree_make();
        CLEANUP(record_freep) struct record *r = record_new();
        struct witness_context ctx = { .root_fd = t.fd, .is_live = true, .now = clock_tuple_now() };
        const struct timespec long_ago[2] = { { .tv_sec = 1000000000 }, { .tv_sec = 1000000000 } };

        (void) state;
        assert_int_equal(tree_put(t.fd, "var/log/Xorg.0.log", "[     1.000] x\n"), 0);
        assert_int_equal(tree_put(t.fd, "var/log/Xorg.1.log", "[     1.000] x\n"), 0);
        assert_int_equal(utimensat(t.fd, "var/log/Xorg.0.log", long_ago, 0), 0);
        assert_int_equal(witness_xorg_log.ask(&ctx, r, NULL), 0);
        assert_int_equal(r->n_milestones, 1);
        assert_string_equal(r->milestones[0].session, ":1");
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(stamps),
                cmocka_unit_test(a_server_and_a_users_server),
                cmocka_unit_test(a_log_of_a_longer_boot),
                cmocka_unit_test(a_log_of_an_earlier_boot),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
