/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions of an ELF file, of any machine that a gdb knows. No target is needed. */
#ifndef CODE_DISASM_H
#define CODE_DISASM_H

#include <stdint.h>

#include <code/listing.h>

struct disasm;

/* A function that is longer is not disassembled, in bytes. */
#define DISASM_MAX (1U << 20)

/*
 * Opens the ELF file at path and starts a gdb for it: by the command, or where that is NULL by the
 * first one of gdb-multiarch and gdb that is in the PATH. On success *disasm is the caller's, to be
 * given to disasm_close(). false: it is untouched and text (capacity bytes) says in one line what
 * is missing or wrong.
 */
bool disasm_open(const char *path, const char *command, struct disasm **disasm, char *text,
                 size_t capacity) __attribute__((warn_unused_result));
void disasm_close(struct disasm *disasm);

/* From now on addresses are those of a program that was loaded bias bytes above where the file says
 * (modulo 2^64). At most once. false: text says why not. */
bool disasm_relocate(struct disasm *disasm, uint64_t bias, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/*
 * Adds what stands from addr on, size bytes, to a listing: instructions, and data where the file's
 * mapping symbols say so. It takes 60 s at most. false: text says in one line why there is no more
 * than what was added.
 */
bool disasm_list(struct disasm *disasm, uint64_t addr, uint64_t size, struct listing *listing,
                 char *text, size_t capacity) __attribute__((warn_unused_result));

#endif
