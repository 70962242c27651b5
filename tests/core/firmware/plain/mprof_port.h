/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A port as it must not be: loads and stores that do not see what came between them. */
#ifndef MPROF_PORT_H
#define MPROF_PORT_H

#define mprof_port_load(object, member)              ((object)->member)
#define mprof_port_store(object, member, old, value) ((object)->member = (value), 0)
#define mprof_port_count(object, member)             (++(object)->member)
#define mprof_port_barrier()                         __asm__ volatile("" : : : "memory")

#endif
