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

#define mprof_port_add_if(object, member, n, condition, otherwise)              \
    do {                                                                        \
        uint32_t old_;                                                          \
        do {                                                                    \
            old_ = MPROF_PORT_LOAD_(object, member);                            \
            if (!(condition)) {                                                 \
                otherwise;                                                      \
            }                                                                   \
        } while (MPROF_PORT_STORE_(object, member, old_ + (uint32_t)(n)) != 0); \
    } while (0)

#define mprof_port_claim(object, member, otherwise)                    \
    do {                                                               \
        do {                                                           \
            if (MPROF_PORT_LOAD_(object, member) == 0) {               \
                otherwise;                                             \
            }                                                          \
        } while (MPROF_PORT_STORE_(object, member, (uint32_t)0) != 0); \
    } while (0)

#endif
