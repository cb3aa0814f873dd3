/* tests/unit/test-response.c - the table of a response, and the loads it is taken under */
#include "tests/test.h"
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "analyze/idle.h"
#include "collectors/memory_room.h"
#include "collectors/response_rows.h"
#include "tests/tree.h"

#define MIB (UINT64_C(1) << 20)

static double value(const struct sample *s, const char *field)
{
        const struct sample_value *v = sample_find(s, field);

        assert_non_null(v);
        return v->value;
}

static void rows_and_ratios(void **state)
{
        static const double idle[] = { 2, 1, 3, 2 }, busy[] = { 4, 10, 4, 6 };
        CLEANUP(response_rows_done) struct response_rows t = { .rows = { { .points_ms = NULL } } };
        CLEANUP(sample_done) struct sample s = SAMPLE_NULL;
        int k = response_load_find("cpuload");

        (void) state;
        assert_true(k > 0);
        assert_int_equal(response_load_find("noload"), -1);
        assert_int_equal(response_load_find(""), -1);
        assert_int_equal(response_rows_add(&t, 0, idle, 4), 0);
        assert_int_equal(response_rows_add(&t, (size_t) k, busy, 4), 0);
        assert_false(response_rows_has(&t, 1));
        assert_int_equal(sample_init(&s, "response.cpuload", 1), 0);
        s.details = json_object();
        assert_int_equal(response_rows_enter(&t, (size_t) k, &s), 0);
        assert_true(value(&s, "low") == 4 && value(&s, "high") == 10);
        assert_true(value(&s, "median") == 5 && value(&s, "average") == 6);
        assert_true(fabs(value(&s, "sd") - sqrt(8)) < 1e-12); /* ms, as all else */
        assert_true(value(&s, "ratio") == 3 && value(&s, "ratio_median") == 2.5);
        assert_int_equal(json_array_size(json_object_get(s.details, "points_ms")), 4);
        /* in the order in which they came */
        assert_true(json_real_value(json_array_get(json_object_get(s.details, "points_ms"), 1)) ==
                    10);
}

static void idle_before_and_after(void **state)
{
        const struct spread a = { .low = 1, .median = 2, .high = 3, .average = 2 };
        const struct spread inside = { .low = 1.5, .median = 2.5, .high = 4, .average = 2.5 };
        const struct spread above = { .low = 2.5, .median = 2.9, .high = 4, .average = 3 };
        const struct spread beyond = { .low = 4, .median = 5, .high = 6, .average = 5 };

        (void) state;
        assert_true(response_idle_agrees(&a, &inside));
        assert_false(response_idle_agrees(&a, &above)); /* ours is below all of theirs */
        assert_false(response_idle_agrees(&a, &beyond));
        assert_false(response_is_suspect(&a, &inside));
        assert_true(response_is_suspect(&inside, &a));
        /* by one of the two alone */
        assert_true(response_is_suspect(&a, &(struct spread){ .average = 9, .median = 1.9 }));
        assert_true(response_is_suspect(&a, &(struct spread){ .average = 1.9, .median = 9 }));
        assert_false(response_is_suspect(&a, &(struct spread){ .average = 1.99, .median = 1.99 }));
}

static void names_of_samples(void **state)
{
        struct response_name n, m;

        (void) state;
        assert_true(response_name_parse("response-window.8ctx-mem.ssd", &n));
        assert_int_equal(n.n_task, 6);
        assert_memory_equal(n.load, "8ctx-mem", n.n_load);
        assert_string_equal(n.name, ".ssd");
        assert_true(response_name_parse("response.noload", &m));
        assert_int_equal(m.n_task, 0);
        assert_string_equal(m.name, "");
        assert_false(response_name_is_alike(&n, &m));
        assert_false(response_name_parse("response", &n));
        assert_false(response_name_parse("response.", &n));
        assert_false(response_name_parse("responses.noload", &n));
        assert_false(response_name_parse("response-window", &n));
}

static void memory_of_a_load(void **state)
{
        (void) state;
        /* half of the total, in steps */
        assert_int_equal(memory_room_for_load(&(struct memory_room){ 4000 * MIB, 3900 * MIB }),
                         1984 * MIB);
        /* three quarters of what is available */
        assert_int_equal(memory_room_for_load(&(struct memory_room){ 4000 * MIB, 1000 * MIB }),
                         704 * MIB);
        assert_int_equal(memory_room_for_load(&(struct memory_room){ 4000 * MIB, 80 * MIB }), 0);
        assert_true(memory_room_is_low(&(struct memory_room){ 4000 * MIB, 199 * MIB }));
        assert_false(memory_room_is_low(&(struct memory_room){ 4000 * MIB, 201 * MIB }));
}

#define MEMINFO "MemTotal:  4096000 kB\nMemFree: 1 kB\nMemAvailable:  2048000 kB\n"

static const struct room_case {
        const char *what, *tree[11]; /* path, content, ... */
        uint64_t total_bytes, available_bytes;
} room_cases[] = {
        { "no cgroup", { "proc/meminfo", MEMINFO }, 4096000 * 1024ull, 2048000 * 1024ull },
        { "version 2, with a limit above our own",
          { "proc/meminfo", MEMINFO, "proc/self/cgroup", "0::/user.slice/a\n",
            "sys/fs/cgroup/user.slice/memory.max", "1073741824\n",
            "sys/fs/cgroup/user.slice/memory.current", "536870912\n",
            "sys/fs/cgroup/user.slice/a/memory.max", "max\n" },
          1073741824,
          536870912 },
        { "version 1, without a limit",
          { "proc/meminfo", MEMINFO, "proc/self/cgroup", "4:memory:/\n1:cpu:/\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n" },
          4096000 * 1024ull,
          2048000 * 1024ull },
        { "version 1, used up",
          { "proc/meminfo", MEMINFO, "proc/self/cgroup", "4:memory:/x\n",
            "sys/fs/cgroup/memory/x/memory.limit_in_bytes", "1000000\n",
            "sys/fs/cgroup/memory/x/memory.usage_in_bytes", "1000001\n" },
          1000000,
          0 },
};

static void room(void **state)
{
        const struct room_case *c = *state;
        CLEANUP(tree_remove) struct tree tree = tree_make();
        struct memory_room m;

        assert_true(tree.fd >= 0);
        for (size_t i = 0; c->tree[i]; i += 2)
                assert_int_equal(tree_put(tree.fd, c->tree[i], c->tree[i + 1]), 0);
        assert_int_equal(memory_room_now(tree.fd, &m, NULL), 0);
        assert_int_equal(m.total_bytes, c->total_bytes);
        assert_int_equal(m.available_bytes, c->available_bytes);
}

static void room_that_cannot_be_told(void **state)
{
        CLEANUP(tree_remove) struct tree tree = tree_make();
        struct fault fault = FAULT_NULL;
        struct memory_room m;

        (void) state;
        assert_true(tree.fd >= 0);
        assert_true(memory_room_now(tree.fd, &m, &fault) < 0);
        assert_int_equal(tree_put(tree.fd, "proc/meminfo", "MemTotal: much\n"), 0);
        assert_int_equal(memory_room_now(tree.fd, &m, &fault), -EINVAL);
        assert_string_equal(fault.text, "/proc/meminfo does not tell");
}

static const enum load_kind kinds[] = { LOAD_SMALL_WRITE, LOAD_LARGE_WRITE, LOAD_READ,    LOAD_CPU,
                                        LOAD_SPAWN,       LOAD_8_MEMORY,    LOAD_2_MEMORY };

static struct load_plan plan(enum load_kind kind)
{
        return (struct load_plan){ .kind = kind,
                                   .dir = "/tmp",
                                   .file_bytes = 2 * MIB,
                                   .memory_bytes = 16 * MIB,
                                   .n_processors = 2,
                                   .deadline_s = 300 };
}

/* Each comes to work, stays at it, and is gone when it is told. */
static void loads_come_and_go(void **state)
{
        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(kinds); i++) {
                struct load_plan p = plan(kinds[i]);
                struct load l = LOAD_NULL;
                struct fault fault = FAULT_NULL;
                pid_t first;

                assert_int_equal(load_start(&l, &p, &fault), 0);
                assert_int_equal(l.n_workers, load_processes(kinds[i], 2));
                assert_int_equal(load_check(&l, &fault), 0);
                first = l.workers[0];
                assert_int_equal(kill(first, 0), 0);
                load_stop(&l);
                assert_int_equal(kill(first, 0), -1);
                load_stop(&l);
        }
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
        assert_int_equal(errno, ECHILD);
}

static void a_load_that_is_killed(void **state)
{
        struct load_plan p = plan(LOAD_CPU);
        struct load l = LOAD_NULL;
        struct fault fault = FAULT_NULL;
        siginfo_t ended;

        (void) state;
        assert_int_equal(load_start(&l, &p, &fault), 0);
        (void) kill(l.workers[1], SIGKILL);
        assert_int_equal(waitid(P_PID, (id_t) l.workers[1], &ended, WEXITED | WNOWAIT), 0);
        assert_int_equal(load_check(&l, &fault), -EIO);
        assert_string_equal(fault.text, "one of the load's processes was killed by signal 9");
        load_stop(&l);
}

static void a_load_past_its_deadline(void **state)
{
        struct load_plan p = plan(LOAD_CPU);
        struct load l = LOAD_NULL;
        struct fault fault = FAULT_NULL;
        siginfo_t ended;

        (void) state;
        p.deadline_s = 1;
        assert_int_equal(load_start(&l, &p, &fault), 0);
        assert_int_equal(waitid(P_PID, (id_t) l.workers[0], &ended, WEXITED | WNOWAIT), 0);
        assert_int_equal(load_check(&l, &fault), -EIO);
        assert_string_equal(fault.text, "the load ran past its deadline");
        load_stop(&l);
}

static void loads_that_cannot(void **state)
{
        struct load_plan p = plan(LOAD_LARGE_WRITE);
        struct load l = LOAD_NULL;
        struct fault fault = FAULT_NULL;
        struct rlimit before, none = { 0, 0 };

        (void) state;
        p.dir = "/nonexistent";
        assert_int_equal(load_start(&l, &p, &fault), -ENOENT);
        assert_string_equal(fault.text, "the load: No such file or directory");
        p.dir = "/tmp";
        assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
        none.rlim_max = before.rlim_max;
        (void) signal(SIGXFSZ, SIG_IGN);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
        assert_int_equal(load_start(&l, &p, &fault), -EFBIG);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        /* more than the machine can map: the load alone fails */
        p = plan(LOAD_2_MEMORY);
        p.memory_bytes = UINT64_C(1) << 48;
        assert_int_equal(load_start(&l, &p, &fault), -ENOMEM);
        assert_string_equal(fault.text, "no memory for the load");
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

int main(void)
{
        struct CMUnitTest tests[ELEMENTSOF(room_cases) + 9] = {
                cmocka_unit_test(rows_and_ratios),
                cmocka_unit_test(idle_before_and_after),
                cmocka_unit_test(names_of_samples),
                cmocka_unit_test(memory_of_a_load),
                cmocka_unit_test(room_that_cannot_be_told),
                cmocka_unit_test(loads_come_and_go),
                cmocka_unit_test(a_load_that_is_killed),
                cmocka_unit_test(a_load_past_its_deadline),
                cmocka_unit_test(loads_that_cannot),
        };

        for (size_t i = 0; i < ELEMENTSOF(room_cases); i++)
                tests[9 + i] = (struct CMUnitTest){ .name = room_cases[i].what,
                                                    .test_func = room,
                                                    .initial_state = (void *) &room_cases[i] };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
