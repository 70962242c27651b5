/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Disassembles functions of an ELF file with a gdb, without a target. */
#ifndef CODE_DISASM_H
#define CODE_DISASM_H

#include <stdint.h>

#include <code/listing.h>

/* A running gdb. */
struct disasm;

/* Which gdb to use. */
struct disasm_gdb {
    const char *command; /* shell command; NULL: gdb-multiarch or gdb, whichever is in PATH */
    int timeout_ms;      /* makes the times of disasm_step() longer */
};

/* Largest function that is disassembled, bytes. */
#define DISASM_MAX (1U << 20)

/*
 * Starts a gdb for the ELF file at path, without waiting for it. Addresses are those of the file
 * plus bias, modulo 2^64. On success *disasm belongs to the caller, who ends it with
 * disasm_close(). Returns false, and writes one line to text, on failure; *disasm is unchanged
 * then.
 */
bool disasm_open(const char *path, const struct disasm_gdb *gdb, uint64_t bias,
                 struct disasm **disasm, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* Kills gdb and frees the object. NULL is allowed and does nothing. */
void disasm_close(struct disasm *disasm);

/*
 * Requests a listing of size bytes from addr on: instructions, and data if mapping symbols of the
 * file say so. disasm_step() adds them to *listing, which is borrowed until it returns DISASM_DONE
 * or DISASM_FAILED. Do not request another one before that.
 */
void disasm_want(struct disasm *disasm, uint64_t addr, uint64_t size, struct listing *listing);

/* Result of disasm_step(). */
enum disasm_progress {
    DISASM_WORKS, /* call again when disasm_fd() is readable, and at least several times a second */
    DISASM_DONE,  /* the listing is complete */
    DISASM_FAILED /* the listing stays incomplete, and gdb can no longer be used; see text */
};

/* Continues a listing for at most wait_ms; 0: only with what gdb has sent. gdb has 30 s to start,
 * 10 s for an answer and 60 s for a listing, or timeout_ms if that is longer. On failure writes one
 * line to text. */
enum disasm_progress disasm_step(struct disasm *disasm, int wait_ms, char *text, size_t capacity);

/* Returns a descriptor for poll(), which stays the object's; -1 if there is none. */
int disasm_fd(const struct disasm *disasm);

/* Requests a listing and waits until it is complete. stop() is called several times a second: once
 * it returns true, the wait ends, and the listing stays incomplete. Returns false, and writes one
 * line to text, on failure or after that; then only disasm_close() may be called. */
bool disasm_list(struct disasm *disasm, uint64_t addr, uint64_t size, struct listing *listing,
                 bool (*stop)(void), char *text, size_t capacity)
    __attribute__((warn_unused_result));

#endif
