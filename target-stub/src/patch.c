/* SPDX-License-Identifier: 0BSD */
/* Writes calls of the hook into code, and takes them back: at once if the host asks, or else when
 * it has not said for a while that it is still there. */
#include <mprof/patch.h>

#if MPROF_PATCH_CNT

#include "gate.h"

#include "hook.h"
#include "patch_port.h"

/*
 * patch_port.h of a port defines, inlined, so that none of it is a site:
 * - PATCH_SIZE: bytes of a site.
 * - PATCH_STEP: addresses of instructions are multiples of this number of bytes.
 * - patch_begin(&mask): masks interrupts. Returns 0 in an interrupt, where code is not changed.
 * - patch_end(mask): restores the mask.
 * - patch_is_alone(): whether no other thread can be in a site.
 * - patch_unprotect(addr): makes a site writable. Returns 0 if that is not possible.
 * - patch_protect(addr): makes it read-only.
 * - patch_write(addr, bytes): writes a site, and has the core fetch it from memory.
 */
#if MPROF_CORES > 1
#error "MPROF_PATCH_CNT is for one core: write MPROF_PATCH_CNT 0"
#endif

__attribute__((used)) struct mprof_patch s_mprof_patch = {
    .magic = MPROF_PATCH_MAGIC,
    .capacity = MPROF_PATCH_CNT,
    .size = PATCH_SIZE,
};

/* All of it is inlined into mprof_patch_point(), which is never a site. */

MPROF_INLINE int has_bytes(const volatile struct mprof_patch_site *site,
                           const volatile uint8_t *bytes)
{
    const volatile uint8_t *code = (const volatile uint8_t *)(uintptr_t)site->addr;

    for (unsigned i = 0; i < PATCH_SIZE; i++) {
        if (code[i] != bytes[i])
            return 0;
    }
    return 1;
}

/* Whether a word in memory may be a program counter within a site, after its first instruction. A
 * pointer to a Thumb function is not: it is odd. */
MPROF_INLINE int is_occupied(volatile struct mprof_patch *patch, uint32_t count, const void *low,
                             const void *high)
{
    uintptr_t first = ((uintptr_t)low + sizeof(uintptr_t) - 1) & ~(sizeof(uintptr_t) - 1);

    for (uintptr_t at = first; at + sizeof(uintptr_t) <= (uintptr_t)high; at += sizeof(uintptr_t)) {
        uintptr_t word = *(const volatile uintptr_t *)at;
        for (uint32_t i = 0; i < count; i++) {
            uintptr_t offset = word - (uintptr_t)patch->sites[i].addr;
            if (offset != 0 && offset < PATCH_SIZE && offset % PATCH_STEP == 0)
                return 1;
        }
    }
    return 0;
}

MPROF_INLINE void protect(volatile struct mprof_patch *patch, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        patch_protect((uintptr_t)patch->sites[i].addr);
}

MPROF_INLINE int unprotect(volatile struct mprof_patch *patch, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!patch_unprotect((uintptr_t)patch->sites[i].addr)) {
            protect(patch, i);
            return 0;
        }
    }
    return 1;
}

/* Returns MPROF_PATCH_DONE, and patched is 0, or MPROF_PATCH_BUSY. */
MPROF_INLINE uint32_t take_back(volatile struct mprof_patch *patch, const void *low,
                                const void *high)
{
    uint32_t count = patch->patched;

    if (is_occupied(patch, count, low, high))
        return MPROF_PATCH_BUSY;
    for (uint32_t i = 0; i < count; i++) {
        volatile struct mprof_patch_site *site = &patch->sites[i];
        patch_write((uintptr_t)site->addr, site->old_bytes);
    }
    protect(patch, count);
    patch->patched = 0;
    return MPROF_PATCH_DONE;
}

/* Returns what becomes of the request. Nothing is written unless all can be. */
MPROF_INLINE uint32_t put(volatile struct mprof_patch *patch, const void *low, const void *high)
{
    uint32_t count = patch->wanted;

    if (count > MPROF_PATCH_CNT)
        return MPROF_PATCH_DIFFERS;
    if (count == 0)
        return MPROF_PATCH_DONE;
    if (!patch_is_alone())
        return MPROF_PATCH_THREADS;
    if (is_occupied(patch, count, low, high))
        return MPROF_PATCH_BUSY;
    for (uint32_t i = 0; i < count; i++) {
        if (!has_bytes(&patch->sites[i], patch->sites[i].old_bytes))
            return MPROF_PATCH_DIFFERS;
    }
    if (!unprotect(patch, count))
        return MPROF_PATCH_PROTECTED;
    for (uint32_t i = 0; i < count; i++) {
        volatile struct mprof_patch_site *site = &patch->sites[i];
        patch_write((uintptr_t)site->addr, site->new_bytes);
        patch->patched = i + 1;
        if (!has_bytes(site, site->new_bytes)) /* in flash a write has no effect */
            return MPROF_PATCH_PROTECTED;
    }
    return MPROF_PATCH_DONE;
}

MPROF_INLINE void change(volatile struct mprof_patch *patch, const void *low, const void *high)
{
    uint32_t request = patch->request;
    int asked = request != patch->done;
    uint32_t status = take_back(patch, low, high);

    if (status == MPROF_PATCH_DONE && asked) {
        status = put(patch, low, high);
        if (status == MPROF_PATCH_PROTECTED)
            (void)take_back(patch, low, high);
    }
    patch->status = status;
    if (asked && status != MPROF_PATCH_BUSY)
        patch->done = request;
}

MPROF_UNHOOKED void mprof_patch_point(const void *low, const void *high)
{
    volatile struct mprof_patch *patch = &s_mprof_patch;

    patch->points++;
    if (patch->request == patch->done) {
        if (patch->patched == 0)
            return;
        uint32_t lease = patch->lease;
        if (lease != 0) {
            patch->lease = lease - 1;
            return;
        }
    }
    patch_mask_t mask;
    __asm__ volatile("" : : "r"(mprof_patched_entry)); /* else the linker would leave it out */
    if (!patch_begin(&mask))
        return;
    change(patch, low, high);
    patch_end(mask);
}

#endif
