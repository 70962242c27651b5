/* SPDX-License-Identifier: 0BSD */
/* How code is changed on one hart of RISC-V. */
#ifndef PATCH_PORT_H
#define PATCH_PORT_H

/* jal t0, or the nops that it replaces. */
#define PATCH_SIZE 4U
#define PATCH_STEP 2U

typedef unsigned long patch_mask_t;

/* Interrupts are masked from patch_begin() to patch_end(). Returns 0 if this is no point for it. */
MPROF_INLINE int patch_begin(patch_mask_t *mask)
{
    __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(*mask) : : "memory");
    return 1;
}

MPROF_INLINE void patch_end(patch_mask_t mask)
{
    __asm__ volatile("csrs mstatus, %0" : : "r"(mask & 8) : "memory");
}

MPROF_INLINE int patch_is_alone(void)
{
    return 1;
}

MPROF_INLINE int patch_unprotect(uintptr_t addr)
{
    (void)addr;
    return 1;
}

MPROF_INLINE void patch_protect(uintptr_t addr)
{
    (void)addr;
}

/* Code may begin at any even address. The hart may have fetched it before (Volume I, 3.1). */
MPROF_INLINE void patch_write(uintptr_t addr, const volatile uint8_t *bytes)
{
    volatile uint16_t *code = (volatile uint16_t *)addr;

    code[0] = (uint16_t)(bytes[0] | bytes[1] << 8);
    code[1] = (uint16_t)(bytes[2] | bytes[3] << 8);
    __asm__ volatile(".4byte 0x0000100f" : : : "memory"); /* fence.i, which -march may not have */
}

#endif
