/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds source files and cuts them into lines that are safe to show. */
#include <code/source.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/file.h>
#include <base/utf8.h>

/* Of a path, so many folders from its end are looked for. */
#define PARTS_MAX 40

/* -1: there is no such file, or it is too long. */
static int open_file(const char *path, struct stat *about)
{
    int fd = file_open(path, "a source file", about, NULL);

    if (fd < 0 || about->st_size <= (off_t)SOURCE_MAX)
        return fd;
    close(fd);
    return -1;
}

/* The next longer end of a path: from is where the last one began. */
static const char *longer_end(const char *name, const char *from)
{
    if (from == name)
        return NULL;
    from--;
    while (from > name && from[-1] != '/')
        from--;
    return from;
}

/* The longest end of name that is a file in the folder. */
static int open_under(const char *folder, const char *name, char *path, size_t capacity,
                      struct stat *about)
{
    const char *ends[PARTS_MAX];
    size_t count = 0;

    for (const char *end = longer_end(name, name + strlen(name)); end && count < PARTS_MAX;
         end = longer_end(name, end))
        ends[count++] = end;
    while (count-- > 0) {
        int len = snprintf(path, capacity, "%s/%s", folder, ends[count]);
        int fd = len > 0 && (size_t)len < capacity ? open_file(path, about) : -1;
        if (fd >= 0)
            return fd;
    }
    return -1;
}

static int find(const char *name, char *const *folders, char *path, size_t capacity,
                struct stat *about)
{
    int fd = -1;

    if (strlen(name) < capacity) {
        strcpy(path, name);
        fd = open_file(path, about);
    }
    for (; fd < 0 && folders && *folders; folders++)
        fd = open_under(*folders, name, path, capacity, about);
    return fd;
}

/* Bytes of the UTF-8 character at s, 0: it is none that can be shown. */
static size_t good_char(const char *s)
{
    struct utf8_char c = utf8_next(s);

    return c.code == UTF8_WRONG || utf8_is_control(c.code) ? 0 : c.len;
}

/* After the len bytes there is one that no character goes on with: the end of a line, or a NUL. */
static char *clean_line(const char *from, size_t len)
{
    char line[SOURCE_LINE_MAX + SOURCE_TAB + 4];
    size_t at = 0, cells = 0;

    while (len > 0 && at < SOURCE_LINE_MAX) {
        size_t step = good_char(from);
        size_t blanks = from[0] == '\t' ? SOURCE_TAB - cells % SOURCE_TAB : 0;
        memset(line + at, ' ', blanks);
        if (step > 0)
            memcpy(line + at, from, step);
        else if (blanks == 0)
            line[at] = '?';
        at += step ? step : blanks ? blanks : 1;
        cells += blanks ? blanks : 1;
        step = step ? step : 1;
        from += step;
        len -= step;
    }
    while (at > 0 && line[at - 1] == ' ')
        at--;
    line[at] = '\0';
    return strdup(line);
}

/* The bytes end in a NUL, which is not counted. */
static bool cut(struct source_file *file, const char *bytes, size_t len)
{
    size_t count = 1;

    for (size_t i = 0; i < len; i++)
        count += bytes[i] == '\n';
    file->lines = calloc(count, sizeof(*file->lines));
    if (!file->lines)
        return false;
    while (len > 0) {
        const char *newline = memchr(bytes, '\n', len);
        size_t line = newline ? (size_t)(newline - bytes) : len;
        size_t shown = line > 0 && bytes[line - 1] == '\r' ? line - 1 : line;
        file->lines[file->count] = clean_line(bytes, shown);
        if (!file->lines[file->count++])
            return false;
        line += newline != NULL;
        bytes += line;
        len -= line;
    }
    return true;
}

bool source_read(const char *name, char *const *folders, struct source_file *file)
{
    char path[PATH_MAX];
    struct stat about;

    *file = (struct source_file){.path = NULL};
    int fd = find(name, folders, path, sizeof(path), &about);
    if (fd < 0)
        return true;
    size_t size = (size_t)about.st_size;
    char *bytes = malloc(size + 1);
    file->path = strdup(path);
    file->modified = about.st_mtime;
    size_t len = 0;
    if (bytes)
        (void)!file_read(fd, bytes, size, &len); /* what cannot be read is left out */
    close(fd);
    if (bytes)
        bytes[len] = '\0';
    bool done = bytes && file->path && cut(file, bytes, len);
    free(bytes);
    return done;
}

void source_free(struct source_file *file)
{
    for (size_t i = 0; i < file->count; i++)
        free(file->lines[i]);
    free(file->lines);
    free(file->path);
    *file = (struct source_file){.path = NULL};
}

const char *source_line(const struct source_file *file, unsigned line)
{
    return line > 0 && line <= file->count ? file->lines[line - 1] : NULL;
}
