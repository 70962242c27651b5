/* SPDX-License-Identifier: 0BSD */
/* How code of a process under Linux on x86-64 is changed. */
#ifndef PATCH_PORT_H
#define PATCH_PORT_H

#if !defined(__x86_64__) || !defined(__linux__)
#error "MPROF_PATCH_CNT is for x86-64 under Linux: write MPROF_PATCH_CNT 0"
#endif

#include <dirent.h>
#include <sys/mman.h>

/* call, or the nops that it replaces. */
#define PATCH_SIZE 5U
#define PATCH_STEP 1U

#define PATCH_PAGE 4096U
#define PATCH_LINE 64U

typedef int patch_mask_t;

/* Signal handlers do not matter: where they came from, this function is called and not a site. */
MPROF_INLINE int patch_begin(patch_mask_t *mask)
{
    *mask = 0;
    return 1;
}

MPROF_INLINE void patch_end(patch_mask_t mask)
{
    (void)mask;
}

/* Where the kernel keeps the program counters of other threads cannot be read. That a call is
 * replaced by nops does not matter to them: each is before the site or after it. */
MPROF_INLINE int patch_is_alone(void)
{
    DIR *folder = opendir("/proc/self/task");
    unsigned count = 0;

    for (const struct dirent *one; folder && (one = readdir(folder)) != NULL;)
        count += one->d_name[0] != '.';
    if (folder)
        closedir(folder);
    return count == 1;
}

MPROF_INLINE int patch_allow(uintptr_t addr, int rights)
{
    uintptr_t page = addr & ~(uintptr_t)(PATCH_PAGE - 1);

    return mprotect((void *)page, addr + PATCH_SIZE - page, rights) == 0; /* NOLINT */
}

/* Code stays writable while there is a call, which so can be taken back for certain. */
MPROF_INLINE int patch_unprotect(uintptr_t addr)
{
    return addr % PATCH_LINE + PATCH_SIZE <= PATCH_LINE &&
           patch_allow(addr, PROT_READ | PROT_WRITE | PROT_EXEC);
}

MPROF_INLINE void patch_protect(uintptr_t addr)
{
    (void)patch_allow(addr, PROT_READ | PROT_EXEC);
}

/* One store within a line of the cache, so that a thread never fetches a half of it. */
MPROF_INLINE void patch_write(uintptr_t addr, const volatile uint8_t *bytes)
{
    unsigned before = addr % PATCH_LINE + 8 <= PATCH_LINE ? 0 : 8 - PATCH_SIZE;
    uint64_t *place = (uint64_t *)(addr - before);
    uint64_t word;

    __asm__ volatile("movq %1, %0" : "=r"(word) : "m"(*place));
    for (unsigned i = 0; i < PATCH_SIZE; i++)
        ((uint8_t *)&word)[before + i] = bytes[i];
    __asm__ volatile("movq %1, %0" : "=m"(*place) : "r"(word) : "memory");
}

#endif
