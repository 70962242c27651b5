/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A copy of a large file's debug information that nobody can write over. */
#ifndef SYMBOL_DEBUG_COPY_H
#define SYMBOL_DEBUG_COPY_H

#include <elf/image.h>

/* Zeroed, there is none. */
struct debug_copy {
    void *bytes; /* as long as the file; what is not copied is zeros */
    size_t len;
    bool mapped; /* from a temporary file; otherwise bytes were allocated */
};

/* Copies the headers and the sections of debug information. Returns false if they cannot be read or
 * kept, or if the budget is over. copy is to be freed in every case. */
bool debug_copy_make(struct debug_copy *copy, const struct image *image);
void debug_copy_free(struct debug_copy *copy);

#endif
