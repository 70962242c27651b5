/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads chunks of a trace file, and finds the next recording after what is damaged. */
#define _POSIX_C_SOURCE 200809L

#include "chunks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/file.h>
#include <base/vec.h>
#include <trace/reader.h>

/* The first chunk of a recording is small, so that looking for one takes little. */
#define RUN_MAX     4096
#define SEARCH_SIZE 65536

bool chunk_out_of_memory(struct chunk_file *file, bool have)
{
    if (!have)
        file->failure = "out of memory";
    return !have;
}

/* Reads len bytes at a place in the file. */
static bool read_at(struct chunk_file *f, uint64_t at, void *bytes, size_t len)
{
    size_t have = 0;

    while (have < len) {
        ssize_t got = pread(f->fd, (uint8_t *)bytes + have, len - have, (off_t)(at + have));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            f->failure = got == 0 ? "it became shorter" : strerror(errno);
            return false;
        }
        have += (size_t)got;
    }
    return true;
}

static bool read_header(struct chunk_file *f, uint64_t at, struct chunk_header *header)
{
    uint8_t bytes[RECORDS_CHUNK];

    if (!read_at(f, at, bytes, sizeof(bytes)))
        return false;
    *header = (struct chunk_header){record_get32(bytes), record_get32(bytes + 4),
                                    record_get32(bytes + 8)};
    return true;
}

enum chunk chunk_read(struct chunk_file *file, uint64_t at, size_t most,
                      struct chunk_header *header)
{
    struct chunk_file *f = file;
    uint64_t left = f->size - at;

    if (left < RECORDS_CHUNK)
        return CHUNK_CUT;
    if (!read_header(f, at, header) || header->len > most)
        return CHUNK_BAD;
    if (header->len > left - RECORDS_CHUNK)
        return CHUNK_CUT;
    if (chunk_out_of_memory(f, VEC_ROOM(f->bytes, f->capacity, 0, (size_t)header->len + 1)) ||
        !read_at(f, at + RECORDS_CHUNK, f->bytes, header->len) ||
        record_sum(header->kind, f->bytes, header->len) != header->sum)
        return CHUNK_BAD;
    return CHUNK_WHOLE;
}

uint64_t chunk_find_run(struct chunk_file *file, uint64_t from)
{
    struct chunk_file *f = file;
    uint8_t letters[4], *block = malloc(SEARCH_SIZE);
    struct chunk_header header;
    uint64_t found = f->size;

    record_put32(letters, RECORDS_RUN);
    (void)chunk_out_of_memory(f, block != NULL);
    while (found == f->size && !f->failure && f->size >= from + RECORDS_CHUNK) {
        size_t len = f->size - from < SEARCH_SIZE ? (size_t)(f->size - from) : SEARCH_SIZE;
        if (!read_at(f, from, block, len))
            break;
        for (size_t i = 0; found == f->size && i + sizeof(letters) <= len; i++) {
            if (memcmp(block + i, letters, sizeof(letters)) == 0 &&
                chunk_read(f, from + i, RUN_MAX, &header) == CHUNK_WHOLE)
                found = from + i;
        }
        from += len - (sizeof(letters) - 1);
    }
    free(block);
    return found;
}

bool trace_file_is(const char *path)
{
    uint8_t header[RECORDS_HEADER];
    struct stat about;
    size_t have = 0;
    unsigned major;
    int fd = file_open(path, "a trace", &about, NULL);

    if (fd < 0)
        return false;
    bool is = file_read(fd, header, sizeof(header), &have) && have == sizeof(header) &&
              record_is_header(header, &major);
    close(fd);
    return is;
}

bool chunk_file_open(struct chunk_file *file, const char *path, char text[TRACE_TEXT])
{
    struct chunk_file *f = file;
    char why[FILE_WHY_MAX];
    uint8_t header[RECORDS_HEADER];
    struct stat about;
    unsigned major;

    f->fd = file_open(path, "a trace", &about, why);
    if (f->fd < 0) {
        snprintf(text, TRACE_TEXT, "%s: %s", path, why);
        return false;
    }
    f->size = (uint64_t)about.st_size;
    if (f->size < RECORDS_HEADER || !read_at(f, 0, header, sizeof(header)) ||
        !record_is_header(header, &major))
        snprintf(text, TRACE_TEXT, "%s: this is not a trace: 'mprof trace --record' writes them",
                 path);
    else if (major != RECORDS_MAJOR)
        snprintf(text, TRACE_TEXT,
                 "%s: the file has version %u, this mprof reads version %u: use a later mprof",
                 path, major, RECORDS_MAJOR);
    else
        return true;
    return false;
}

void chunk_file_close(struct chunk_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    free(file->bytes);
}
