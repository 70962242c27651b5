/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What assembler sources leave in a symbol table, at known distances from symbol_asm_use. */
#if defined(__arm__)
    .syntax unified
    .thumb
#else
    .section .note.GNU-stack, "", %progbits
#endif

    .section asm_code, "ax", %progbits
    .p2align 4

    .macro function name
    .type \name, %function
\name:
    .endm

    /* 0..16: with a size, and a label inside that is no function. */
    .globl symbol_asm_use
    function symbol_asm_use
    .space 8
asm_inside:
    .space 8
    .size symbol_asm_use, 16

    /* 16..40: one function inside another, which goes on behind it. */
    .globl asm_outer
    function asm_outer
    .space 8
    function asm_nested
    .space 8
    .size asm_nested, 8
    .space 8
    .size asm_outer, 24

    /* 40..46: five names of one function; the size is with a local one. */
    .globl __asm_a, asm_global, asm_global_too
    .weak asm_w
    function a_local
    function asm_w
    function __asm_a
    function asm_global
    function asm_global_too
    .space 8
    .size a_local, 6

    /* 48..60: no size, a mapping symbol between its code and its constants where the machine has
     * them, ended by data among the code. */
    .globl asm_unsized
    function asm_unsized
#if defined(__arm__)
    nop
    nop
#else
    .space 4
#endif
    .space 8

    .type asm_table, %object
asm_table:
    .space 4
    .size asm_table, 4

    /* 64..80: labels with no type. */
    .globl asm_label
asm_label:
    .space 8
asm_label_local:
    .space 8

    /* 80..92: ended by the end of the section. */
    function asm_last
    .space 12
asm_code_end:
