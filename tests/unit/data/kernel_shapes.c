/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Variables and control blocks with the names of those of a kernel. Where the finder must find them
 * is in "expected" and "expected_current". */
#include <stddef.h>
#include <stdint.h>

typedef uint32_t padding_t[3];

#if defined(FREERTOS) || defined(FREERTOS_SMP)
typedef struct tskTaskControlBlock {
    volatile uintptr_t *pxTopOfStack;
    struct {
        uintptr_t xItemValue;
        void *pvOwner;
    } xStateListItem;
    unsigned long uxPriority;
    uintptr_t *pxStack;
    char pcTaskName[16];
#ifdef FREERTOS_SMP
    uintptr_t *pxEndOfStack;
#endif
} tskTCB;
typedef tskTCB TCB_t;
#define BLOCK      TCB_t
#define NAME       pcTaskName
#define NAME_IS    0
#define STACK_LOW  pxStack
#define STACK_FILL 0xa5
#ifdef FREERTOS_SMP
TCB_t *volatile pxCurrentTCBs[2];
#define CURRENT   pxCurrentTCBs
#define CORES     2
#define STACK_TOP pxEndOfStack
#else
TCB_t *volatile pxCurrentTCB;
#define CURRENT pxCurrentTCB
#endif

#elif defined(ZEPHYR) || defined(ZEPHYR_OLD)
struct k_thread {
    padding_t base;
    struct { /* in an unnamed one, which a real one has not */
        struct _thread_stack_info {
            uintptr_t start;
            size_t size, delta;
        } stack_info;
    };
    char name[32];
};
struct _cpu {
    uint32_t nested;
    char *irq_stack;
    struct k_thread *current, *idle_thread;
};
struct z_kernel {
#ifdef ZEPHYR
    struct _cpu cpus[2];
#else
    uint32_t nested;
    struct k_thread *current;
#endif
    padding_t ready_q;
};
typedef struct z_kernel _kernel_t;
_kernel_t _kernel;
#define BLOCK      struct k_thread
#define NAME       name
#define NAME_IS    0
#define STACK_LOW  stack_info.start
#define STACK_SIZE stack_info.size
#define STACK_FILL 0xaa
#ifdef ZEPHYR
#define CURRENT _kernel.cpus[0].current
#define CORES   2
#else
#define CURRENT _kernel.current
#endif

#elif defined(THREADX)
typedef struct TX_THREAD_STRUCT {
    unsigned long tx_thread_id, tx_thread_run_count;
    void *tx_thread_stack_ptr, *tx_thread_stack_start, *tx_thread_stack_end;
    unsigned long tx_thread_stack_size, tx_thread_time_slice;
    char *tx_thread_name;
} TX_THREAD;
TX_THREAD *_tx_thread_current_ptr;
#define BLOCK      TX_THREAD
#define CURRENT    _tx_thread_current_ptr
#define NAME       tx_thread_name
#define NAME_IS    1
#define STACK_LOW  tx_thread_stack_start
#define STACK_SIZE tx_thread_stack_size
#define STACK_FILL 0xef

#elif defined(CHIBIOS) || defined(CHIBIOS_OLD)
typedef struct ch_thread {
    padding_t hdr;
    void *sp;
#ifdef CHIBIOS
    uintptr_t *wabase;
    const char *name;
#else
    const char *p_name;
    uint8_t p_state;
    uintptr_t *p_stklimit;
#endif
} thread_t;
typedef struct {
    padding_t queue;
#ifdef CHIBIOS
    thread_t *current;
#else
    thread_t *r_current;
#endif
} ready_list_t;
#define BLOCK      thread_t
#define NAME_IS    1
#define STACK_FILL 0x55
#ifdef CHIBIOS
typedef struct ch_os_instance {
    ready_list_t rlist;
    padding_t vtlist;
} os_instance_t;
os_instance_t ch0;
#define CURRENT   ch0.rlist.current
#define NAME      name
#define STACK_LOW wabase
#else
struct ch_system {
    padding_t vtlist;
    ready_list_t rlist;
} ch;
#define CURRENT   ch.rlist.r_current
#define NAME      p_name
#define STACK_LOW p_stklimit
#endif
#else

/* Names of others: no pointers, or of no kernel. */
struct z_kernel {
    uint32_t current;
} _kernel;
uint8_t pxCurrentTCB[3];
struct {
    struct {
        void *next;
    } rlist;
} ch;
#endif

#ifdef BLOCK
#ifndef CORES
#define CORES 1
#endif
#ifndef STACK_SIZE
#define SIZE_AT 0
#else
#define SIZE_AT offsetof(BLOCK, STACK_SIZE)
#endif
#ifndef STACK_TOP
#define TOP_AT 0
#else
#define TOP_AT offsetof(BLOCK, STACK_TOP)
#endif
__attribute__((used)) const uintptr_t expected_current = (uintptr_t)&CURRENT;
__attribute__((used)) const uint64_t expected[] = {
    CORES, offsetof(BLOCK, NAME), NAME_IS, offsetof(BLOCK, STACK_LOW), SIZE_AT, TOP_AT, STACK_FILL,
};
#else
__attribute__((used)) const uintptr_t expected_current = 1;
__attribute__((used)) const uint64_t expected[] = {0};
#endif

int main(void)
{
    return (int)expected[0] + (int)expected_current;
}
