/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Control blocks of threads, with the names that a kernel gives them: KERNEL_THREADX,
 * KERNEL_CHIBIOS, or FreeRTOS on Arm and Zephyr on RISC-V. */
#ifndef KERNEL_BLOCK_H
#define KERNEL_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#if defined(KERNEL_THREADX)

/* ThreadX, tx_api.h */
typedef struct TX_THREAD_STRUCT {
    uint32_t tx_thread_id, tx_thread_run_count;
    volatile void *tx_thread_stack_ptr;
    void *tx_thread_stack_start, *tx_thread_stack_end;
    uint32_t tx_thread_stack_size;
    const char *tx_thread_name;
} block_t;
extern block_t *volatile _tx_thread_current_ptr;
#define CURRENT      _tx_thread_current_ptr
#define FILL         0xef
#define STACK_OF(b)  (*(volatile uintptr_t **)&(b)->tx_thread_stack_ptr)
#define IDLE_IS_NONE 1

static inline void block_init(block_t *b, const char *name, uintptr_t *low, size_t size)
{
    b->tx_thread_name = name;
    b->tx_thread_stack_start = low;
    b->tx_thread_stack_size = (uint32_t)size;
}

#elif defined(KERNEL_CHIBIOS)

/* ChibiOS/RT, chobjects.h. The control block is above the stack. */
typedef struct ch_thread {
    uint32_t queue[3];
    volatile uintptr_t *sp;
    uintptr_t *wabase;
    const char *name;
} block_t;
typedef struct ch_ready_list {
    uint32_t pqueue[3];
    block_t *volatile current;
} ready_list_t;
typedef struct ch_os_instance {
    ready_list_t rlist;
    uint32_t vtlist[4];
} os_instance_t;
extern os_instance_t ch0;
#define CURRENT        ch0.rlist.current
#define FILL           0x55
#define STACK_OF(b)    (b)->sp
#define BLOCK_IS_ABOVE 1

static inline void block_init(block_t *b, const char *name, uintptr_t *low, size_t size)
{
    (void)size;
    b->name = name;
    b->wabase = low;
}

#elif defined(__arm__)

/* FreeRTOS, tasks.c */
typedef struct tskTaskControlBlock {
    volatile uintptr_t *pxTopOfStack;
    uint32_t uxPriority;
    uintptr_t *pxStack;
    char pcTaskName[16];
    uintptr_t *pxEndOfStack;
    uint32_t uxTCBNumber;
} tskTCB;
typedef tskTCB block_t;
extern tskTCB *volatile pxCurrentTCB;
#define CURRENT     pxCurrentTCB
#define FILL        0xa5
#define STACK_OF(b) (b)->pxTopOfStack

static inline void block_init(block_t *b, const char *name, uintptr_t *low, size_t size)
{
    for (unsigned n = 0; name[n]; n++)
        b->pcTaskName[n] = name[n];
    b->pxStack = low;
    b->pxEndOfStack = low + size / sizeof(*low) - 1;
}

#else

/* Zephyr, include/zephyr/kernel/thread.h and kernel_structs.h */
typedef struct k_thread {
    volatile uintptr_t *top_of_stack;
    uint32_t prio;
    struct {
        uintptr_t start;
        size_t size;
    } stack_info;
    char name[32];
} block_t;
struct z_kernel {
    struct _cpu {
        uint32_t nested;
        block_t *volatile current;
    } cpus[1];
    uint32_t ready[4];
};
extern struct z_kernel _kernel;
#define CURRENT     _kernel.cpus[0].current
#define FILL        0xaa
#define STACK_OF(b) (b)->top_of_stack

static inline void block_init(block_t *b, const char *name, uintptr_t *low, size_t size)
{
    for (unsigned n = 0; name[n]; n++)
        b->name[n] = name[n];
    b->stack_info.start = (uintptr_t)low;
    b->stack_info.size = size;
}

#endif

#endif
