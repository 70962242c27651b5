/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bus of the simulated chip: RAM and peripherals of QEMU's mps2-an385, while it runs or not. */
#include "memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>

#define TIMEOUT_MS 10000

/* Where something answers, mirrors of the RAMs among it. Elsewhere a real bus would fault, where
 * QEMU's test protocol reads zeros. */
static const struct {
    uint32_t addr;
    uint32_t size;
} answering[] = {
    {.addr = 0x00000000, .size = 0x00800000}, /* ZBT SSRAM 1 */
    {.addr = 0x01000000, .size = 0x00010000}, /* block RAM */
    {.addr = 0x20000000, .size = 0x00800000}, /* ZBT SSRAM 2 and 3 */
    {.addr = 0x21000000, .size = MEMORY_PSRAM_SIZE},
    {.addr = 0x40000000, .size = 0x10000000}, /* peripherals */
    {.addr = 0xe0000000, .size = 0x00100000}, /* private peripherals */
};

static bool answers(uint32_t addr)
{
    for (size_t i = 0; i < sizeof answering / sizeof *answering; i++)
        if (addr - answering[i].addr < answering[i].size)
            return true;
    return false;
}

int memory_open(struct memory *memory, pid_t pid, int qtest, int psram, struct monitor *monitor,
                struct fault *fault)
{
    static const struct memory_region ram[MEMORY_REGIONS] = {
        {.addr = 0x00000000, .size = 4U << 20},
        {.addr = 0x20000000, .size = 4U << 20},
        {.addr = 0x21000000, .size = MEMORY_PSRAM_SIZE},
    };

    memory->pid = pid;
    memory->fault = fault;
    memcpy(memory->regions, ram, sizeof ram);
    line_init(&memory->qtest, qtest);
    for (int i = 0; i < MEMORY_REGIONS - 1; i++)
        if (monitor_host_address(monitor, ram[i].addr, &memory->regions[i].host, fault) != 0)
            return -1;
    void *shared = mmap(NULL, MEMORY_PSRAM_SIZE, PROT_READ, MAP_SHARED, psram, 0);
    if (shared == MAP_FAILED)
        return fault_set(fault, "cannot map the shared RAM: %s", strerror(errno));
    memory->regions[MEMORY_REGIONS - 1].shared = shared;
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

    if (!answers(addr))
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

    if (!answers(addr))
        return -1;
    snprintf(command, sizeof command, "write%c 0x%" PRIx32 " 0x%" PRIx32 "\n", letter(size), addr,
             value);
    return qtest(memory, command, &answer);
}
