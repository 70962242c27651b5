/* SPDX-License-Identifier: 0BSD */
/* A port's changes of one word by loads and stores of which a store can fail; port.h says what each
 * does. */
#ifndef MPROF_EXCLUSIVE_H
#define MPROF_EXCLUSIVE_H

/*
 * The port has defined:
 *   MPROF_PORT_LOAD_(object, member)           an expression: the member, uint32_t
 *   MPROF_PORT_STORE_(object, member, value)   an expression: 0 if it stored the value; not 0, and
 *                                              nothing is stored, if any event came since the load
 */
#if !defined(MPROF_PORT_LOAD_) || !defined(MPROF_PORT_STORE_)
#error "mprof_port.h must define MPROF_PORT_LOAD_() and MPROF_PORT_STORE_() before exclusive.h"
#endif

/* A jump back and no loop: compilers make a loop's condition its end, and jump there first. The
 * empty statement keeps the addition after the condition. */
#define mprof_port_add_if(object, member, n, condition, otherwise)             \
    __extension__({                                                            \
        __label__ again_;                                                      \
        uint32_t sum_;                                                         \
    again_:                                                                    \
        sum_ = MPROF_PORT_LOAD_(object, member);                               \
        if (!(condition)) {                                                    \
            otherwise;                                                         \
        }                                                                      \
        __asm__("" : "+r"(sum_));                                              \
        sum_ += (uint32_t)(n);                                                 \
        if (__builtin_expect(MPROF_PORT_STORE_(object, member, sum_) != 0, 0)) \
            goto again_;                                                       \
    })

#endif
