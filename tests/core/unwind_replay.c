/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unwinds halted cores that a test has recorded.
 *
 * usage: unwind-replay ELF < RECORDS
 * A record is 36 registers, their mask, and of two pieces of memory the address and the length, 8
 * bytes each in the order of this machine, and the bytes of both. The second one is what has to be
 * asked for. For each record a line is written: the end (0:
 * complete), the frames in hexadecimal, "i" before one that was interrupted; ":" and why it ended.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <symbol/symtab.h>
#include <unwind/unwind.h>

struct piece {
    uint64_t addr, len;
};

struct record {
    struct unwind_registers registers;
    struct piece pieces[2];
};

static uint8_t bytes[2][1 << 16];

static bool read_second(void *context, uint64_t addr, void *to, size_t len)
{
    const struct piece *piece = context;
    uint64_t at = addr - piece->addr;

    if (at >= piece->len || len > piece->len - at)
        return false;
    memcpy(to, bytes[1] + at, len);
    return true;
}

static void unwind_one(struct unwinder *unwinder, struct record *record)
{
    struct unwind_frame frames[64];
    struct unwind_stack stack = {.frames = frames, .max = 64};
    struct unwind_memory memory = {.addr = record->pieces[0].addr,
                                   .bytes = bytes[0],
                                   .len = record->pieces[0].len,
                                   .read = read_second,
                                   .context = &record->pieces[1]};

    unwind(unwinder, &record->registers, &memory, &stack);
    printf("%d", stack.end);
    for (size_t i = 0; i < stack.count; i++)
        printf(" %s%" PRIx64, frames[i].interrupted ? "i" : "", frames[i].pc);
    printf(":%s\n", stack.why);
}

static bool read_pieces(const struct record *record)
{
    for (int i = 0; i < 2; i++) {
        size_t len = record->pieces[i].len;
        if (len > sizeof(bytes[i]) || fread(bytes[i], 1, len, stdin) != len)
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    struct symtab *symtab;
    struct record record;
    char text[300];

    if (argc != 2 || symtab_load(argv[1], &symtab, text, sizeof(text)) != SYMTAB_OK)
        return 2;
    struct unwinder *unwinder = unwinder_new(symtab, text, sizeof(text));
    if (!unwinder) {
        fprintf(stderr, "%s\n", text);
        return 1;
    }
    while (fread(&record, sizeof(record), 1, stdin) == 1) {
        if (!read_pieces(&record))
            return 2;
        unwind_one(unwinder, &record);
    }
    unwinder_free(unwinder);
    symtab_free(symtab);
    return 0;
}
