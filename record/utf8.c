/* record/utf8.c - RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF */
#include "record/utf8.h"

#define REPLACEMENT 0xfffd

size_t utf8_length(const char *text)
{
        const unsigned char *p = (const unsigned char *) text;
        unsigned low = 0x80, high = 0xbf; /* the second byte's range */
        size_t n;

        if (p[0] < 0x80)
                return 1;
        if (p[0] >= 0xc2 && p[0] <= 0xdf)
                n = 2;
        else if (p[0] >= 0xe0 && p[0] <= 0xef)
                n = 3;
        else if (p[0] >= 0xf0 && p[0] <= 0xf4)
                n = 4;
        else
                return 0;
        if (p[0] == 0xe0)
                low = 0xa0;
        else if (p[0] == 0xed)
                high = 0x9f;
        else if (p[0] == 0xf0)
                low = 0x90;
        else if (p[0] == 0xf4)
                high = 0x8f;
        if (p[1] < low || p[1] > high)
                return 0;
        for (size_t i = 2; i < n; i++)
                if (p[i] < 0x80 || p[i] > 0xbf)
                        return 0;
        return n;
}

size_t utf8_put(uint32_t c, char *to)
{
        if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
                c = REPLACEMENT;
        if (c < 0x80) {
                to[0] = (char) c;
                return 1;
        }
        if (c < 0x800) {
                to[0] = (char) (0xc0 | c >> 6);
                to[1] = (char) (0x80 | (c & 0x3f));
                return 2;
        }
        if (c < 0x10000) {
                to[0] = (char) (0xe0 | c >> 12);
                to[1] = (char) (0x80 | (c >> 6 & 0x3f));
                to[2] = (char) (0x80 | (c & 0x3f));
                return 3;
        }
        to[0] = (char) (0xf0 | c >> 18);
        to[1] = (char) (0x80 | (c >> 12 & 0x3f));
        to[2] = (char) (0x80 | (c >> 6 & 0x3f));
        to[3] = (char) (0x80 | (c & 0x3f));
        return 4;
}
