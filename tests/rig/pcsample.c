/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a running core is: its PC in QEMU's own memory. */
#include "pcsample.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

/* r0 to r12, sp, lr and pc are one array of 32-bit words there. */
#define MARKED 8
#define PC     15
/* QEMU's own memory is in smaller pieces than that of the machine. */
#define PIECE_MAX (64U << 20)

static bool copy(pid_t pid, uint64_t from, void *to, size_t len)
{
    struct iovec ours = {.iov_base = to, .iov_len = len};
    struct iovec theirs = {.iov_base = (void *)(uintptr_t)from, .iov_len = len};

    return process_vm_readv(pid, &ours, 1, &theirs, 1, 0) == (ssize_t)len;
}

/* Returns where the marks are from start to end; 0: not there. */
static uint64_t search(pid_t pid, uint64_t start, uint64_t end, const uint32_t *marks)
{
    size_t len = (size_t)(end - start);
    uint32_t *words = malloc(len);
    uint64_t found = 0;

    if (words && copy(pid, start, words, len)) {
        for (size_t i = 0; !found && i + PC < len / sizeof(*words); i++)
            if (memcmp(words + i, marks, MARKED * sizeof(*marks)) == 0)
                found = start + i * sizeof(*words);
    }
    free(words);
    return found;
}

static uint64_t search_all(pid_t pid, const uint32_t *marks)
{
    char path[64], line[512], rights[8];
    uint64_t start, end, found = 0;

    snprintf(path, sizeof path, "/proc/%ld/maps", (long)pid);
    FILE *maps = fopen(path, "re");
    while (maps && !found && fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s", &start, &end, rights) == 3 &&
            strncmp(rights, "rw", 2) == 0 && end - start <= PIECE_MAX)
            found = search(pid, start, end, marks);
    }
    if (maps)
        fclose(maps);
    return found;
}

int pcsample_open(struct pcsample *sample, pid_t pid, struct gdbstub *stub, struct fault *fault)
{
    uint32_t before[MARKED], marks[MARKED];
    int result = gdbstub_read_registers(stub, before, MARKED);

    for (unsigned i = 0; result == 0 && i < MARKED; i++) {
        marks[i] = 0x9e3779b9U * (i + 1) + (uint32_t)pid;
        result = gdbstub_write_register(stub, i, marks[i]);
    }
    uint64_t found = result == 0 ? search_all(pid, marks) : 0;
    for (unsigned i = 0; result == 0 && i < MARKED; i++)
        result = gdbstub_write_register(stub, i, before[i]);
    if (result == 0 && found == 0)
        return fault_set(fault, "cannot find the core's registers in QEMU's memory");
    *sample = (struct pcsample){.pid = pid, .host = found + PC * sizeof(uint32_t)};
    return result;
}

static void note(struct pcsample *s, uint32_t pc)
{
    unsigned i = 0;

    while (i < s->place_count && s->places[i].pc != pc)
        i++;
    if (i == PCSAMPLE_PLACES) {
        s->elsewhere++;
        return;
    }
    s->places[i].pc = pc;
    s->places[i].count++;
    s->place_count += i == s->place_count;
}

int pcsample_read(struct pcsample *sample, uint32_t *pc)
{
    if (!copy(sample->pid, sample->host, pc, sizeof *pc))
        return -1;
    note(sample, *pc);
    return 0;
}
