/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A call of the hook as the compiler makes it, with a pattern in every register. */
#include "calls.h"

#if defined(__arm__)

#ifdef PATCHED
#define CALLED "mprof_patched_entry"
#else
#define CALLED "__gnu_mcount_nc"
#endif

struct image {
    uint32_t r[8];
    uint32_t lr;
    uint32_t stack; /* how far the stack moved */
    double d[16];
};

#ifdef __ARM_FP
#define SAVE_FP    "vpush {d8-d15}\n\tmovs r2, #40\n\tadds r2, r0, r2\n\tvldmia r2, {d0-d15}\n\t"
#define STORE_FP   "adds r0, #8\n\tvstmia r0, {d0-d15}\n\t"
#define RESTORE_FP "vpop {d8-d15}\n\t"
#define OUT        "68"
enum { FP_REGISTERS = 16 };
#else
#define SAVE_FP
#define STORE_FP
#define RESTORE_FP
#define OUT "4"
enum { FP_REGISTERS = 0 };
#endif

/* The hook must put r7's pattern, which is pushed, into lr. That of a patched entry is called in
 * the same way. */
__attribute__((naked)) static UNHOOKED void call(const struct image *in, struct image *out)
{
    __asm__("push {r4, r5, r6, r7, lr}\n\t"
            "push {r1}\n\t" SAVE_FP "ldm r0, {r0, r1, r2, r3, r4, r5, r6, r7}\n\t"
            "mov lr, r7\n\t"
            "push {lr}\n\t"
            "bl " CALLED "\n\t"
            "push {r0}\n\t"
            "ldr r0, [sp, #" OUT "]\n\t"
            "adds r0, #4\n\t"
            "stm r0!, {r1, r2, r3, r4, r5, r6, r7}\n\t"
            "pop {r1}\n\t"
            "subs r0, #32\n\t"
            "str r1, [r0]\n\t"
            "adds r0, #32\n\t"
            "mov r1, lr\n\t"
            "str r1, [r0]\n\t" STORE_FP RESTORE_FP "add sp, #4\n\t"
            "pop {r4, r5, r6, r7, pc}");
}

UNHOOKED unsigned registers_broken(void)
{
    struct image in = {.lr = 0}, out = {.lr = 0};
    unsigned broken = 0;

    for (unsigned i = 0; i < 8; i++)
        in.r[i] = 0x11223301 * (i + 1);
    for (unsigned i = 0; i < 16; i++)
        in.d[i] = 3.25 * (i + 1);
    call(&in, &out);
    for (unsigned i = 0; i < 8; i++)
        broken += in.r[i] != out.r[i];
    broken += out.lr != in.r[7];
    for (int i = 0; i < FP_REGISTERS; i++)
        broken += in.d[i] != out.d[i];
    return broken;
}

#elif defined(__x86_64__)

/* rax rcx rdx rsi rdi r8 r9 r10 rbx r12 r13 r14 r15, then xmm0 to 15 */
enum { INTEGERS = 13 };

struct image {
    uint64_t r[14];
    uint64_t xmm[16][2];
};

#define X(n)   "movdqu 112+16*" #n "(%rdi), %xmm" #n "\n\t"
#define Y(n)   "movdqu %xmm" #n ", 112+16*" #n "(%r11)\n\t"
#define ALL(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11) F(12) F(13) F(14) F(15)

#define PROBE(name, hook, frame)                                                                   \
    __attribute__((naked)) static UNHOOKED void name(const struct image *in, struct image *out)    \
    {                                                                                              \
        __asm__(frame                                                                              \
                "push %rbx\n\tpush %r12\n\tpush %r13\n\tpush %r14\n\tpush %r15\n\t"                \
                "push %rsi\n\t" ALL(                                                               \
                    X) "mov (%rdi), %rax\n\tmov 8(%rdi), %rcx\n\tmov 16(%rdi), %rdx\n\t"           \
                       "mov 24(%rdi), %rsi\n\tmov 40(%rdi), %r8\n\tmov 48(%rdi), %r9\n\t"          \
                       "mov 56(%rdi), %r10\n\tmov 64(%rdi), %rbx\n\tmov 72(%rdi), %r12\n\t"        \
                       "mov 80(%rdi), %r13\n\tmov 88(%rdi), %r14\n\tmov 96(%rdi), %r15\n\t"        \
                       "mov 32(%rdi), %rdi\n\t"                                                    \
                       "call " hook "@PLT\n\t"                                                     \
                       "mov (%rsp), %r11\n\t" ALL(                                                 \
                           Y) "mov %rax, (%r11)\n\tmov %rcx, 8(%r11)\n\tmov %rdx, 16(%r11)\n\t"    \
                              "mov %rsi, 24(%r11)\n\tmov %rdi, 32(%r11)\n\tmov %r8, 40(%r11)\n\t"  \
                              "mov %r9, 48(%r11)\n\tmov %r10, 56(%r11)\n\tmov %rbx, 64(%r11)\n\t"  \
                              "mov %r12, 72(%r11)\n\tmov %r13, 80(%r11)\n\tmov %r14, 88(%r11)\n\t" \
                              "mov %r15, 96(%r11)\n\tpop %rsi\n\t"                                 \
                              "pop %r15\n\tpop %r14\n\tpop %r13\n\tpop %r12\n\tpop %rbx\n\tpop "   \
                              "%rbp\n\tret");                                                      \
    }

PROBE(call_mcount, "mcount", "push %rbp\n\tmov %rsp, %rbp\n\t")
PROBE(call_fentry, "__fentry__", "push %rbp\n\t")
PROBE(call_patched, "mprof_patched_entry", "push %rbp\n\t")

static UNHOOKED unsigned broken_by(void (*call)(const struct image *in, struct image *out))
{
    struct image in, out;
    unsigned broken = 0;

    for (unsigned i = 0; i < INTEGERS; i++)
        in.r[i] = 0x1122334455667701U * (i + 1);
    for (unsigned i = 0; i < 32; i++)
        in.xmm[i / 2][i % 2] = 0x0102030405060708U * (i + 1);
    call(&in, &out);
    for (unsigned i = 0; i < INTEGERS; i++)
        broken += in.r[i] != out.r[i];
    for (unsigned i = 0; i < 32; i++)
        broken += in.xmm[i / 2][i % 2] != out.xmm[i / 2][i % 2];
    return broken;
}

UNHOOKED unsigned registers_broken(void)
{
    return broken_by(call_mcount) + broken_by(call_fentry) + broken_by(call_patched);
}

#else

/* RISC-V's hook is an ordinary function. */
UNHOOKED unsigned registers_broken(void)
{
    return 0;
}

#endif
