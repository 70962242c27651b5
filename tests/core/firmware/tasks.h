/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stub's configuration for tasks: control blocks are named as FreeRTOS and Zephyr name theirs.
 */
#ifndef TASKS_H
#define TASKS_H

#include <stdint.h>

uint32_t sleep_time(void);
#define MPROF_SLEEP_TIME sleep_time()

#ifdef __arm__
#define MPROF_SLEEP_HZ 25000000
/* FreeRTOS, tasks.c */
typedef struct tskTaskControlBlock {
    volatile uintptr_t *pxTopOfStack;
    uint32_t uxPriority;
    char pcTaskName[12];
    uint32_t uxTCBNumber;
} tskTCB;
extern tskTCB *volatile pxCurrentTCB;
#define MPROF_TASK  pxCurrentTCB
#define NAME_OF(t)  (t)->pcTaskName
#define STACK_OF(t) (t)->pxTopOfStack
#else
#define MPROF_SLEEP_HZ 10000000
/* Zephyr, include/zephyr/kernel/thread.h and kernel_structs.h */
typedef struct k_thread {
    volatile uintptr_t *top_of_stack;
    uint32_t prio;
    char name[32];
} tskTCB;
struct z_kernel {
    uint32_t nested;
    tskTCB *volatile current;
};
extern struct z_kernel _kernel;
#define MPROF_TASK     _kernel.current
#define NAME_OF(t)     (t)->name
#define STACK_OF(t)    (t)->top_of_stack
#endif

#endif
