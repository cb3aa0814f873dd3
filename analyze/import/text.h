/* analyze/import/text.h - what people paste, as numbered plain lines
 *
 * Reads a file, pipe or device up to a limit and undoes what happened to the text on its way: mail
 * quoting, comment marks, bullets, prompts, carriage returns, terminal colours, NUL bytes, HTML,
 * quoted-printable, UTF-16, bytes that are no UTF-8. Blanks of every kind and number become one
 * blank, dashes of every kind '-', micro signs 'u', tree glyphs '|' and '`-'. What is left is
 * printable UTF-8.
 *
 * XML keeps its tags and escapes, since they are its content.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "record/digest.h"
#include "record/fault.h"

/* Cleaning works in place, so these two bound what an import needs in memory. */
#define TEXT_MAX_BYTES (16u * 1024 * 1024)
#define TEXT_MAX_LINES 400000u

struct text_line {
        uint32_t offset; /* into text.bytes; NUL-terminated there */
        uint32_t n_bytes;
        uint32_t number;  /* in the file, from 1; lines that HTML broke share one */
        uint16_t columns; /* width as it stood in the file, from its text on */
        uint8_t indent;   /* columns before the text, quoting and bullets not counted in */
        bool bullet;      /* a list's mark stood before it */
        bool prompt;      /* a shell\'s prompt did: it is a command */
        bool taken;       /* a format has made something of it: nothing for the next one */
};

struct text {
        char *name; /* as the caller gave it, for messages and origins */
        char *bytes;
        struct text_line *lines;
        size_t n_lines;
        bool is_xml;
        char sha256[DIGEST_HEX_BYTES]; /* of the bytes as read */
};
#define TEXT_NULL ((struct text){ .name = NULL })

void text_done(struct text *t);

/**
 * text_read_file() - read and clean @path ("-" is standard input)
 *
 * Return: 0; -EFBIG above the limits; -EISDIR; -EILSEQ when it is binary; another negative errno.
 * The fault names the file.
 */
int text_read_file(const char *path, struct text *ret, struct fault *fault);

/** text_from_bytes() - the same for bytes in memory (copied); @name stands for the path */
int text_from_bytes(const char *name, const void *bytes, size_t n_bytes, struct text *ret,
                    struct fault *fault);

/** text_at() - line @i (from 0) without blanks at either end; "" past the end */
const char *text_at(const struct text *t, size_t i);

/** text_is_blank() - nothing but blanks, or past the end */
bool text_is_blank(const struct text *t, size_t i);

/** text_is_free() - there, not blank, and no format has taken it */
bool text_is_free(const struct text *t, size_t i);

/** text_join() - @next, which stands below @line, becomes its end: they were one line before */
void text_join(struct text *t, struct text_line *line, const struct text_line *next);

/** text_number() - the number in the file of line @i */
unsigned text_number(const struct text *t, size_t i);
