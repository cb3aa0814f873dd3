/* tests/unit/test-questions.c - waits for a person, told from marks */
#include "tests/test.h"
#include <string.h>
#include "record/phases.h"
#include "record/questions.h"

struct step {
        const char *mark, *name;
        int64_t at_us;
};

static const struct case_ {
        const char *what;
        struct step steps[8];
        int64_t now_us, want_machine_us;
        bool want_open;
        size_t want_waits;
} cases[] = {
        { "one disk",
          { { "unlock.prompt", "a", 10 }, { "unlock.answered", "a", 30 } },
          100,
          80,
          false,
          1 },
        { "two tries: what lies between is the machine's",
          { { "unlock.prompt", "a", 10 },
            { "unlock.answered", "a", 30 },
            { "unlock.prompt", "a", 35 },
            { "unlock.answered", "a", 45 } },
          100,
          70,
          false,
          2 },
        { "two disks at once are subtracted once",
          { { "unlock.prompt", "a", 10 },
            { "unlock.prompt", "b", 20 },
            { "unlock.answered", "a", 30 },
            { "unlock.answered", "b", 40 } },
          100,
          70,
          false,
          2 },
        { "the clock stands while somebody is awaited",
          { { "login.prompt", ":0", 10 } },
          100,
          10,
          true,
          0 },
        { "a second witness of one question",
          { { "unlock.prompt", "a", 10 },
            { "unlock.prompt", "a", 11 },
            { "unlock.answered", "a", 30 },
            { "unlock.answered", "a", 31 } },
          100,
          80,
          false,
          1 },
        { "a witness that comes late with an early prompt",
          { { "unlock.prompt", "a", 10 },
            { "unlock.answered", "a", 30 },
            { "unlock.prompt", "a", 12 } },
          100,
          80,
          false,
          1 },
        { "an answer to another disk",
          { { "unlock.prompt", "a", 10 }, { "unlock.answered", "b", 30 } },
          100,
          10,
          true,
          0 },
        { "an answer without a name",
          { { "unlock.prompt", "a", 10 }, { "unlock.answered", NULL, 30 } },
          100,
          80,
          false,
          1 },
        { "a session answers the greeter",
          { { "login.prompt", ":0 greeter", 10 }, { "login.answered", "c2", 30 } },
          100,
          80,
          false,
          1 },
        { "a greeter's prompt that is known when it has been answered",
          { { "login.answered", "c2", 30 }, { "login.prompt", ":0 greeter", 10 } },
          100,
          80,
          false,
          1 },
        { "the greeter comes back",
          { { "login.prompt", ":0 greeter", 10 },
            { "login.answered", "c2", 30 },
            { "login.prompt", ":0 greeter", 60 } },
          100,
          40,
          true,
          1 },
        { "an answer before its question",
          { { "unlock.answered", "a", 5 },
            { "unlock.prompt", "a", 10 },
            { "unlock.answered", "a", 9 } },
          100,
          10,
          true,
          0 },
        { "an answer that nobody saw",
          { { "unlock.prompt", "a", 10 }, { "root.mounted", NULL, 50 } },
          100,
          100,
          false,
          0 },
        { "a login is not answered by a mount",
          { { "login.prompt", NULL, 10 }, { "root.mounted", NULL, 50 } },
          100,
          10,
          true,
          0 },
        { "other marks",
          { { "initrd.start", NULL, 10 },
            { "unlock.mapped", "a", 20 },
            { "unlocked.prompt", "a", 20 },
            { "unlock.prompted", "a", 20 } },
          100,
          100,
          false,
          0 },
        { "asked before and after now",
          { { "menu.prompt", NULL, -50 },
            { "menu.answered", NULL, 20 },
            { "login.prompt", NULL, 90 },
            { "login.answered", NULL, 120 } },
          100,
          70,
          false,
          2 },
};

static void check(void **state)
{
        const struct case_ *c = *state;
        CLEANUP(questions_done) struct questions q = QUESTIONS_NULL;
        CLEANUP(record_freep) struct record *r = record_new();

        for (const struct step *s = c->steps; s < c->steps + ELEMENTSOF(c->steps) && s->mark; s++)
                assert_int_equal(questions_mark(&q, s->mark, s->name, s->at_us), 0);
        assert_int_equal(questions_machine_us(&q, c->now_us), c->want_machine_us);
        assert_int_equal(questions_is_open(&q), c->want_open);
        assert_int_equal(questions_enter(&q, r), 0);
        assert_int_equal(r->n_waits, c->want_waits);
        /* what the record derives from them later is the same figure */
        if (!c->want_open)
                assert_int_equal(span_between(r, 0, c->now_us).machine_us, c->want_machine_us);
}

int main(void)
{
        struct CMUnitTest tests[ELEMENTSOF(cases)];

        for (size_t i = 0; i < ELEMENTSOF(cases); i++)
                tests[i] = (struct CMUnitTest){ .name = cases[i].what,
                                                .test_func = check,
                                                .initial_state = (void *) (uintptr_t) &cases[i] };
        return _cmocka_run_group_tests("questions", tests, ELEMENTSOF(cases), NULL, NULL);
}
