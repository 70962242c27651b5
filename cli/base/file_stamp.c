/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells files apart by their stamps. */
#define _POSIX_C_SOURCE 200809L

#include <base/file_stamp.h>

#include <sys/stat.h>

struct file_stamp file_stamp_of(const struct stat *about)
{
    return (struct file_stamp){.device = about->st_dev,
                               .inode = about->st_ino,
                               .size = about->st_size,
                               .changed = about->st_mtim};
}

struct file_stamp file_stamp_at(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 ? file_stamp_of(&about) : (struct file_stamp){.size = -1};
}

/* Field by field: what fills the gaps between them may differ. */
bool file_stamp_same(const struct file_stamp *a, const struct file_stamp *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}
