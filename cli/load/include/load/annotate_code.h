/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands in a function, for who waits for it and for who cannot. */
#ifndef LOAD_ANNOTATE_CODE_H
#define LOAD_ANNOTATE_CODE_H

#include <time.h>

#include <code/disasm.h>
#include <load/elf_file.h>
#include <ranking/annotate.h>

/* When the file was written last; 0: not known. */
time_t annotate_written_at(const char *path);

/* Fills the listings of the annotation's parts, waiting for gdb; what is missing, and why, is a
 * note. bias: the program was loaded so much above where the ELF says. */
void annotate_disassemble(struct annotation *annotation, const char *elf, uint64_t bias,
                          const struct disasm_gdb *gdb);

#define CODE_TEXT_MAX 600

/* The same in the background. Zeroed, nothing is wanted. */
struct annotate_code {
    struct disasm *disasm; /* NULL: nothing is on its way */
    char *path;
    struct file_stamp stamp;
    uint64_t bias;
    struct {
        uint64_t addr, size;
        struct listing listing;
    } parts[ANNOTATE_PARTS_MAX];
    size_t count, part;      /* of them; which one is being listed */
    char why[CODE_TEXT_MAX]; /* it is not all there; "": it is, or is on its way */
};

/* Wants what stands in the annotation's parts. A function of the same file that was listed before
 * is there at once. *code, zeroed before, is to be given to annotate_code_end() in any case. */
void annotate_code_begin(struct annotate_code *code, const struct elf_file *elf,
                         const struct disasm_gdb *gdb, const struct annotation *annotation);

/* Ends gdb at once, and forgets all but what other functions may ask for again. */
void annotate_code_end(struct annotate_code *code);

/* Takes what has come. true: now it is all there, or will never be. */
bool annotate_code_step(struct annotate_code *code);

/* Copies what is there to the annotation's parts, before it is built. false: no memory. */
bool annotate_code_give(const struct annotate_code *code, struct annotation *annotation)
    __attribute__((warn_unused_result));

/* Readable when there is something to take; -1: nothing is on its way. */
int annotate_code_fd(const struct annotate_code *code);

/* Forgets all listings that are kept. */
void annotate_code_forget(void);

#endif
