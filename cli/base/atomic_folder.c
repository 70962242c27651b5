/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folders that are written whole or not at all. */
#define _XOPEN_SOURCE 700

#include <base/atomic_folder.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The hidden file: a line for each other file. */
#define LIST ".mprof"

static bool join(char path[PATH_MAX], const char *folder, const char *name)
{
    if ((size_t)snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

static bool is_dot(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Whether a line of the list is name; NULL: there is no list. */
static bool is_listed(FILE *list, const char *name)
{
    char line[NAME_MAX + 2];

    if (!list)
        return false;
    rewind(list);
    while (fgets(line, sizeof(line), list)) {
        line[strcspn(line, "\n")] = '\0';
        if (strcmp(line, name) == 0)
            return true;
    }
    return strcmp(name, LIST) == 0;
}

static FILE *open_list(const char *folder, const char *mode)
{
    char path[PATH_MAX];

    return join(path, folder, LIST) ? fopen(path, mode) : NULL;
}

/* Whether a folder has no files, or the listed ones only. */
static bool is_ours(const char *path)
{
    DIR *folder = opendir(path);
    FILE *list = open_list(path, "r");
    bool ours = folder != NULL;

    for (struct dirent *entry; ours && (entry = readdir(folder)) != NULL;)
        ours = is_dot(entry->d_name) || is_listed(list, entry->d_name);
    if (list)
        fclose(list);
    if (folder)
        closedir(folder);
    return ours;
}

/* Writes the list of the files of a folder. */
static bool write_list(const char *path)
{
    DIR *folder = opendir(path);
    FILE *list = folder ? open_list(path, "w") : NULL;
    bool good = list != NULL;

    for (struct dirent *entry; good && (entry = readdir(folder)) != NULL;)
        if (!is_dot(entry->d_name) && strcmp(entry->d_name, LIST) != 0)
            good = fprintf(list, "%s\n", entry->d_name) > 0;
    if (list)
        good = fclose(list) == 0 && good;
    if (folder)
        closedir(folder);
    return good;
}

/* Removes a folder with its files. */
static void remove_all(const char *path)
{
    DIR *folder = opendir(path);
    char name[PATH_MAX];

    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;)
        if (!is_dot(entry->d_name) && join(name, path, entry->d_name))
            unlink(name);
    if (folder)
        closedir(folder);
    rmdir(path);
}

static bool make_beside(const char *path, char name[PATH_MAX])
{
    if ((size_t)snprintf(name, PATH_MAX, "%s.XXXXXX", path) < PATH_MAX)
        return mkdtemp(name) != NULL;
    errno = ENAMETOOLONG;
    return false;
}

bool atomic_folder_open(struct atomic_folder *folder, const char *path)
{
    struct stat about;
    size_t len = strlen(path);

    while (len > 1 && path[len - 1] == '/')
        len--;
    if (len >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(folder->path, path, len);
    folder->path[len] = '\0';
    if (stat(folder->path, &about) == 0 && (!S_ISDIR(about.st_mode) || !is_ours(folder->path))) {
        errno = EEXIST;
        return false;
    }
    return make_beside(folder->path, folder->name);
}

/* As any new folder. */
static bool open_to_others(const char *path)
{
    mode_t mask = umask(0);

    umask(mask);
    return chmod(path, 0777 & ~mask) == 0;
}

/* What was there goes aside first, and is removed only when the new folder is in its place. */
static bool take_place(const struct atomic_folder *folder)
{
    char aside[PATH_MAX];

    if (rename(folder->name, folder->path) == 0)
        return true; /* there was none, or an empty one */
    if (!is_ours(folder->path) || !make_beside(folder->path, aside))
        return false;
    if (rename(folder->path, aside) == 0) {
        if (rename(folder->name, folder->path) == 0) {
            remove_all(aside);
            return true;
        }
        (void)!rename(aside, folder->path);
    }
    int saved = errno;
    rmdir(aside);
    errno = saved;
    return false;
}

bool atomic_folder_close(struct atomic_folder *folder, bool done)
{
    done = done && write_list(folder->name) && open_to_others(folder->name) && take_place(folder);
    if (done)
        return true;
    int saved = errno;
    remove_all(folder->name);
    errno = saved;
    return false;
}
