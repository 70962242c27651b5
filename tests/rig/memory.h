/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bus of the simulated chip: RAM and peripherals of QEMU's machine, while it runs or not. */
#ifndef RIG_MEMORY_H
#define RIG_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "board.h"
#include "fault.h"
#include "line.h"
#include "monitor.h"

#define MEMORY_REGIONS (BOARD_RAMS + 1)

/* RAM that can be read without asking QEMU. */
struct memory_region {
    uint32_t addr;
    uint32_t size;
    const volatile void *shared; /* our own mapping of it, or NULL: */
    uint64_t host;               /* its address in QEMU's process, a multiple of 8; 0: not known */
};

struct memory {
    const struct board *board;
    pid_t pid;
    struct line qtest;
    struct memory_region regions[MEMORY_REGIONS];
    struct fault *fault;
};

/* shared is a descriptor of the board's shared RAM, which QEMU has mapped too. board must live as
 * long. 0 or -1. */
int memory_open(struct memory *memory, const struct board *board, pid_t pid, int qtest, int shared,
                struct monitor *monitor, struct fault *fault);
void memory_close(struct memory *memory);

/*
 * Reads or writes size (1, 2 or 4) bytes at addr, a multiple of size, in one piece: a word that the
 * core writes at the same time is read before or after, never half. Code that is written is
 * translated anew by QEMU. 0, or -1: nothing answers at that address.
 */
int memory_read(struct memory *memory, uint32_t addr, unsigned size, uint32_t *value);
int memory_write(struct memory *memory, uint32_t addr, unsigned size, uint32_t value);

/* Whether all of it is RAM; true of nothing. */
bool memory_is_ram(const struct memory *memory, uint32_t addr, uint32_t len);

/* Writes len bytes of RAM. 0, or -1: QEMU is gone. */
int memory_write_block(struct memory *memory, uint32_t addr, const unsigned char *bytes,
                       uint32_t len);

#endif
