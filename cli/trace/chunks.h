/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the chunks of a trace file. */
#ifndef TRACE_CHUNKS_H
#define TRACE_CHUNKS_H

#include <trace/writer.h>

#include "records.h"

/* A file that is read. */
struct chunk_file {
    int fd;         /* -1: not open */
    uint64_t size;  /* bytes, when it was opened */
    uint8_t *bytes; /* owned; contents of the last chunk */
    size_t capacity;
    const char *failure; /* why reading failed, NULL: it did not */
};

struct chunk_header {
    uint32_t kind, len, sum; /* len: bytes of the contents */
};

enum chunk {
    CHUNK_WHOLE,
    CHUNK_CUT, /* the file ends in it */
    CHUNK_BAD, /* its checksum is wrong, or reading failed */
};

/* Opens a file, and checks its header. Returns false, with one line in text, on failure. */
bool chunk_file_open(struct chunk_file *file, const char *path, char text[TRACE_TEXT]);
void chunk_file_close(struct chunk_file *file);

/* Returns !have. If memory was not there, sets failure, which ends the reading. */
bool chunk_out_of_memory(struct chunk_file *file, bool have);

/* Reads the chunk at a place in the file, with contents of at most most bytes. */
enum chunk chunk_read(struct chunk_file *file, uint64_t at, size_t most,
                      struct chunk_header *header);

/* Returns where the first chunk of the next recording is, from a place on; the size of the file:
 * there is none, or reading failed. */
uint64_t chunk_find_run(struct chunk_file *file, uint64_t from);

#endif
