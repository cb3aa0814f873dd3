/* record/questions.c - see questions.h */
#include "record/questions.h"
#include <string.h>

static const char *const kinds[] = { "menu", "unlock", "login" };

void questions_done(struct questions *q)
{
        for (size_t i = 0; i < q->n; i++)
                free(q->question[i].name);
        free(q->question);
        *q = QUESTIONS_NULL;
}

/* kind_of() - "unlock" for "unlock.prompt" when @event is "prompt"; else NULL */
static const char *kind_of(const char *mark, const char *event)
{
        for (size_t i = 0; i < ELEMENTSOF(kinds); i++) {
                size_t n = strlen(kinds[i]);

                if (strncmp(mark, kinds[i], n) == 0 && mark[n] == '.' &&
                    strcmp(mark + n + 1, event) == 0)
                        return kinds[i];
        }
        return NULL;
}

static bool is_about(const struct question *q, const char *kind, const char *name)
{
        return strcmp(q->kind, kind) == 0 &&
               (!name ? !q->name : q->name && strcmp(q->name, name) == 0);
}

static int ask(struct questions *q, const char *kind, const char *name, int64_t at_us)
{
        struct question *grown, new = { .kind = kind, .from_us = at_us };

        for (size_t i = 0; i < q->n; i++)
                if (is_about(&q->question[i], kind, name) &&
                    (!q->question[i].answered || at_us < q->question[i].to_us))
                        return 0; /* another witness of the same question */
        grown = reallocarray(q->question, q->n + 1, sizeof *grown);
        if (!grown)
                return -ENOMEM;
        q->question = grown;
        if (name && !(new.name = strdup(name)))
                return -ENOMEM;
        if (q->has_login && at_us <= q->login_us && strcmp(kind, "login") == 0) {
                new.answered = true;
                new.to_us = q->login_us;
        }
        q->question[q->n++] = new;
        return 0;
}

static void answer(struct questions *q, const char *kind, const char *name, int64_t at_us)
{
        bool is_login = strcmp(kind, "login") == 0, any = !name || is_login;

        if (is_login && !q->has_login) {
                q->has_login = true;
                q->login_us = at_us;
        }
        for (size_t i = 0; i < q->n; i++) {
                struct question *each = &q->question[i];

                if (each->answered || at_us < each->from_us ||
                    (any ? strcmp(each->kind, kind) != 0 : !is_about(each, kind, name)))
                        continue;
                each->answered = true;
                each->to_us = at_us;
        }
}

static void drop_open(struct questions *q, const char *kind)
{
        size_t kept = 0;

        for (size_t i = 0; i < q->n; i++) {
                if (!q->question[i].answered && strcmp(q->question[i].kind, kind) == 0)
                        free(q->question[i].name);
                else
                        q->question[kept++] = q->question[i];
        }
        q->n = kept;
}

int questions_mark(struct questions *q, const char *mark, const char *name, int64_t at_us)
{
        const char *kind = kind_of(mark, "prompt");

        if (kind)
                return ask(q, kind, name, at_us);
        kind = kind_of(mark, "answered");
        if (kind)
                answer(q, kind, name, at_us);
        else if (strcmp(mark, "root.mounted") == 0)
                drop_open(q, "unlock");
        return 0;
}

bool questions_is_open(const struct questions *q)
{
        for (size_t i = 0; i < q->n; i++)
                if (!q->question[i].answered)
                        return true;
        return false;
}

/* The union is found by going from the end of what is covered to the next question's end; there are
 * a handful of them. */
int64_t questions_machine_us(const struct questions *q, int64_t now_us)
{
        int64_t machine_us = 0, at_us = 0;

        while (at_us < now_us) {
                int64_t next_us = now_us, until_us = at_us;

                for (size_t i = 0; i < q->n; i++) {
                        const struct question *each = &q->question[i];
                        int64_t to_us = each->answered ? each->to_us : now_us;

                        if (each->from_us <= at_us && to_us > until_us)
                                until_us = to_us;
                        if (each->from_us > at_us && each->from_us < next_us)
                                next_us = each->from_us;
                }
                if (until_us > at_us) { /* somebody is awaited here */
                        at_us = until_us;
                        continue;
                }
                machine_us += next_us - at_us;
                at_us = next_us;
        }
        return machine_us;
}

int questions_enter(const struct questions *q, struct record *r)
{
        for (size_t i = 0; i < q->n; i++) {
                const struct question *each = &q->question[i];
                int code = !each->answered ? 0
                                           : record_add_wait(r, each->kind, each->name,
                                                             each->from_us, each->to_us, 1);

                if (code < 0)
                        return code;
        }
        return 0;
}
