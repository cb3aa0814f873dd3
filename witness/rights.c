/* witness/rights.c - dropping root, and a seccomp filter for an event loop */
#include "witness/rights.h"
#include <grp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <seccomp.h>

/* A GetImage answer, an event queue and libraries; a server that answers with 4 GiB meets this. */
#define DATA_MAX_BYTES (32u * 1024 * 1024)

#if defined __SANITIZE_ADDRESS__
#define SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

int rights_switch(uid_t uid, gid_t gid, struct fault *fault)
{
        /* Also keeps the user's other processes from tracing or dumping this one. */
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
                return fault_errno(fault, -errno, "giving up privileges");
        if (geteuid() != 0)
                return geteuid() == uid
                               ? 0
                               : fault_errno(fault, -EPERM, "becoming uid %ld", (long) uid);
        if (setgroups(0, NULL) < 0 || setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, uid) < 0)
                return fault_errno(fault, -errno, "becoming uid %ld", (long) uid);
        if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
                return fault_errno(fault, -errno, "giving up privileges");
        if (uid != 0 && setresuid(0, 0, 0) == 0)
                return fault_set(fault, -EPERM, "root could be regained");
        return 0;
}

static int bound_memory(void)
{
        const struct rlimit data = { DATA_MAX_BYTES, DATA_MAX_BYTES }, none = { 0, 0 };

        if (!SANITIZED && setrlimit(RLIMIT_DATA, &data) < 0)
                return -errno;
        return setrlimit(RLIMIT_CORE, &none) < 0 ? -errno : 0;
}

static int allow(scmp_filter_ctx filter)
{
        /* Event loop, sockets that are open already, memory, and the way out. The second line of
         * names is what sanitizers and glibc's abort() want. */
        static const int calls[] = {
                SCMP_SYS(read),
                SCMP_SYS(write),
                SCMP_SYS(readv),
                SCMP_SYS(writev),
                SCMP_SYS(pread64),
                SCMP_SYS(recvmsg),
                SCMP_SYS(recvfrom),
                SCMP_SYS(sendmsg),
                SCMP_SYS(sendto),
                SCMP_SYS(recv),
                SCMP_SYS(send),
                SCMP_SYS(shutdown),
                SCMP_SYS(poll),
                SCMP_SYS(ppoll),
                SCMP_SYS(ppoll_time64),
                SCMP_SYS(select),
                SCMP_SYS(pselect6),
                SCMP_SYS(_newselect),
                SCMP_SYS(close),
                SCMP_SYS(fcntl),
                SCMP_SYS(fcntl64),
                SCMP_SYS(fstat),
                SCMP_SYS(fstat64),
                SCMP_SYS(lseek),
                SCMP_SYS(clock_gettime),
                SCMP_SYS(clock_gettime64),
                SCMP_SYS(gettimeofday),
                SCMP_SYS(getrusage),
                SCMP_SYS(getpid),
                SCMP_SYS(getuid),
                SCMP_SYS(geteuid),
                SCMP_SYS(brk),
                SCMP_SYS(mmap),
                SCMP_SYS(mmap2),
                SCMP_SYS(munmap),
                SCMP_SYS(mremap),
                SCMP_SYS(madvise),
                SCMP_SYS(mprotect),
                SCMP_SYS(futex),
                SCMP_SYS(futex_time64),
                SCMP_SYS(restart_syscall),
                SCMP_SYS(rt_sigreturn),
                SCMP_SYS(sigreturn),
                SCMP_SYS(rt_sigprocmask),
                SCMP_SYS(exit),
                SCMP_SYS(exit_group),

                SCMP_SYS(gettid),
                SCMP_SYS(tgkill),
                SCMP_SYS(rt_sigaction),
                SCMP_SYS(sigaltstack),
                SCMP_SYS(sched_yield),
                SCMP_SYS(getrlimit),
                SCMP_SYS(prlimit64),
                SCMP_SYS(sched_getaffinity),
                SCMP_SYS(getrandom),
        };

        for (size_t i = 0; i < ELEMENTSOF(calls); i++) {
                int r = seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0);

                if (r < 0)
                        return r;
        }
        return 0;
}

int rights_confine(struct fault *fault)
{
        scmp_filter_ctx filter;
        int r = bound_memory();

        if (r < 0)
                return fault_errno(fault, r, "bounding memory");
        filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
        if (!filter)
                return fault_errno(fault, -ENOMEM, "seccomp");
        r = allow(filter);
        if (r == 0)
                r = seccomp_load(filter);
        seccomp_release(filter);
        return r < 0 ? fault_errno(fault, r, "seccomp") : 0;
}
