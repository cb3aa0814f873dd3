/* analyze/left_out.c - see left_out.h */
#include "analyze/left_out.h"
#include <stdbool.h>
#include "analyze/prose.h"
#include "record/json.h"

static int one_or_more(size_t n, const char *one, const char *more, const char *rest, char **ret)
{
        *ret = NULL;
        if (n == 0 || asprintf(ret, "%zu %s%s", n, n == 1 ? one : more, rest) >= 0)
                return 0;
        *ret = NULL;
        return -ENOMEM;
}

int left_out_incomplete(const struct boot_set *s, char **ret)
{
        return one_or_more(s->n_incomplete, "incomplete boot is", "incomplete boots are",
                           " left out.", ret);
}

int left_out_unreadable(const struct boot_set *s, char **ret)
{
        CLEANUP(freep) char *text = NULL;

        if (one_or_more(s->n_unreadable, "file could not be read and is not counted",
                        "files could not be read and are not counted", "", &text) < 0)
                return -ENOMEM;
        *ret = NULL;
        if (text && asprintf(ret, "%s; the first: %s", text,
                             s->unreadable ? s->unreadable->text : "unknown") < 0) {
                *ret = NULL;
                return -ENOMEM;
        }
        return 0;
}

/* print_set() - @letter before each sentence, and an empty line before the first of all */
static int print_set(const struct boot_set *s, const char *letter, bool *any, FILE *f)
{
        CLEANUP(freep) char *incomplete = NULL, *unreadable = NULL;
        char *texts[2];
        int r = 0;

        if (left_out_incomplete(s, &incomplete) < 0 || left_out_unreadable(s, &unreadable) < 0)
                return -ENOMEM;
        texts[0] = incomplete;
        texts[1] = unreadable;
        for (size_t i = 0; i < ELEMENTSOF(texts) && r == 0; i++) {
                struct prose p;

                if (!texts[i])
                        continue;
                if (!prose_open(&p))
                        return -ENOMEM;
                if (!*any)
                        (void) fputc('\n', f);
                *any = true;
                (void) fprintf(p.f, "%s%s", letter, texts[i]);
                r = prose_print(&p, f);
        }
        return r;
}

int left_out_print(const struct boot_set *s, FILE *f)
{
        bool any = false;

        return print_set(s, "", &any, f);
}

int left_out_print_pair(const struct boot_set *a, const struct boot_set *b, FILE *f)
{
        bool any = false;
        int r = print_set(a, "A: ", &any, f);

        return r < 0 ? r : print_set(b, "B: ", &any, f);
}

int left_out_json(json_t *j, const struct boot_set *s)
{
        if (json_put(j, "n_incomplete", json_integer((json_int_t) s->n_incomplete)) < 0 ||
            json_put(j, "n_unreadable", json_integer((json_int_t) s->n_unreadable)) < 0)
                return -ENOMEM;
        return s->n_unreadable > 0 && s->unreadable
                       ? json_put(j, "unreadable", json_text(s->unreadable->text))
                       : 0;
}

int left_out_json_pair(json_t *j, const struct boot_set *a, const struct boot_set *b)
{
        json_t *in_a = json_object(), *in_b = json_object();
        int r = json_put(j, "left_out_a", in_a);

        if (json_put(j, "left_out_b", in_b) < 0 || r < 0)
                return -ENOMEM;
        return left_out_json(in_a, a) < 0 || left_out_json(in_b, b) < 0 ? -ENOMEM : 0;
}
