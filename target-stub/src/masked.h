/* SPDX-License-Identifier: 0BSD */
/* A port's changes of one word where interrupts have to be masked for them. */
#ifndef MPROF_MASKED_H
#define MPROF_MASKED_H

/* Adds n to object->member, whatever interrupts; is the new number. Members are 32 bits wide. */
#define mprof_port_add(object, member, n)                        \
    __extension__({                                              \
        __typeof__(mprof_port_mask()) mask_ = mprof_port_mask(); \
        uint32_t value_ = (object)->member + (uint32_t)(n);      \
                                                                 \
        (object)->member = value_;                               \
        mprof_port_unmask(mask_);                                \
        value_;                                                  \
    })

/* The same if the condition holds when the number is stored; is 1 if it did. */
#define mprof_port_add_if(object, member, n, condition)          \
    __extension__({                                              \
        __typeof__(mprof_port_mask()) mask_ = mprof_port_mask(); \
        int added_ = (condition);                                \
                                                                 \
        if (added_)                                              \
            (object)->member += (uint32_t)(n);                   \
        mprof_port_unmask(mask_);                                \
        added_;                                                  \
    })

/* Makes object->member 0; is 1 if it was not, so that one of all who try gets it. */
#define mprof_port_claim(object, member)                         \
    __extension__({                                              \
        __typeof__(mprof_port_mask()) mask_ = mprof_port_mask(); \
        int claimed_ = (object)->member != 0;                    \
                                                                 \
        (object)->member = 0;                                    \
        mprof_port_unmask(mask_);                                \
        claimed_;                                                \
    })

#endif
