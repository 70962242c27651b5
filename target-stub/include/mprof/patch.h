/* SPDX-License-Identifier: 0BSD */
/* Calls of the hook that a host writes into code in RAM while the firmware runs: 'mprof trace
 * --patch'. */
#ifndef MPROF_PATCH_H
#define MPROF_PATCH_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many functions the host can choose at a time; RAM: 24 bytes each. 0: there is nothing of
 * this. For one core and little-endian code in RAM, or a process under Linux on x86-64. */
#ifndef MPROF_PATCH_CNT
#define MPROF_PATCH_CNT 0
#endif

#define MPROF_PATCH_MAGIC 0x4850504dU /* "MPPH" */

/* What became of the last request. */
#define MPROF_PATCH_DONE      0U /* the sites that were asked for call the hook, or none was */
#define MPROF_PATCH_BUSY      1U /* a saved program counter is in a site; it is tried again */
#define MPROF_PATCH_DIFFERS   2U /* a site does not have the old bytes */
#define MPROF_PATCH_THREADS   3U /* other threads may be in a site */
#define MPROF_PATCH_PROTECTED 4U /* code cannot be written */

/* A site: the first bytes of a function. */
struct mprof_patch_site {
    uint64_t addr;
    uint8_t old_bytes[8]; /* without the call; only struct mprof_patch.size of them are used */
    uint8_t new_bytes[8]; /* with the call */
};

/*
 * The object s_mprof_patch. A host asks for sites in this order, while patched is 0: it writes
 * sites and wanted, then lease, then request. It asks for none by wanted 0 and another request. It
 * writes lease again before that is 0.
 */
struct mprof_patch {
    uint32_t magic;    /* MPROF_PATCH_MAGIC */
    uint32_t capacity; /* number of entries of sites */
    uint32_t size;     /* bytes of a site */
    uint32_t points;   /* calls of mprof_patch_point() so far */
    uint32_t lease;    /* after this number of calls the sites are taken back */
    uint32_t request;  /* if it differs from done, the next call does what wanted says */
    uint32_t done;     /* the last request that was carried out */
    uint32_t wanted;   /* number of sites that shall call the hook */
    uint32_t patched;  /* number of sites that do */
    uint32_t status;   /* MPROF_PATCH_... */
    struct mprof_patch_site sites[MPROF_PATCH_CNT ? MPROF_PATCH_CNT : 1];
};

extern struct mprof_patch s_mprof_patch;

/*
 * A point at which code may be changed: call it again and again, for example once in each turn of
 * the main loop. Call it from a thread, not from an interrupt. It takes some ten instructions,
 * unless the host asks for something; then interrupts are masked while code is changed.
 *
 * low, high: memory where program counters may be saved of threads that were interrupted, as the
 * stacks of an operating system's tasks: low <= address < high. While one of them is in a site,
 * nothing is changed. NULL for both: there is no other thread.
 */
void mprof_patch_point(const void *low, const void *high);

#ifdef __cplusplus
}
#endif

#endif
