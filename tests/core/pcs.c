/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A TCG plugin of QEMU that samples the program counter at random distances, and then ends QEMU. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qemu_plugin.h"

/*
 * Arguments, decimal:
 *   out=FILE     where the samples go: their number, then the addresses, uint32_t each
 *   samples=N    how many; QEMU then exits with status 0
 *   apart=N      mean distance in instructions: from half of that to one and a half
 * For one virtual processor of 32 bits. The first samples come when a start has ended, after 100
 * distances.
 */

int qemu_plugin_version = 1;

static FILE *s_out;
static uint32_t s_samples, s_taken, s_apart;
static uint64_t s_left, s_random = 88172645463325252u;

static uint64_t draw(void)
{
    s_random ^= s_random << 13;
    s_random ^= s_random >> 7;
    return s_random ^= s_random << 17;
}

static void execute(unsigned cpu, void *addr)
{
    uint32_t pc = (uint32_t)(uintptr_t)addr;

    (void)cpu;
    if (--s_left != 0)
        return;
    s_left = s_apart / 2 + draw() % s_apart;
    fwrite(&pc, sizeof(pc), 1, s_out);
    if (++s_taken < s_samples)
        return;
    exit(fclose(s_out) == 0 ? 0 : 1);
}

static void translate(plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        void *addr = (void *)(uintptr_t)qemu_plugin_insn_vaddr(insn);

        qemu_plugin_register_vcpu_insn_exec_cb(insn, execute, CALLBACK_NO_REGS, addr);
    }
}

static void take_argument(const char *argument)
{
    sscanf(argument, "samples=%" SCNu32, &s_samples);
    sscanf(argument, "apart=%" SCNu32, &s_apart);
    if (strncmp(argument, "out=", 4) == 0)
        s_out = fopen(argument + 4, "wb");
}

int qemu_plugin_install(plugin_id_t id, const struct qemu_info *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++)
        take_argument(argv[i]);
    if (s_out == NULL || s_samples == 0 || s_apart < 2) {
        fprintf(stderr, "pcs: needs out=FILE, a file that can be written, samples=N and apart=N\n");
        return -1;
    }
    fwrite(&s_samples, sizeof(s_samples), 1, s_out);
    s_left = 100 * (uint64_t)s_apart;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    return 0;
}
