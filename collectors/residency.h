/* collectors/residency.h - which pages of a file are in the page cache */
#pragma once
#include <stdint.h>

/**
 * residency_of() - ask cachestat(2), or mincore(2) where the kernel (before 6.5) lacks it
 * @fd: a regular file, open for reading; not read, so asking does not warm it
 *
 * Return: 0; -EPERM when the kernel does not tell, as for files of another user; another negative
 * errno.
 */
int residency_of(int fd, uint64_t *ret_pages, uint64_t *ret_resident);
