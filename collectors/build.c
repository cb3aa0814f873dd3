/* collectors/build.c - workload build.kernel: a parallel kernel build, as "time make -jN" times it
 *
 * What is timed is make alone, building the default target out of the tree, in a clean folder on
 * the file system under test. Unpacking, configuring and removing come before and after. A build
 * that does not come to its end is a failure and never a sample.
 */
#include <argp.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include "collectors/build_needs.h"
#include "collectors/harness.h"
#include "collectors/kernel_config.h"
#include "collectors/kernel_make.h"
#include "collectors/kernel_source.h"
#include "collectors/processors.h"
#include "collectors/scratch.h"
#include "collectors/toolchain.h"
#include "record/json.h"
#include "record/procfile.h"
#include "record/record.h"

#define WORKLOAD "build.kernel"
#define JOBS_MAX 4096
#define DEFAULT_DIR "/var/tmp"
#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

struct arguments {
        const char *source, *config, *dir, *tree_cache, *log, *target;
        unsigned jobs; /* 0: as many as there are processors */
        bool keep;
};

/* What all runs share. */
struct build {
        struct harness *harness;
        const struct arguments *arguments;
        const char *path_list;
        char **environment;
        char *dir, *tree_cache, *config; /* absolute, or NULL where not given */
        struct scratch scratch;
        struct kernel_source source;
        struct kernel_config configuration;
        struct kernel_make make;
        char *make_program, *make_version, *compiler, *linker, *objects;
        unsigned jobs;
        uint64_t n_objects; /* of run #1: what the others will come to */
};

enum {
        OPTION_SOURCE = 0x300,
        OPTION_CONFIG,
        OPTION_DIR,
        OPTION_TREE_CACHE,
        OPTION_LOG,
        OPTION_TARGET,
        OPTION_KEEP
};

static const struct argp_option options[] = {
        { "source", OPTION_SOURCE, "TREE|TARBALL", 0,
          "Kernel to build (default: the newest " KERNEL_SOURCE_FOLDER "/linux-source-*.tar.*)",
          0 },
        { "config", OPTION_CONFIG, "tinyconfig|defconfig|FILE", 0,
          "Its configuration (default: tinyconfig)", 0 },
        { "jobs", 'j', "N", 0, "make's -j (default: the processors that we may use)", 0 },
        { "dir", OPTION_DIR, "DIR", 0, "Build on this file system (default: " DEFAULT_DIR ")", 0 },
        { "tree-cache", OPTION_TREE_CACHE, "DIR", 0,
          "Unpack tarballs to here, and find them unpacked the next time", 0 },
        { "target", OPTION_TARGET, "TARGET", 0,
          "Build this instead of everything: a quick look, comparable only with its like", 0 },
        { "log", OPTION_LOG, "FILE", 0, "Keep make's whole output", 0 },
        { "keep", OPTION_KEEP, NULL, 0, "Do not remove the folder with tree and objects", 0 },
        { 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
        struct harness_input *input = state->input;
        struct arguments *a = input->arguments;
        int64_t n;

        switch (key) {
        case ARGP_KEY_INIT:
                state->child_inputs[0] = input->harness;
                /* A cold build is a choice: most of what make reads is soon warm anyway. */
                input->harness->drop_cache = false;
                return 0;
        case OPTION_SOURCE:
                a->source = arg;
                return 0;
        case OPTION_CONFIG:
                a->config = arg;
                return 0;
        case 'j':
                if (parse_int(arg, &n) < 0 || n < 1 || n > JOBS_MAX)
                        argp_error(state, "--jobs wants 1 to %d, not '%s'", JOBS_MAX, arg);
                a->jobs = (unsigned) n;
                return 0;
        case OPTION_DIR:
                a->dir = arg;
                return 0;
        case OPTION_TREE_CACHE:
                a->tree_cache = arg;
                return 0;
        case OPTION_TARGET:
                /* Not a variable and not an option: those would change what is measured. */
                if (!*arg || *arg == '-' || strchr(arg, '='))
                        argp_error(state, "--target wants a target of make, not '%s'", arg);
                a->target = arg;
                return 0;
        case OPTION_LOG:
                a->log = arg;
                return 0;
        case OPTION_KEEP:
                a->keep = true;
                return 0;
        case ARGP_KEY_ARG:
                argp_error(state, "no argument wanted: '%s'", arg);
                return EINVAL;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

static void build_done(struct build *b)
{
        fclosep(&b->make.copy);
        scratch_done(&b->scratch);
        kernel_source_done(&b->source);
        kernel_config_done(&b->configuration);
        toolchain_environment_free(b->environment);
        free(b->dir);
        free(b->tree_cache);
        free(b->config);
        free(b->make_program);
        free(b->make_version);
        free(b->compiler);
        free(b->linker);
        free(b->objects);
}

/* unavailable() - the reason is in the fault already */
static int unavailable_if(int r, int code) { return r == code ? HARNESS_UNAVAILABLE : r; }

/* Paths are made absolute while the working directory is still the user's. */
static int find_folder(const char *path, char **ret, struct fault *fault)
{
        struct stat st;

        *ret = realpath(path, NULL);
        if (!*ret || stat(*ret, &st) < 0)
                return fault_errno(fault, -errno, "%s", path);
        if (!S_ISDIR(st.st_mode))
                return fault_errno(fault, -ENOTDIR, "%s", path);
        if (access(*ret, W_OK | X_OK) < 0)
                return fault_errno(fault, -errno, "%s, as user %lu", path,
                                   (unsigned long) geteuid());
        if (strpbrk(*ret, " :\t"))
                return fault_set(fault, -EINVAL,
                                 "%s: make cannot build where a path has blanks or colons", path);
        return 0;
}

static int find_config(struct build *b, struct fault *fault)
{
        const char *name = b->arguments->config;

        b->config = kernel_config_is_target(name) ? strdup(name) : realpath(name, NULL);
        return b->config ? 0 : fault_errno(fault, -errno, "configuration %s", name);
}

static int open_log(struct build *b, struct fault *fault)
{
        if (!b->arguments->log)
                return 0;
        b->make.copy = fopen(b->arguments->log, "we");
        if (!b->make.copy)
                return fault_errno(fault, -errno, "%s, as user %lu", b->arguments->log,
                                   (unsigned long) geteuid());
        (void) setvbuf(b->make.copy, NULL, _IONBF, 0); /* somebody may be following it */
        return 0;
}

/* A cache in $CC is ignored like all of the environment, but who set it expects it to be used. */
static int refuse_wrappers(const struct build *b, struct fault *fault)
{
        static const char *const names[] = { "CC",       "HOSTCC",        "CXX",
                                             "HOSTCXX",  "CROSS_COMPILE", "KBUILD_HOSTCC",
                                             "MAKEFLAGS" };
        CLEANUP(freep) char *found = NULL;
        int r;

        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                const char *value = getenv(names[i]);
                const char *wrapper = value ? toolchain_wrapper_in(value) : NULL;

                if (wrapper)
                        return fault_set(fault, HARNESS_UNAVAILABLE,
                                         "%s asks for %s: with it a build says nothing of this "
                                         "machine, so unset it",
                                         names[i], wrapper);
        }
        r = toolchain_find_wrapper(b->path_list, &found);
        if (r < 0)
                return fault_set(fault, r, "no memory");
        return r == 0 ? 0
                      : fault_set(
                                fault, HARNESS_UNAVAILABLE,
                                "%s: with it a build says nothing of this machine, so take it out "
                                "of PATH",
                                found);
}

static int find_source(struct build *b, char **ret, struct fault *fault)
{
        int r;

        if (b->arguments->source) {
                *ret = realpath(b->arguments->source, NULL);
                return *ret ? 0 : fault_errno(fault, -errno, "%s", b->arguments->source);
        }
        r = kernel_source_newest(KERNEL_SOURCE_FOLDER, ret);
        if (r == -ENOENT)
                return fault_set(
                        fault, HARNESS_UNAVAILABLE,
                        "no kernel source: install Debian's linux-source, or name one with "
                        "--source");
        return r < 0 ? fault_set(fault, r, "no memory") : 0;
}

/* need_all() - exit 77 and every missing thing by name; arguments as for build_needs_missing() */
static int need_all(struct build *b, const char *tree, const char *config_text, struct fault *fault)
{
        CLEANUP(freep) char *missing = NULL;
        int r = build_needs_missing(tree, config_text, b->path_list, b->environment, &missing,
                                    fault);

        return r <= 0 ? r : fault_set(fault, HARNESS_UNAVAILABLE, "not installed: %s", missing);
}

static int name_program(struct build *b, const char *name, char **ret_path, char **ret_version,
                        struct fault *fault)
{
        CLEANUP(freep) char *path = NULL;
        int r = toolchain_find(b->path_list, name, &path);

        if (r < 0)
                return fault_errno(fault, r, "%s", name);
        r = toolchain_version(path, b->environment, ret_version, fault);
        if (ret_path)
                *ret_path = TAKE(path);
        return r;
}

static int name_programs(struct build *b, struct fault *fault)
{
        int r = name_program(b, "make", &b->make_program, &b->make_version, fault);

        if (r == 0)
                r = name_program(b, "gcc", NULL, &b->compiler, fault);
        return r < 0 ? r : name_program(b, "ld", NULL, &b->linker, fault);
}

/* open_build() - everything that does not need the source */
static int open_build(struct build *b, struct fault *fault)
{
        const struct arguments *a = b->arguments;
        int r;

        b->path_list = getenv("PATH");
        if (!b->path_list || !*b->path_list)
                b->path_list = DEFAULT_PATH;
        b->jobs = a->jobs ? a->jobs : processors_we_may_use();
        r = refuse_wrappers(b, fault);
        if (r == 0)
                r = find_folder(a->dir, &b->dir, fault);
        if (r == 0 && a->tree_cache)
                r = find_folder(a->tree_cache, &b->tree_cache, fault);
        if (r == 0)
                r = find_config(b, fault);
        return r == 0 ? open_log(b, fault) : r;
}

static int open_scratch(struct build *b, struct fault *fault)
{
        int r = scratch_make(&b->scratch, b->dir, "build", &b->harness->progress, fault);

        if (r < 0)
                return r;
        b->environment = toolchain_environment(b->path_list, b->scratch.path);
        b->objects = scratch_join(b->scratch.path, "objects");
        return b->environment && b->objects ? 0 : fault_set(fault, -ENOMEM, "no memory");
}

static int open_source(struct build *b, const char *from, struct fault *fault)
{
        int r = need_all(b, NULL, NULL, fault); /* before the time to unpack is spent */

        if (r == 0)
                r = kernel_source_open(&b->source, from, &b->scratch, b->tree_cache,
                                       &b->harness->progress, fault);
        if (r == 0)
                r = need_all(b, b->source.tree, NULL, fault);
        if (r == 0)
                r = name_programs(b, fault);
        if (r != 0)
                return unavailable_if(r, -ENOSPC);
        b->make.make = b->make_program;
        b->make.tree = b->source.tree;
        b->make.objects = b->objects;
        b->make.environment = b->environment;
        return 0;
}

/* prepare_run() - a clean folder with a configuration in it, and nothing left to be written back */
static int prepare_run(struct build *b, struct fault *fault)
{
        int r = scratch_remove(b->objects, fault);

        if (r < 0)
                return r;
        if (mkdir(b->objects, 0700) < 0)
                return fault_errno(fault, -errno, "%s", b->objects);
        b->make.progress = NULL;
        progress_start(&b->harness->progress, "configuring", 0);
        r = kernel_config_make(&b->configuration, &b->make, b->config, fault);
        progress_end(&b->harness->progress);
        if (r == 0)
                r = need_all(b, b->source.tree, b->configuration.text, fault);
        if (r == 0)
                r = scratch_need_space(b->dir, kernel_config_guess_bytes(b->configuration.text), 0,
                                       "such a build", fault);
        if (r == 0)
                sync(); /* what was unpacked or removed must not be written in the build's time */
        return unavailable_if(unavailable_if(r, -ENOSPC), -ENOPKG);
}

/* print_tail() - what make said last; for a person, so not when quiet */
static void print_tail(const struct build *b)
{
        const char *line;

        for (size_t i = 0; !b->harness->quiet && (line = build_log_tail_line(&b->make.log, i)); i++)
                (void) fprintf(stderr, "build log: %s\n", line);
}

/* check_whole() - make was content; is there a kernel? */
static int check_whole(struct build *b, const char *what, struct fault *fault)
{
        CLEANUP(freep) char *path = scratch_join(b->objects, "vmlinux");
        struct stat st;
        int r = 0;

        if (!path)
                return fault_set(fault, -ENOMEM, "no memory");
        if (b->make.status != 0)
                r = kernel_make_explain(&b->make, what, fault);
        else if (!b->arguments->target && (stat(path, &st) < 0 || st.st_size == 0))
                r = fault_set(fault, -EIO, "%s is incomplete: make ended well and left no vmlinux",
                              what);
        if (r == 0)
                return 0;
        print_tail(b);
        if (b->make.copy && !ferror(b->make.copy)) {
                struct fault before = *fault;

                (void) fault_set(fault, r, "%s; the whole log is %s", before.text,
                                 b->arguments->log);
        }
        return unavailable_if(r, -ENOPKG);
}

static int describe(struct build *b, struct harness_run *run)
{
        json_t *p = run->sample.parameters, *d = run->sample.details;
        const char *version = strrchr(b->make_version, ' ');
        const char *origin = strrchr(b->source.origin, '/');
        bool is_target = kernel_config_is_target(b->config);

        run->sample.tool = strdup("make");
        run->sample.tool_version = strdup(version ? version + 1 : b->make_version);
        if (!run->sample.tool || !run->sample.tool_version ||
            sample_add(&run->sample, "peak_rss", (double) b->make.peak_rss_bytes, "B", BETTER_LOWER,
                       NULL) < 0 ||
            record_set_integer(p, "jobs", b->jobs) < 0 ||
            record_set_string(p, "config", is_target ? b->config : "file") < 0 ||
            record_set_string(p, "config_sha256", b->configuration.sha256) < 0 ||
            record_set_string(p, "source_version", b->source.version) < 0 ||
            record_set_string(p, "compiler", b->compiler) < 0 ||
            (b->arguments->target && record_set_string(p, "target", b->arguments->target) < 0) ||
            record_set_string(d, "linker", b->linker) < 0 ||
            record_set_string(d, "source", origin ? origin + 1 : b->source.origin) < 0 ||
            record_set_boolean(d, "source_unpacked_now", b->source.is_fresh) < 0 ||
            record_set_integer(d, "objects", (int64_t) b->make.log.n_objects) < 0 ||
            json_put(d, "environment_ignored", toolchain_ignored(environ)) < 0)
                return -ENOMEM;
        return 0;
}

/* The folders to look at: the objects' first, since its drives are the ones under test. When the
 * cache is left alone, a look at two folders of the source tells its state, and warms no others. */
static int start_run(struct build *b, struct harness_run *run, unsigned number, struct fault *fault)
{
        CLEANUP(freep) char *kernel = scratch_join(b->source.tree, "kernel");
        CLEANUP(freep) char *mm = scratch_join(b->source.tree, "mm");
        const char *paths[3] = { b->objects };
        size_t n = 1;

        if (!kernel || !mm)
                return fault_set(fault, -ENOMEM, "no memory");
        if (b->harness->drop_cache) {
                paths[n++] = b->source.tree;
        } else {
                paths[n++] = kernel;
                paths[n++] = mm;
        }
        return harness_run_start(b->harness, run, WORKLOAD, number, paths, n, fault);
}

static int one_run(struct build *b, unsigned number, struct fault *fault)
{
        CLEANUP(harness_run_done) struct harness_run run = HARNESS_RUN_NULL;
        char what[32];
        int r = prepare_run(b, fault);

        if (r != 0)
                return r;
        (void) snprintf(what, sizeof what, "run #%u", number);
        b->make.progress = &b->harness->progress;
        r = start_run(b, &run, number, fault);
        if (r < 0)
                return r;
        progress_start_counting(&b->harness->progress, what, b->n_objects, " objects");
        r = kernel_make_run(&b->make, b->jobs, b->arguments->target, fault);
        if (r == 0)
                r = harness_run_stop(b->harness, &run, 0, fault);
        progress_end(&b->harness->progress);
        if (r == 0)
                r = check_whole(b, what, fault);
        if (r != 0)
                return r;
        b->n_objects = b->make.log.n_objects;
        if (describe(b, &run) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        return harness_run_add(b->harness, &run, fault);
}

/* keep() - under a name that no later run sweeps up */
static int keep(struct build *b, struct fault *fault)
{
        CLEANUP(freep) char *kept = NULL;
        const char *suffix = strrchr(b->scratch.path, '.');
        int r;

        if (asprintf(&kept, "%s/bootlap-kept%s", b->dir, suffix) < 0) {
                kept = NULL;
                return fault_set(fault, -ENOMEM, "no memory");
        }
        r = scratch_keep(&b->scratch, kept, fault);
        if (r == 0 && !b->harness->quiet)
                (void) fprintf(stderr, "build kept %s\n", kept);
        return r;
}

static int runs(struct build *b, const char *from, struct fault *fault)
{
        int r = open_source(b, from, fault);

        for (unsigned i = 1; r == 0 && i <= b->harness->runs; i++)
                r = one_run(b, i, fault);
        return r;
}

static int measure(struct harness *h, void *arguments, struct fault *fault)
{
        CLEANUP(build_done)
        struct build b = { .harness = h, .arguments = arguments, .scratch = SCRATCH_NULL };
        CLEANUP(freep) char *from = NULL;
        int r = open_build(&b, fault);

        if (r == 0)
                r = find_source(&b, &from, fault);
        if (r == 0)
                r = open_scratch(&b, fault);
        if (r != 0)
                return r;
        r = runs(&b, from, fault);
        if (b.arguments->keep) {
                struct fault unkept = FAULT_NULL;

                if (keep(&b, &unkept) < 0 && r == 0) {
                        *fault = unkept;
                        r = -EIO;
                }
        }
        return r;
}

/* Started by root, we work as whose folder or tree it is: nobody may often not even look. */
static int prepare(struct harness *h, void *arguments, struct fault *fault)
{
        const struct arguments *a = arguments;

        (void) fault;
        harness_run_as_owner_of(h, a->dir);
        if (a->source)
                harness_run_as_owner_of(h, a->source);
        return 0;
}

int main(int argc, char **argv)
{
        static const struct argp argp = {
                .options = options,
                .parser = parse,
                .doc = "Time a parallel kernel build: real, user and sys of 'make -jN', and the "
                       "largest process."
                       "\vRun #1 and those after it each start from a clean folder of objects. "
                       "Compiler caches and distributing compilers are refused, and nothing of the "
                       "environment but PATH reaches make.",
                .children = harness_children,
        };
        struct arguments arguments = { .config = "tinyconfig", .dir = DEFAULT_DIR };
        const struct collector collector = { .name = "build",
                                             .default_runs = 1,
                                             .argp = &argp,
                                             .arguments = &arguments,
                                             .prepare = prepare,
                                             .measure = measure };

        return harness_main(&collector, argc, argv);
}
