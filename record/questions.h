/* record/questions.h - what a person is asked while the machine boots, told from marks
 *
 * "KIND.prompt" opens a question, "KIND.answered" closes it; KIND is menu, unlock or login. Each
 * answer is a wait of its own, so that what the machine does between two tries (deriving a key from
 * a wrong passphrase) counts as the machine's. A question that several witnesses saw is one: while
 * it is open another prompt of it says nothing new, and an answer to no open question neither.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "record/record.h"

struct question {
        const char *kind; /* static */
        char *name;       /* what was asked for ("cryptroot"), or NULL */
        int64_t from_us;
        int64_t to_us; /* valid when answered */
        bool answered;
};

struct questions {
        struct question *question;
        size_t n;
        bool has_login; /* the first answer to a login came at login_us, asked or not */
        int64_t login_us;
};
#define QUESTIONS_NULL ((struct questions){ .question = NULL })

void questions_done(struct questions *q);

/**
 * questions_mark() - one more mark, in the order in which they were made
 * @mark: its name; one that is about no question is passed over
 * @name: whose question (its disk), or NULL: then an answer closes all of its kind. So does any
 *        answer to a login, since the greeter asks and a session of another name is the answer; and
 *        a greeter's prompt may become known when it has been answered.
 *
 * When the root file system is mounted, questions about disks that are still open are dropped: who
 * asked could not see the answer (cryptsetup's own prompt), and a wait of unknown length is none.
 * Return: 0; -ENOMEM.
 */
int questions_mark(struct questions *q, const char *mark, const char *name, int64_t at_us);

/** questions_is_open() - a person is awaited now */
bool questions_is_open(const struct questions *q);

/** questions_machine_us() - [0, @now_us] less the waits in it, one that is still open included */
int64_t questions_machine_us(const struct questions *q, int64_t now_us);

/**
 * questions_enter() - the answered ones as waits of @r, one an answer
 * Return: 0; -ENOMEM.
 */
int questions_enter(const struct questions *q, struct record *r);
