/* collectors/load_work.c - what the processes of a load do until they are killed */
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include "collectors/load.h"
#include "collectors/random.h"

#define SMALL_BYTES 4096
#define SMALL_WRITES_A_SYNC 256
#define LARGE_BYTES (1u << 20)
#define LARGE_BYTES_A_SYNC (64u << 20)
#define SLICE_BYTES (1u << 20) /* of memory used between two tokens */
#define SMALL_PROGRAM "/bin/true"

int load_anonymous_file(const char *dir)
{
        int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
        CLEANUP(freep) char *path = NULL;

        if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
                return fd < 0 ? -errno : fd;
        /* NFS, FUSE: a name for an instant */
        if (asprintf(&path, "%s/bootlap-load.XXXXXX", dir) < 0) {
                path = NULL;
                return -ENOMEM;
        }
        fd = mkostemp(path, O_CLOEXEC);
        if (fd < 0)
                return -errno;
        (void) unlink(path);
        return fd;
}

static void report(const struct load_worker *w, int code)
{
        (void) !write(w->report_fd, &code, sizeof code);
}

static _Noreturn void give_up(const struct load_worker *w, int code)
{
        report(w, code);
        _exit(1);
}

/* fill() - with what no drive or file system packs */
static void fill(unsigned char *buffer, size_t n_bytes, uint64_t seed)
{
        struct random_stream random;

        random_seed(&random, seed, 0);
        for (size_t i = 0; i + sizeof(uint64_t) <= n_bytes; i += sizeof(uint64_t)) {
                uint64_t x = random_next(&random);

                memcpy(buffer + i, &x, sizeof x);
        }
}

static int write_at(int fd, const unsigned char *buffer, size_t n_bytes, uint64_t at)
{
        ssize_t n = pwrite(fd, buffer, n_bytes, (off_t) at);

        return n < 0 ? -errno : (size_t) n == n_bytes ? 0 : -ENOSPC;
}

static _Noreturn void write_small(const struct load_worker *w)
{
        unsigned char buffer[SMALL_BYTES];
        int fd = load_anonymous_file(w->plan->dir), r = fd < 0 ? fd : 0;
        uint64_t n_places = w->plan->file_bytes / SMALL_BYTES;
        struct random_stream random;

        random_seed(&random, w->number, 1);
        fill(buffer, sizeof buffer, w->number);
        for (uint64_t i = 0; r == 0; i++) {
                r = write_at(fd, buffer, sizeof buffer,
                             random_next(&random) % n_places * SMALL_BYTES);
                if (r == 0 && i % SMALL_WRITES_A_SYNC == SMALL_WRITES_A_SYNC - 1 &&
                    fdatasync(fd) < 0)
                        r = -errno;
                if (r == 0 && i == 0)
                        report(w, 0);
        }
        give_up(w, r);
}

static unsigned char *large_buffer(const struct load_worker *w)
{
        unsigned char *buffer = malloc(LARGE_BYTES);

        if (!buffer)
                give_up(w, -ENOMEM);
        fill(buffer, LARGE_BYTES, w->number);
        return buffer;
}

static _Noreturn void write_large(const struct load_worker *w)
{
        const unsigned char *buffer = large_buffer(w);
        int fd = load_anonymous_file(w->plan->dir), r = fd < 0 ? fd : 0;
        uint64_t n = w->plan->file_bytes / LARGE_BYTES;

        for (uint64_t i = 0; r == 0; i++) {
                r = write_at(fd, buffer, LARGE_BYTES, i % n * LARGE_BYTES);
                if (r == 0 && i % (LARGE_BYTES_A_SYNC / LARGE_BYTES) == 0 && fdatasync(fd) < 0)
                        r = -errno;
                if (r == 0 && i == 0)
                        report(w, 0);
        }
        give_up(w, r);
}

/* read_large() - a file of our own: somebody else's would be in the cache, or of any size */
static _Noreturn void read_large(const struct load_worker *w)
{
        unsigned char *buffer = large_buffer(w);
        int fd = load_anonymous_file(w->plan->dir), r = fd < 0 ? fd : 0;
        uint64_t n = w->plan->file_bytes / LARGE_BYTES;

        for (uint64_t i = 0; r == 0 && i < n; i++)
                r = write_at(fd, buffer, LARGE_BYTES, i * LARGE_BYTES);
        if (r == 0 && fdatasync(fd) < 0)
                r = -errno;
        for (uint64_t i = 0; r == 0; i++) {
                if (i % n == 0)
                        (void) posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
                if (pread(fd, buffer, LARGE_BYTES, (off_t) (i % n * LARGE_BYTES)) < 0)
                        r = -errno;
                if (r == 0 && i == 0)
                        report(w, 0);
        }
        give_up(w, r);
}

static _Noreturn void compute(const struct load_worker *w)
{
        volatile uint64_t x = w->number;

        report(w, 0);
        for (;;)
                x = x * 6364136223846793005u + 1;
}

static _Noreturn void spawn(const struct load_worker *w)
{
        char name[] = SMALL_PROGRAM, *argv[] = { name, NULL }, *environment[] = { NULL };
        int r = 0;

        for (uint64_t i = 0; r == 0; i++) {
                pid_t pid;

                r = -posix_spawn(&pid, SMALL_PROGRAM, NULL, NULL, argv, environment);
                if (r == 0 && waitpid(pid, NULL, 0) < 0)
                        r = -errno;
                if (r == 0 && i == 0)
                        report(w, 0);
        }
        give_up(w, r);
}

static void use(unsigned char *memory, size_t n_bytes, size_t page_bytes)
{
        for (size_t at = 0; at < n_bytes; at += page_bytes)
                memory[at]++;
}

/* ring() - touch a slice, hand the token on; the slices go round the whole memory */
static _Noreturn void ring(const struct load_worker *w)
{
        size_t page_bytes = (size_t) sysconf(_SC_PAGESIZE), at = 0;
        size_t n_bytes = (size_t) w->memory_bytes / SLICE_BYTES * SLICE_BYTES;
        unsigned char *memory =
                mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        char token;

        if (memory == MAP_FAILED)
                give_up(w, -errno);
        use(memory, n_bytes, page_bytes);
        report(w, 0);
        while (read(w->ring_in, &token, 1) == 1) {
                use(memory + at, SLICE_BYTES, page_bytes);
                at = (at + SLICE_BYTES) % n_bytes;
                if (write(w->ring_out, &token, 1) != 1)
                        break;
        }
        give_up(w, -EPIPE);
}

_Noreturn void load_work(const struct load_worker *w)
{
        switch (w->plan->kind) {
        case LOAD_SMALL_WRITE:
                write_small(w);
        case LOAD_LARGE_WRITE:
                write_large(w);
        case LOAD_READ:
                read_large(w);
        case LOAD_CPU:
                compute(w);
        case LOAD_SPAWN:
                spawn(w);
        case LOAD_8_MEMORY:
        case LOAD_2_MEMORY:
                ring(w);
        case LOAD_NONE:
                break;
        }
        _exit(0);
}
