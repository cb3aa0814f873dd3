/* analyze/import/clean.h - the single steps of undoing what happened to a text; see text.h */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* Stands where quoted-printable joined two lines: the next line's number is one higher. */
#define CLEAN_JOINED '\x01'

/**
 * clean_utf16() - UTF-16 with a byte order mark as UTF-8
 * @ret: a new buffer with a NUL after it, the caller's to free
 *
 * Return: 1 when it was UTF-16; 0 when not (@ret untouched); -ENOMEM.
 */
int clean_utf16(const char *bytes, size_t n_bytes, char **ret, size_t *ret_bytes);

/** clean_is_binary() - so many control characters that it was never text */
bool clean_is_binary(const char *bytes, size_t n_bytes);

/** clean_is_xml() - a document that an importer knows, whose tags are its content */
bool clean_is_xml(const char *bytes, size_t n_bytes);

/**
 * clean_quoted_printable() - undo it in place when the text is in it
 *
 * Joined lines leave a CLEAN_JOINED. Return: the new length.
 */
size_t clean_quoted_printable(char *bytes, size_t n_bytes);

/**
 * clean_line() - colours, controls, markup, entities and odd characters of one line
 * @from: the line as it stands, @n_bytes of it, without its newline
 * @to: may be @from itself: nothing grows; a line break of HTML becomes '\n'
 *
 * Return: bytes written to @to.
 */
size_t clean_line(const char *from, size_t n_bytes, char *to, bool is_xml);

/**
 * clean_margin() - what stands before a line's text: quoting, comment marks, bullets, prompts
 * @ret_indent: columns of blanks among it
 * @ret_bullet: whether a list's mark was there
 * @ret_prompt: whether a shell's prompt was there
 *
 * Return: bytes to pass over.
 */
size_t clean_margin(const char *line, unsigned *ret_indent, bool *ret_bullet, bool *ret_prompt);
