/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binary output. */
#define _POSIX_C_SOURCE 200809L

#include "bytes.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <base/vec.h>

void bytes_add(struct bytes *to, const void *from, size_t count)
{
    if (to->failed || !VEC_ROOM(to->bytes, to->capacity, to->count, count)) {
        to->failed = true;
        return;
    }
    if (count != 0)
        memcpy(to->bytes + to->count, from, count);
    to->count += count;
}

void bytes_number(struct bytes *to, uint64_t number, size_t size)
{
    uint8_t part[8];

    for (size_t i = 0; i < size; i++)
        part[i] = (uint8_t)(number >> 8 * i);
    bytes_add(to, part, size);
}

void bytes_varint(struct bytes *to, uint64_t number)
{
    uint8_t part[10];
    size_t count = 0;

    for (; number >= 0x80; number >>= 7)
        part[count++] = (uint8_t)(number | 0x80);
    part[count++] = (uint8_t)number;
    bytes_add(to, part, count);
}

void bytes_string(struct bytes *to, const char *text)
{
    bytes_add(to, text, strlen(text) + 1);
}

struct bytes *track_bytes_at(struct track_bytes *tracks, size_t track)
{
    struct track_bytes *t = tracks;

    if (track >= t->count && !VEC_ROOM(t->of, t->capacity, t->count, track + 1 - t->count))
        return NULL;
    for (; t->count <= track; t->count++)
        t->of[t->count] = (struct bytes){.count = 0};
    return &t->of[track];
}

void track_bytes_free(struct track_bytes *tracks)
{
    for (size_t i = 0; i < tracks->count; i++)
        free(tracks->of[i].bytes);
    free(tracks->of);
}

static bool fail(struct trace_export *x, const char *name)
{
    return trace_export_fail(x, EXPORT_EWRITE, "%s: %s", name,
                             errno ? strerror(errno) : "the disk is full");
}

FILE *trace_export_file(struct trace_export *x, const char *name, const char *mode)
{
    char path[PATH_MAX];
    FILE *file = NULL;

    errno = ENAMETOOLONG;
    if ((size_t)snprintf(path, sizeof(path), "%s/%s", x->folder, name) < sizeof(path))
        file = fopen(path, mode);
    if (!file)
        (void)fail(x, name);
    return file;
}

bool trace_export_close(struct trace_export *x, const char *name, FILE *file)
{
    errno = 0;
    bool good = fflush(file) == 0 && !ferror(file);
    int saved = errno;

    good = fclose(file) == 0 && good;
    errno = saved;
    return good || fail(x, name);
}

bool trace_export_append(struct trace_export *x, const char *name, struct bytes *bytes)
{
    if (bytes->failed)
        return false;
    FILE *file = trace_export_file(x, name, "ab");
    if (!file)
        return false;
    setvbuf(file, NULL, _IONBF, 0);
    errno = 0;
    bool good = fwrite(bytes->bytes, 1, bytes->count, file) == bytes->count || fail(x, name);
    bytes->count = 0;
    return trace_export_close(x, name, file) && good;
}
