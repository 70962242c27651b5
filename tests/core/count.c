/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A TCG plugin of QEMU that counts executed instructions in ranges of addresses, exactly. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "qemu_plugin.h"

/*
 * Arguments, all hexadecimal without 0x:
 *   range=NAME:START:END   counts instructions at START <= address < END; up to 32768 of them
 *   each=START:END         a range for each two bytes, whose name is its address
 *   out=FILE               where the counts are, see struct counts; kept up to date while QEMU runs
 *   mark=BEGIN:END         addresses of two instructions; each time END is executed after BEGIN, a
 *                          line is written to log: for every range what was counted in between
 *   log=FILE
 * For one virtual processor. Both files are in the host's byte order and written over.
 */

int qemu_plugin_version = 1;

enum { RANGES_MAX = 32768, NAME_MAX_LEN = 40 };

struct range {
    char name[NAME_MAX_LEN]; /* NUL-terminated */
    uint64_t start;
    uint64_t end;
    uint64_t executed;
};

/* The file: 16 bytes, then count entries of 64 bytes. */
struct counts {
    char magic[8]; /* "mpcount1" */
    uint64_t count;
    struct range ranges[RANGES_MAX];
};

struct marks {
    uint64_t begin;
    uint64_t end;
    bool begun;
    uint64_t executed[RANGES_MAX]; /* when begun */
    FILE *log;
};

/* QEMU's translation callback has no room for data of ours. */
static struct counts *s_counts;
static struct marks s_marks;

static void begin_mark(unsigned cpu, void *data)
{
    (void)cpu;
    (void)data;
    for (uint64_t i = 0; i < s_counts->count; i++)
        s_marks.executed[i] = s_counts->ranges[i].executed;
    s_marks.begun = true;
}

static void end_mark(unsigned cpu, void *data)
{
    (void)cpu;
    (void)data;
    if (!s_marks.begun)
        return;
    for (uint64_t i = 0; i < s_counts->count; i++)
        fprintf(s_marks.log, "%s%" PRIu64, i == 0 ? "" : " ",
                s_counts->ranges[i].executed - s_marks.executed[i]);
    fputc('\n', s_marks.log);
    fflush(s_marks.log);
    s_marks.begun = false;
}

static void instrument(struct qemu_plugin_insn *insn)
{
    uint64_t addr = qemu_plugin_insn_vaddr(insn);

    for (uint64_t i = 0; i < s_counts->count; i++) {
        struct range *range = &s_counts->ranges[i];

        if (addr >= range->start && addr < range->end)
            qemu_plugin_register_vcpu_insn_exec_inline(insn, OP_ADD_U64, &range->executed, 1);
    }
    if (s_marks.log != NULL && addr == s_marks.begin)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, begin_mark, CALLBACK_NO_REGS, NULL);
    if (s_marks.log != NULL && addr == s_marks.end)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, end_mark, CALLBACK_NO_REGS, NULL);
}

static void translate(plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++)
        instrument(qemu_plugin_tb_get_insn(tb, i));
}

static struct counts *map_counts(const char *path)
{
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
    void *counts = MAP_FAILED;

    if (file >= 0 && ftruncate(file, sizeof(struct counts)) == 0)
        counts = mmap(NULL, sizeof(struct counts), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    return counts == MAP_FAILED ? NULL : counts;
}

static bool add_range(const char *text)
{
    struct range *range = &s_counts->ranges[s_counts->count];

    if (s_counts->count == RANGES_MAX ||
        sscanf(text, "%39[^:]:%" SCNx64 ":%" SCNx64, range->name, &range->start, &range->end) != 3)
        return false;
    s_counts->count++;
    return true;
}

static bool add_each(const char *text)
{
    uint64_t start, end;

    if (sscanf(text, "%" SCNx64 ":%" SCNx64, &start, &end) != 2)
        return false;
    for (uint64_t at = start; at < end; at += 2) {
        struct range *range = &s_counts->ranges[s_counts->count];
        if (s_counts->count == RANGES_MAX)
            return false;
        snprintf(range->name, sizeof(range->name), "%" PRIx64, at);
        range->start = at;
        range->end = at + 2;
        s_counts->count++;
    }
    return true;
}

static bool take_argument(const char *argument)
{
    if (strncmp(argument, "out=", 4) == 0)
        return true;
    if (strncmp(argument, "range=", 6) == 0)
        return add_range(argument + 6);
    if (strncmp(argument, "each=", 5) == 0)
        return add_each(argument + 5);
    if (strncmp(argument, "mark=", 5) == 0)
        return sscanf(argument + 5, "%" SCNx64 ":%" SCNx64, &s_marks.begin, &s_marks.end) == 2;
    if (strncmp(argument, "log=", 4) == 0)
        return (s_marks.log = fopen(argument + 4, "w")) != NULL;
    return false;
}

int qemu_plugin_install(plugin_id_t id, const struct qemu_info *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "out=", 4) == 0)
            s_counts = map_counts(argv[i] + 4);
    }
    if (s_counts == NULL) {
        fprintf(stderr, "count: needs out=FILE, a file that can be written\n");
        return -1;
    }
    for (int i = 0; i < argc; i++) {
        if (!take_argument(argv[i])) {
            fprintf(stderr, "count: cannot use '%s'\n", argv[i]);
            return -1;
        }
    }
    /* Who finds the magic finds all ranges. */
    __atomic_thread_fence(__ATOMIC_RELEASE);
    memcpy(s_counts->magic, "mpcount1", 8);
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    return 0;
}
