/* collectors/random.c - the generator and the few distributions that a corpus needs */
#include "collectors/random.h"

#define NORMAL_TERMS 12 /* the sum of 12 uniforms has variance 1 */

uint64_t random_mix(uint64_t *state)
{
        uint64_t z = (*state += 0x9e3779b97f4a7c15u);

        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
}

void random_seed(struct random_stream *r, uint64_t seed, uint64_t stream)
{
        uint64_t state = seed;

        /* Mixed before the stream is added, so that neighbouring seeds share no streams. */
        state = random_mix(&state) + stream;
        for (int i = 0; i < 4; i++)
                r->state[i] = random_mix(&state);
}

static uint64_t rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

uint64_t random_next(struct random_stream *r)
{
        uint64_t *s = r->state, result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;

        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = rotate(s[3], 45);
        return result;
}

uint32_t random_below(struct random_stream *r, uint32_t limit)
{
        /* The high half of a 32x32 product; its bias (below limit / 2^32) shows in no corpus. */
        return (uint32_t) (((random_next(r) >> 32) * limit) >> 32);
}

int random_chance(struct random_stream *r, uint32_t per_mille)
{
        return random_below(r, 1000) < per_mille;
}

uint32_t random_between(struct random_stream *r, uint32_t low, uint32_t high)
{
        return low + random_below(r, high - low + 1);
}

uint64_t random_exp2(uint64_t scale, int32_t exponent)
{
        /* Division would round towards 0, a shift of a negative number is the compiler's choice. */
        int32_t whole = exponent >= 0 ? exponent / 65536 : -((65535 - exponent) / 65536);
        uint64_t fraction = (uint64_t) (exponent - whole * 65536);
        uint64_t value = (scale * (65536 + fraction)) / 65536;

        return whole >= 0 ? value << whole : value >> -whole;
}

uint64_t random_lognormal(struct random_stream *r, uint64_t median, uint32_t sigma_e16)
{
        int64_t z = -(NORMAL_TERMS / 2) * 65536;

        for (int i = 0; i < NORMAL_TERMS; i++)
                z += random_below(r, 65536);
        return random_exp2(median, (int32_t) (z * sigma_e16 / 65536));
}
