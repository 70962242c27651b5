/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Knows less of the variables than the unit that defines them, as a kernel's port does. */
extern void *volatile pxCurrentTCB;
extern struct z_kernel _kernel;
extern struct TX_THREAD_STRUCT *_tx_thread_current_ptr;

void *kernel_port_use(void);
void *kernel_port_use(void)
{
#if defined(FREERTOS)
    return (void *)pxCurrentTCB;
#elif defined(ZEPHYR) || defined(ZEPHYR_OLD)
    return &_kernel;
#elif defined(THREADX)
    return _tx_thread_current_ptr;
#else
    return 0;
#endif
}
