/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A TCG plugin of QEMU that writes down the order in which instructions are executed. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "qemu_plugin.h"

/*
 * Arguments:
 *   out=FILE   one byte each time that one of the instructions is executed: which one, from 0 on.
 *              It is in the file before the instruction is executed
 *   at=ADDR    hexadecimal without 0x: the address of an instruction; up to 256 of them
 * For one virtual processor.
 */

int qemu_plugin_version = 1;

enum { ADDRESSES_MAX = 256 };

static FILE *s_out;
static uint64_t s_addresses[ADDRESSES_MAX];
static uintptr_t s_count;

static void execute(unsigned cpu, void *which)
{
    (void)cpu;
    fputc((int)(uintptr_t)which, s_out);
}

static void translate(plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

        for (uintptr_t which = 0; which < s_count; which++) {
            if (s_addresses[which] == qemu_plugin_insn_vaddr(insn))
                qemu_plugin_register_vcpu_insn_exec_cb(insn, execute, CALLBACK_NO_REGS,
                                                       (void *)which);
        }
    }
}

static void take_argument(const char *argument)
{
    if (strncmp(argument, "out=", 4) == 0)
        s_out = fopen(argument + 4, "wb");
    else if (s_count < ADDRESSES_MAX && sscanf(argument, "at=%" SCNx64, &s_addresses[s_count]) == 1)
        s_count++;
}

int qemu_plugin_install(plugin_id_t id, const struct qemu_info *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++)
        take_argument(argv[i]);
    if (s_out == NULL || s_count != (uintptr_t)argc - 1) {
        fprintf(stderr, "entries: needs out=FILE, a file that can be written, and at=ADDR\n");
        return -1;
    }
    setvbuf(s_out, NULL, _IONBF, 0);
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    return 0;
}
