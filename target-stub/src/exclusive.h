/* SPDX-License-Identifier: 0BSD */
/* A port's changes of one word, by the loads and stores that it has: a store fails if what was
 * loaded may have changed since. See masked.h for what each does. */
#ifndef MPROF_EXCLUSIVE_H
#define MPROF_EXCLUSIVE_H

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
