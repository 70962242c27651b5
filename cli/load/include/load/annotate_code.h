/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instructions of a function for an annotation: with waiting, or in the background. */
#ifndef LOAD_ANNOTATE_CODE_H
#define LOAD_ANNOTATE_CODE_H

#include <time.h>

#include <code/disasm.h>
#include <load/elf_file.h>
#include <ranking/annotate.h>

/* Returns when the file at path was last written; 0: not known. */
time_t annotate_written_at(const char *path);

/* Fills the listings of an annotation's parts, and waits for gdb. elf is the path of the ELF file,
 * bias as in disasm_open(). If instructions are missing, adds a note that says why. A signal ends
 * the wait (signals_stop()). */
void annotate_disassemble(struct annotation *annotation, const char *elf, uint64_t bias,
                          const struct disasm_gdb *gdb);

/* Size of the text why, bytes with the NUL. */
#define CODE_TEXT_MAX 600

/* A request in the background. Zeroed memory is none. */
struct annotate_code {
    struct disasm *disasm;   /* owned; NULL: nothing is in progress */
    char *path;              /* of the ELF file; owned */
    struct file_stamp stamp; /* of that file when its symbols were loaded */
    uint64_t bias;           /* as in disasm_open() */
    /* The parts of the annotation. */
    struct {
        uint64_t addr, size;
        struct listing listing; /* owned */
    } parts[ANNOTATE_PARTS_MAX];
    size_t count;            /* parts in use */
    size_t part;             /* the part in progress */
    char why[CODE_TEXT_MAX]; /* why instructions are missing; "": none are, or in progress */
};

/* Requests the instructions of an annotation's parts. Functions of the same file that were listed
 * before are there at once. *code must be zeroed; the caller calls annotate_code_end() in any case.
 */
void annotate_code_begin(struct annotate_code *code, const struct elf_file *elf,
                         const struct disasm_gdb *gdb, const struct annotation *annotation);

/* Kills gdb and frees the request. Complete listings stay in a cache of the process. */
void annotate_code_end(struct annotate_code *code);

/* Reads what gdb has sent, without waiting. Returns true when the request has just ended, complete
 * or not. */
bool annotate_code_step(struct annotate_code *code);

/* Copies the listings to an annotation's parts, before annotate_build(). Adds a note if they are
 * not complete. Returns false if memory runs out. */
bool annotate_code_give(const struct annotate_code *code, struct annotation *annotation)
    __attribute__((warn_unused_result));

/* Returns a descriptor for poll(), readable when gdb has sent something; -1: nothing is in
 * progress. */
int annotate_code_fd(const struct annotate_code *code);

/* Frees the cache of listings. */
void annotate_code_forget(void);

#endif
