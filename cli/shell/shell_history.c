/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines that were typed, in lists and in a file. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <readline/history.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shell_inner.h"

/* Lines that are kept; the file may have twice as many before it is cut. */
#define LINES_MAX 1000

/* A larger file is none of ours. */
#define FILE_MAX (4 << 20)

#define LISTS_MAX 8

struct list {
    const char *name;
    HISTORY_STATE *state; /* while it is not readline's */
    bool loaded;
};

static struct list lists[LISTS_MAX];
static struct list *current;

/* false: there is to be none. */
static bool file_path(char path[PATH_MAX])
{
    const char *named = getenv("MPROF_HISTORY");
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    int len;

    if (named)
        len = snprintf(path, PATH_MAX, "%s", named);
    else if (state && state[0] == '/')
        len = snprintf(path, PATH_MAX, "%s/mprof/history", state);
    else if (home && home[0])
        len = snprintf(path, PATH_MAX, "%s/.local/state/mprof/history", home);
    else
        return false;
    return len > 0 && len < PATH_MAX;
}

static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
}

/* A pipe or a device would be waited for. */
static bool is_usable(const char *path)
{
    struct stat about;

    if (stat(path, &about) != 0)
        return errno == ENOENT;
    return S_ISREG(about.st_mode) && about.st_size <= FILE_MAX;
}

/* The last lines take the place of the whole at once. */
static void cut_file(const char *path)
{
    char part[PATH_MAX];

    if (snprintf(part, sizeof(part), "%s.%ld", path, (long)getpid()) >= (int)sizeof(part))
        return;
    int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    close(fd);
    if (write_history(part) != 0 || rename(part, path) != 0)
        (void)unlink(part);
}

static void load(void)
{
    char path[PATH_MAX];

    if (!file_path(path) || !is_usable(path) || read_history(path) != 0)
        return;
    bool long_one = history_length > 2 * LINES_MAX;
    stifle_history(LINES_MAX);
    if (long_one)
        cut_file(path);
}

/* Each line at once: several shells share the file, and one may be killed. */
static void append(const char *line)
{
    char path[PATH_MAX];
    size_t len = strlen(line);

    if (!file_path(path) || !is_usable(path))
        return;
    if (!getenv("MPROF_HISTORY"))
        make_folders(path);
    char *whole = malloc(len + 2);
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (whole && fd >= 0) {
        memcpy(whole, line, len);
        whole[len] = '\n';
        (void)!write(fd, whole, len + 1);
    }
    free(whole);
    if (fd >= 0)
        close(fd);
}

static struct list *find(const char *name)
{
    for (size_t i = 0; i < LISTS_MAX; i++) {
        if (!lists[i].name)
            lists[i].name = name;
        if (strcmp(lists[i].name, name) == 0)
            return &lists[i];
    }
    return NULL;
}

bool shell_history_use(const char *name)
{
    HISTORY_STATE empty = {.entries = NULL};
    struct list *list = find(name);

    if (!list)
        return false;
    if (list != current) {
        if (current && !(current->state = history_get_history_state()))
            return false;
        history_set_history_state(list->state ? list->state : &empty);
        free(list->state);
        list->state = NULL;
        current = list;
    }
    if (!list->loaded && strcmp(name, "commands") == 0)
        load();
    list->loaded = true;
    stifle_history(LINES_MAX);
    using_history();
    return true;
}

void shell_history_add(const char *line)
{
    HIST_ENTRY *last = history_length ? history_get(history_base + history_length - 1) : NULL;

    if (!line[strspn(line, " \t")] || (last && strcmp(last->line, line) == 0))
        return;
    add_history(line);
    if (current && strcmp(current->name, "commands") == 0)
        append(line);
}
