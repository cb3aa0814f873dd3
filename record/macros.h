/* record/macros.h - ownership by declaration, and the few helpers that every file wants */
#pragma once
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* CLEANUP(fn) - call fn(&variable) when the variable goes out of scope */
#define CLEANUP(fn) __attribute__((cleanup(fn)))

/* TAKE(p) - hand over what @p owns and leave NULL behind */
#define TAKE(p)                                                                                    \
        __extension__({                                                                            \
                __typeof__(p) taken_ = (p);                                                        \
                (p) = NULL;                                                                        \
                taken_;                                                                            \
        })

/* TAKE_FD(fd) - the same for a descriptor; -EBADF stays behind */
#define TAKE_FD(fd)                                                                                \
        __extension__({                                                                            \
                int taken_fd_ = (fd);                                                              \
                (fd) = -EBADF;                                                                     \
                taken_fd_;                                                                         \
        })

#define ELEMENTSOF(a) (sizeof(a) / sizeof((a)[0]))
#define PRINTF_LIKE(format_index, first) __attribute__((format(printf, format_index, first)))

static inline void freep(void *p) { free(*(void **) p); }

/* closep() - close a descriptor that is open; errno is kept for the caller who is failing */
static inline void closep(int *fd)
{
        int saved = errno;

        if (*fd >= 0)
                (void) close(*fd);
        errno = saved;
}

static inline void fclosep(FILE **f)
{
        int saved = errno;

        if (*f)
                (void) fclose(*f);
        errno = saved;
}
