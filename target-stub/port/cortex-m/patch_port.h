/* SPDX-License-Identifier: 0BSD */
/* How code in RAM is changed on a Cortex-M. */
#ifndef PATCH_PORT_H
#define PATCH_PORT_H

/* push {lr}; bl, or the nops that they replace. */
#define PATCH_SIZE 6U
#define PATCH_STEP 2U

typedef uint32_t patch_mask_t;

/* Interrupts are masked from patch_begin() to patch_end(). Returns 0 if this is no point for it: in
 * an exception, whose caller may be in a site. */
MPROF_INLINE int patch_begin(patch_mask_t *mask)
{
    uint32_t exception;

    __asm__ volatile("mrs %0, ipsr" : "=r"(exception));
    if (exception & 0x1ff)
        return 0;
    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(*mask) : : "memory");
    return 1;
}

MPROF_INLINE void patch_end(patch_mask_t mask)
{
    __asm__ volatile("msr primask, %0" : : "r"(mask) : "memory");
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

/* A Cortex-M7, M55 or M85 has caches, which may be on (ARMv7-M Architecture Reference Manual,
 * B2.2.7 and B3.2.2). A Cortex-M4 ignores what is written to their registers. */
MPROF_INLINE void patch_write(uintptr_t addr, const volatile uint8_t *bytes)
{
    volatile uint16_t *code = (volatile uint16_t *)addr;

    for (unsigned i = 0; i < PATCH_SIZE / 2; i++) {
        code[i] = (uint16_t)(bytes[2 * i] | bytes[2 * i + 1] << 8);
#if defined(__ARM_ARCH_7EM__) || defined(__ARM_ARCH_8_1M_MAIN__)
        __asm__ volatile("dsb" : : : "memory");
        *(volatile uint32_t *)0xE000EF64U = (uint32_t)&code[i]; /* DCCMVAU: clean to memory */
        __asm__ volatile("dsb" : : : "memory");
        *(volatile uint32_t *)0xE000EF58U = (uint32_t)&code[i]; /* ICIMVAU: forget the old code */
#endif
    }
    __asm__ volatile("dsb\n\tisb" : : : "memory");
}

#endif
