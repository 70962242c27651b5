/* SPDX-License-Identifier: 0BSD */
/* The options of the stub, their defaults, and what is said about a wrong one. */
#ifndef MPROF_CONFIG_H
#define MPROF_CONFIG_H

/*
 * All options are macros, given to the stub and to whoever includes mprof.h alike: by -D, or by a
 * header that -DMPROF_CONFIG_FILE='"my_config.h"' names. With CMake, set the variable of the same
 * name before add_subdirectory(target-stub).
 */
#ifdef MPROF_CONFIG_FILE
#include MPROF_CONFIG_FILE
#endif

/* Items of the table. 16 bytes of RAM each on a 32-bit core, 24 on a 64-bit one. */
#ifndef MPROF_CNT
#define MPROF_CNT 256
#endif

/* Bytes of code that one item stands for. Small ones are sharper and need more items. */
#ifndef MPROF_ERR
#define MPROF_ERR 16
#endif

/* The input section of s_prof. The default falls into any linker script's *(.bss*). A section of
 * its own that start-up code does not clear keeps the boot counter over a reset; its output section
 * must be NOLOAD, or the image grows by the size of s_prof. */
#ifndef MPROF_SECTION
#define MPROF_SECTION ".bss.mprof"
#endif

#if (MPROF_CNT) < 4 || (MPROF_CNT) > 65536 || ((MPROF_CNT) & ((MPROF_CNT)-1)) != 0
#error "MPROF_CNT is the number of items, 4 times a power of two: write 64, 128, 256 or 512"
#endif

#if (MPROF_ERR) < 2 || (MPROF_ERR) > 65536 || ((MPROF_ERR) & ((MPROF_ERR)-1)) != 0
#error "MPROF_ERR is the bytes of code of an item, a power of two from 2 on: write 8, 16 or 32"
#endif

#endif
