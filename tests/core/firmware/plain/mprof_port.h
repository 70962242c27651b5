/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A port as it must not be: loads and stores that do not see what came between them. */
#ifndef MPROF_PORT_H
#define MPROF_PORT_H

#include <stddef.h>
#include <stdint.h>

#define MPROF_PORT_NEAR      1020
#define mprof_port_mask()    0
#define mprof_port_unmask(n) (void)(n)
#define mprof_port_barrier() __asm__ volatile("" : : : "memory")

#include "masked.h"

#endif
