/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bus of the simulated chip: RAM and peripherals of QEMU's machine, while it runs or not. */
#include "memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>

#include <gdbmi/rsp.h>

#define TIMEOUT_MS 300000 /* for what hangs; a host may be busy */
/* Bytes that go to QEMU in one line of text. */
#define BLOCK 1024U

static bool answers(const struct board *board, uint32_t addr)
{
    for (int i = 0; i < BOARD_RANGES; i++)
        if (addr - board->answers[i].addr < board->answers[i].size)
            return true;
    return false;
}

static struct memory_region region_in(const struct board_range *range)
{
    return (struct memory_region){.addr = range->addr, .size = range->size};
}

int memory_open(struct memory *memory, const struct board *board, pid_t pid, int qtest, int shared,
                struct monitor *monitor, struct fault *fault)
{
    *memory = (struct memory){.board = board, .pid = pid, .fault = fault};
    line_init(&memory->qtest, qtest);
    for (int i = 0; i < BOARD_RAMS; i++) {
        struct memory_region *region = &memory->regions[i];
        *region = region_in(&board->rams[i]);
        if (region->size > 0 &&
            monitor_host_address(monitor, region->addr, &region->host, fault) != 0)
            return -1;
    }
    void *pages = mmap(NULL, board->shared.size, PROT_READ, MAP_SHARED, shared, 0);
    if (pages == MAP_FAILED)
        return fault_set(fault, "cannot map the shared RAM: %s", strerror(errno));
    memory->regions[BOARD_RAMS] = region_in(&board->shared);
    memory->regions[BOARD_RAMS].shared = pages;
    return 0;
}

void memory_close(struct memory *memory)
{
    struct memory_region *last = &memory->regions[MEMORY_REGIONS - 1];
    if (last->shared)
        munmap((void *)(uintptr_t)last->shared, last->size);
    last->shared = NULL;
}

static const struct memory_region *region_of(const struct memory *memory, uint32_t addr)
{
    for (int i = 0; i < MEMORY_REGIONS; i++)
        if (addr - memory->regions[i].addr < memory->regions[i].size)
            return &memory->regions[i];
    return NULL;
}

static uint32_t load(const volatile void *base, uint32_t offset, unsigned size)
{
    const volatile uint8_t *at = (const volatile uint8_t *)base + offset;

    if (size == 4)
        return *(const volatile uint32_t *)at;
    return size == 2 ? *(const volatile uint16_t *)at : *at;
}

/* The kernel copies eight aligned bytes by one load; a shorter copy might go byte by byte. */
static int read_foreign(const struct memory *memory, const struct memory_region *region,
                        uint32_t offset, unsigned size, uint32_t *value)
{
    uint64_t bytes;
    uint64_t at = region->host + (offset & ~7U);
    struct iovec ours = {.iov_base = &bytes, .iov_len = sizeof bytes};
    struct iovec theirs = {.iov_base = (void *)(uintptr_t)at, .iov_len = sizeof bytes};

    if (process_vm_readv(memory->pid, &ours, 1, &theirs, 1, 0) != (ssize_t)sizeof bytes)
        return -1;
    bytes >>= 8U * (offset & 7U);
    *value = (uint32_t)(bytes & (UINT64_MAX >> (64U - 8U * size)));
    return 0;
}

/* One command of the test protocol; the answer is "OK" and what belongs to it. */
static int qtest(struct memory *memory, const char *command, char **answer)
{
    if (line_send(&memory->qtest, command, strlen(command)) != 0 ||
        line_take(&memory->qtest, answer, TIMEOUT_MS) != 1)
        return fault_set(memory->fault, "QEMU's test socket does not answer");
    return strncmp(*answer, "OK", 2) == 0 ? 0 : -1;
}

static char letter(unsigned size)
{
    return size == 4 ? 'l' : size == 2 ? 'w' : 'b';
}

int memory_read(struct memory *memory, uint32_t addr, unsigned size, uint32_t *value)
{
    const struct memory_region *region = region_of(memory, addr);
    char command[64];
    char *answer;

    if (!answers(memory->board, addr))
        return -1;
    if (region && region->shared) {
        *value = load(region->shared, addr - region->addr, size);
        return 0;
    }
    if (region && read_foreign(memory, region, addr - region->addr, size, value) == 0)
        return 0;
    snprintf(command, sizeof command, "read%c 0x%" PRIx32 "\n", letter(size), addr);
    if (qtest(memory, command, &answer) != 0 || sscanf(answer, "OK 0x%" SCNx32, value) != 1)
        return -1;
    return 0;
}

int memory_write(struct memory *memory, uint32_t addr, unsigned size, uint32_t value)
{
    char command[64];
    char *answer;

    if (!answers(memory->board, addr))
        return -1;
    snprintf(command, sizeof command, "write%c 0x%" PRIx32 " 0x%" PRIx32 "\n", letter(size), addr,
             value);
    return qtest(memory, command, &answer);
}

bool memory_is_ram(const struct memory *memory, uint32_t addr, uint32_t len)
{
    const struct memory_region *region = region_of(memory, addr);
    return len == 0 || (region && region->size - (addr - region->addr) >= len);
}

int memory_write_block(struct memory *memory, uint32_t addr, const unsigned char *bytes,
                       uint32_t len)
{
    char command[2 * BLOCK + 64];
    char *answer;

    while (len > 0) {
        uint32_t count = len < BLOCK ? len : BLOCK;
        int at =
            snprintf(command, sizeof command, "write 0x%" PRIx32 " 0x%" PRIx32 " 0x", addr, count);
        gdbmi_rsp_hex(bytes, count, command + at);
        strcat(command, "\n");
        if (qtest(memory, command, &answer) != 0)
            return -1;
        addr += count;
        bytes += count;
        len -= count;
    }
    return 0;
}
