/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The boards that the rig can be: a machine of QEMU's, its memory, and the debug port it gets. */
#include "board.h"

#include <stddef.h>
#include <string.h>

#include "elf.h"

#define MIB (1U << 20)

const char board_cores[] = "cortex-m3, rv32";

static const struct board boards[] = {
    {
        .kind = BOARD_CORTEX_M,
        .core = "cortex-m3",
        .chip = "mps2",
        .elf_machine = ELF_ARM,
        .qemu = "qemu-system-arm",
        .qemu_args = (const char *const[]){"-machine", "mps2-an385", NULL},
        .shared = {.addr = 0x21000000, .size = 16 * MIB}, /* PSRAM */
        .rams = {{.addr = 0x00000000, .size = 4 * MIB}, {.addr = 0x20000000, .size = 4 * MIB}},
        .answers =
            {
                {.addr = 0x00000000, .size = 8 * MIB}, /* ZBT SSRAM 1 and its mirror */
                {.addr = 0x01000000, .size = 0x10000}, /* block RAM */
                {.addr = 0x20000000, .size = 8 * MIB}, /* ZBT SSRAM 2 and 3, and mirrors */
                {.addr = 0x21000000, .size = 16 * MIB},
                {.addr = 0x40000000, .size = 256 * MIB}, /* peripherals */
                {.addr = 0xe0000000, .size = MIB},       /* private peripherals */
            },
    },
    {
        .kind = BOARD_RISCV,
        .core = "rv32",
        .chip = "virt",
        .elf_machine = ELF_RISCV,
        .qemu = "qemu-system-riscv32",
        /* A microcontroller's core: RV32IMAC, machine and user mode. */
        .qemu_args = (const char *const[]){"-machine", "virt", "-cpu",
                                           "rv32,f=false,d=false,h=false,s=false,mmu=false", "-m",
                                           "16M", "-bios", "none", NULL},
        .shared = {.addr = 0x80000000, .size = 16 * MIB},
        .answers =
            {
                {.addr = 0x00001000, .size = 0xf000},   /* start-up ROM */
                {.addr = 0x00100000, .size = 0x2000},   /* test device, clock */
                {.addr = 0x02000000, .size = 0x10000},  /* core-local interruptor */
                {.addr = 0x0c000000, .size = 6 * MIB},  /* interrupt controller */
                {.addr = 0x10000000, .size = 0x100},    /* serial line */
                {.addr = 0x80000000, .size = 16 * MIB}, /* RAM */
            },
    },
};

#define BOARD_COUNT (sizeof boards / sizeof *boards)

const struct board *board_by_core(const char *core)
{
    for (size_t i = 0; i < BOARD_COUNT; i++)
        if (strcmp(boards[i].core, core) == 0)
            return &boards[i];
    return NULL;
}

const struct board *board_by_machine(unsigned elf_machine)
{
    for (size_t i = 0; i < BOARD_COUNT; i++)
        if (boards[i].elf_machine == elf_machine)
            return &boards[i];
    return NULL;
}
