/* collectors/maildir_list.c - readdir, and sorting by what it or FIEMAP told */
#include "collectors/maildir_list.h"
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <linux/fiemap.h>
#include <linux/fs.h>

void maildir_list_done(struct maildir_list *l)
{
        for (size_t i = 0; i < l->n; i++)
                free(l->entries[i].name);
        free(l->entries);
        *l = MAILDIR_LIST_NULL;
}

static int append(struct maildir_list *l, size_t *room, const struct dirent *d)
{
        if (l->n == *room) {
                size_t more = *room ? *room * 2 : 256;
                struct maildir_entry *grown = reallocarray(l->entries, more, sizeof *grown);

                if (!grown)
                        return -ENOMEM;
                l->entries = grown;
                *room = more;
        }
        l->entries[l->n] = (struct maildir_entry){ .name = strdup(d->d_name), .inode = d->d_ino };
        if (!l->entries[l->n].name)
                return -ENOMEM;
        l->n++;
        return 0;
}

int maildir_list_folder(const char *folder, struct maildir_list *ret, struct fault *fault)
{
        CLEANUP(maildir_list_done) struct maildir_list l = MAILDIR_LIST_NULL;
        DIR *dir = opendir(folder);
        const struct dirent *d;
        size_t room = 0;
        int r = 0;

        if (!dir)
                return fault_errno(fault, -errno, "%s", folder);
        errno = 0;
        while (r == 0 && (d = readdir(dir))) {
                if (d->d_name[0] != '.')
                        r = append(&l, &room, d);
                errno = 0;
        }
        if (r == 0 && errno)
                r = -errno;
        (void) closedir(dir);
        if (r < 0)
                return fault_errno(fault, r, "%s", folder);
        *ret = l;
        l = MAILDIR_LIST_NULL;
        return 0;
}

static uint64_t first_block(int folder_fd, const char *name)
{
        /* One extent is asked for; the union gives the array at the end its room. */
        union {
                struct fiemap map;
                char room[sizeof(struct fiemap) + sizeof(struct fiemap_extent)];
        } u = { .map = { .fm_length = FIEMAP_MAX_OFFSET, .fm_extent_count = 1 } };
        CLEANUP(closep) int fd = -EBADF;
        struct stat st;

        if (fstatat(folder_fd, name, &st, 0) < 0 || !S_ISREG(st.st_mode))
                return 0;
        fd = openat(folder_fd, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        if (fd < 0 || ioctl(fd, FS_IOC_FIEMAP, &u.map) < 0 || u.map.fm_mapped_extents == 0 ||
            (u.map.fm_extents[0].fe_flags & (FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_DELALLOC)))
                return 0;
        return u.map.fm_extents[0].fe_physical;
}

static int compare_inodes(const void *va, const void *vb)
{
        const struct maildir_entry *a = va, *b = vb;

        return (a->inode > b->inode) - (a->inode < b->inode);
}

/* compare_places() - what has no place of its own (inline, empty) goes by its inode, first */
static int compare_places(const void *va, const void *vb)
{
        const struct maildir_entry *a = va, *b = vb;

        if (a->physical_bytes != b->physical_bytes)
                return a->physical_bytes > b->physical_bytes ? 1 : -1;
        return compare_inodes(a, b);
}

void maildir_list_order(struct maildir_list *l, const char *folder, enum maildir_order order)
{
        CLEANUP(closep) int folder_fd = -EBADF;

        if (order == MAILDIR_READDIR || l->n == 0)
                return;
        if (order == MAILDIR_INODE) {
                qsort(l->entries, l->n, sizeof *l->entries, compare_inodes);
                return;
        }
        /* Asking reads inodes too, so it is done in their order. */
        qsort(l->entries, l->n, sizeof *l->entries, compare_inodes);
        folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        for (size_t i = 0; i < l->n; i++) {
                l->entries[i].physical_bytes = first_block(folder_fd, l->entries[i].name);
                l->n_unplaced += l->entries[i].physical_bytes == 0;
        }
        qsort(l->entries, l->n, sizeof *l->entries, compare_places);
}
