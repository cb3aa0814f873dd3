/* collectors/corpus.h - a maildir that can be made again, anywhere, from a seed */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <jansson.h>
#include "collectors/progress.h"
#include "record/fault.h"

/* Raised whenever the same seed would give other bytes than before. */
#define CORPUS_LAW 1
#define CORPUS_MARKER "bootlap-corpus.json"
#define CORPUS_DEFAULT_COUNT 50000
#define CORPUS_MAX_COUNT 10000000

struct corpus_plan {
        uint64_t seed;
        uint32_t count;
        bool aged; /* the same messages, laid out as years of deliveries and deletions leave them */
};

struct corpus_totals {
        uint32_t n_new, n_cur;
        uint64_t bytes;
};

/**
 * corpus_make() - make the maildir @path of @plan
 *
 * @path is created, or is an empty folder. On any failure, a full disk and an interruption
 * (collectors/interrupt.h) included, everything that was made is removed again. What is there when
 * it returns 0 has reached the disk.
 *
 * Return: 0; -ENOTEMPTY; -EINTR; another negative errno; with the reason.
 */
int corpus_make(const struct corpus_plan *plan, const char *path, struct progress *progress,
                struct corpus_totals *ret, struct fault *fault);

/**
 * corpus_identify() - which corpus lies in @path
 * @ret: the flat object of its marker: law, seed, count, aged
 *
 * Return: 0; -ENOENT when it is no corpus, or one that was not finished; -EINVAL for a damaged
 * marker.
 */
int corpus_identify(const char *path, json_t **ret, struct fault *fault);

/** corpus_is() - whether the marker @j is that of @plan */
bool corpus_is(const json_t *j, const struct corpus_plan *plan);
