/* collectors/random.h - numbers that are the same on every machine
 *
 * xoshiro256** 1.0, seeded through SplitMix64, both by David Blackman and Sebastiano Vigna, who put
 * them into the public domain (https://prng.di.unimi.it/). Integers only: libm may round
 * differently from one machine to the next, and a corpus is known by its seed.
 */
#pragma once
#include <stdint.h>

struct random_stream {
        uint64_t state[4];
};

/** random_mix() - one step of SplitMix64: advances @state, returns 64 well-mixed bits */
uint64_t random_mix(uint64_t *state);

/**
 * random_seed() - the stream number @stream of @seed
 *
 * Streams are independent: message 7 of a corpus has the same content whatever was made before it.
 */
void random_seed(struct random_stream *r, uint64_t seed, uint64_t stream);

/** random_next() - 64 bits */
uint64_t random_next(struct random_stream *r);

/** random_below() - uniform in [0, @limit); @limit > 0 */
uint32_t random_below(struct random_stream *r, uint32_t limit);

/** random_chance() - true in @per_mille of 1000 draws */
int random_chance(struct random_stream *r, uint32_t per_mille);

/** random_between() - uniform in [@low, @high] */
uint32_t random_between(struct random_stream *r, uint32_t low, uint32_t high);

/**
 * random_exp2() - @scale * 2^(@exponent / 65536), the fraction interpolated linearly
 *
 * Within 6.2 % of the true power, always too small: good enough for a size law, and exact
 * everywhere.
 */
uint64_t random_exp2(uint64_t scale, int32_t exponent);

/** random_lognormal() - median @median, @sigma_e16 = sigma of the binary logarithm * 65536 */
uint64_t random_lognormal(struct random_stream *r, uint64_t median, uint32_t sigma_e16);
