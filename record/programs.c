/* record/programs.c - see programs.h */
#include "record/programs.h"
#include <dirent.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include "record/mark.h"

#define FOLDERS 3

const struct program_folders program_folders_collectors = {
        .what = "collector",
        .environment = "BOOTLAP_COLLECTORS",
        .user = SYSCONFDIR "/bootlap/collectors.d",
        .installed = COLLECTORDIR,
};

const struct program_folders program_folders_probes = {
        .what = "probe",
        .environment = "BOOTLAP_PROBES",
        .user = SYSCONFDIR "/bootlap/probes.d",
        .installed = PROBEDIR,
};

/* only_root_writes() - the owner and the mode that a program run by root's service must have */
static bool only_root_writes(const char *path)
{
        struct stat st;

        return stat(path, &st) == 0 && st.st_uid == 0 && (st.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static const char *folder(const struct program_folders *folders, size_t i)
{
        const char *paths[FOLDERS] = { getenv(folders->environment), folders->user,
                                       folders->installed };

        return paths[i] && *paths[i] ? paths[i] : NULL;
}

static bool is_program(const char *path)
{
        struct stat st;

        return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

int program_find(const struct program_folders *folders, const char *name, char **ret_path,
                 struct fault *fault)
{
        if (!mark_name_is_valid(name) || name[0] == '.')
                return fault_set(fault, -EINVAL, "%s: is no %s's name", name, folders->what);
        for (size_t i = 0; i < FOLDERS; i++) {
                CLEANUP(freep) char *path = NULL;
                const char *dir = folder(folders, i);

                if (!dir)
                        continue;
                if (asprintf(&path, "%s/%s", dir, name) < 0) {
                        path = NULL;
                        return fault_set(fault, -ENOMEM, "no memory");
                }
                if (!is_program(path))
                        continue;
                if (dir == folders->user &&
                    (!only_root_writes(folders->user) || !only_root_writes(path)))
                        return fault_set(
                                fault, -EPERM,
                                "%s: not run: it and its folder must belong to root and be "
                                "writable by nobody else",
                                path);
                *ret_path = TAKE(path);
                return 0;
        }
        return fault_set(fault, -ENOENT, "no %s called %s", folders->what, name);
}

static int compare_names(const void *va, const void *vb)
{
        return strcmp(*(char *const *) va, *(char *const *) vb);
}

struct names {
        char **name;
        size_t n;
};

static void names_done(struct names *names)
{
        for (size_t i = 0; i < names->n; i++)
                free(names->name[i]);
        free(names->name);
}

static int add_name(struct names *names, const char *name)
{
        char **grown;

        for (size_t i = 0; i < names->n; i++)
                if (strcmp(names->name[i], name) == 0)
                        return 0;
        grown = reallocarray(names->name, names->n + 1, sizeof *grown);
        if (!grown)
                return -ENOMEM;
        names->name = grown;
        grown[names->n] = strdup(name);
        if (!grown[names->n])
                return -ENOMEM;
        names->n++;
        return 0;
}

int program_names(const struct program_folders *folders, char ***ret, size_t *ret_n,
                  void (*refused)(void *userdata, const char *reason), void *userdata,
                  struct fault *fault)
{
        CLEANUP(names_done) struct names names = { .n = 0 };
        int r = 0;

        for (size_t i = 0; i < FOLDERS; i++) {
                const char *path = folder(folders, i);
                DIR *dir = path ? opendir(path) : NULL;
                const struct dirent *d;

                while (r == 0 && dir && (d = readdir(dir))) {
                        CLEANUP(freep) char *found = NULL;
                        struct fault why = FAULT_NULL;
                        int code = program_find(folders, d->d_name, &found, &why);

                        if (code == 0)
                                r = add_name(&names, d->d_name);
                        else if (code == -EPERM && refused)
                                refused(userdata, why.text);
                }
                if (dir)
                        (void) closedir(dir);
        }
        if (r < 0)
                return fault_set(fault, r, "no memory");
        if (names.n > 1)
                qsort(names.name, names.n, sizeof *names.name, compare_names);
        *ret = TAKE(names.name);
        *ret_n = names.n;
        names.n = 0;
        return 0;
}
