/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions of an ELF file, of any machine that a gdb knows. No target is needed. */
#ifndef CODE_DISASM_H
#define CODE_DISASM_H

#include <stdint.h>

#include <code/listing.h>

struct disasm;

/* The gdb that disassembles. */
struct disasm_gdb {
    const char *command; /* NULL: the first one of gdb-multiarch and gdb that is in the PATH */
    int timeout_ms;      /* it has as long as that for each thing, if that is longer */
};

/* A function that is longer is not disassembled, in bytes. */
#define DISASM_MAX (1U << 20)

/*
 * Opens the ELF file at path and starts a gdb for it. Addresses are those of a program that was
 * loaded bias bytes above where the file says (modulo 2^64). Nothing is waited for: what comes of
 * it disasm_step() tells. On success *disasm is the caller's, to be given to disasm_close().
 * false: it is untouched and text (capacity bytes) says in one line what is missing or wrong.
 */
bool disasm_open(const char *path, const struct disasm_gdb *gdb, uint64_t bias,
                 struct disasm **disasm, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* Ends gdb at once, whatever it is at; NULL does nothing. */
void disasm_close(struct disasm *disasm);

/*
 * What stands from addr on, size bytes, is to be added to a listing, which is borrowed until that
 * is done or has failed: instructions, and data where the file's mapping symbols say so. Not before
 * what was wanted last is done.
 */
void disasm_want(struct disasm *disasm, uint64_t addr, uint64_t size, struct listing *listing);

enum disasm_progress {
    DISASM_WORKS, /* it goes on: call again when disasm_fd() is readable, and now and then */
    DISASM_DONE,  /* the listing is whole */
    DISASM_FAILED /* text says in one line why there is no more than what was added; it is over */
};

/* Goes on with what is wanted for wait_ms at most, 0: with what has arrived. gdb has 30 s for its
 * start, 10 s for an answer, and 60 s for a listing, or the timeout where that is longer. */
enum disasm_progress disasm_step(struct disasm *disasm, int wait_ms, char *text, size_t capacity);

/* -1: there is none. */
int disasm_fd(const struct disasm *disasm);

/* The same, waiting until it is done. */
bool disasm_list(struct disasm *disasm, uint64_t addr, uint64_t size, struct listing *listing,
                 char *text, size_t capacity) __attribute__((warn_unused_result));

#endif
