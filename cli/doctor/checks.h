/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the checks of mprof doctor know, and the checks in their order. */
#ifndef DOCTOR_CHECKS_H
#define DOCTOR_CHECKS_H

#include <gdbmi/link.h>
#include <load/elf_file.h>
#include <profile/profile.h>
#include <sampler/identity.h>
#include <sampler/table.h>
#include <symbol/symtab.h>

#include "findings.h"
#include "moved.h"

/* Part of the time that reads take, unless --link-share says another. */
#define DOCTOR_SHARE 0.25

/* A target that is checked. doctor_run() initialises it and frees what it owns. */
struct doctor {
    const struct options *options; /* borrowed */
    struct findings findings;

    struct elf_file elf;         /* symtab NULL: there is none */
    bool has_table;              /* elf has a table of hits */
    char no_table[FINDING_TEXT]; /* why not */

    struct gdbmi_link *link;       /* owned; NULL: none */
    const struct gdbmi_info *info; /* of link */
    enum gdbmi_state state;        /* of the target, when it was asked first */
    bool readable;                 /* some memory of the target was read */
    bool is_cortex_m;              /* it has the CPUID of one */
    bool has_pcsr;                 /* DWT_PCSR gives program counters */
    const char *no_pcsr;           /* why it gives none, if that is known; NULL: it was not asked */
    struct moved moved;            /* of elf's code */
    double request_s, byte_s;      /* a read without its bytes, and one byte of it */
    enum identity match;           /* of elf and target */

    struct sampler_table *sampler; /* owned; NULL: none */
    struct profile profile;        /* its readings */
    double poll_s;                 /* duration of the shortest one */
    double counted_s;              /* time from the first one to the last one */
    uint64_t events, hits;         /* that came in it */
    struct profile first;          /* the first reading; its rows are not valid */
    struct finding summary;        /* how 'mprof top' will read */
};

/* Each check adds findings, and needs what those before it have found. */
void check_elf(struct doctor *doctor);     /* elf_checks.c */
void check_server(struct doctor *doctor);  /* server_checks.c */
void check_clients(struct doctor *doctor); /* server_checks.c */
void check_target(struct doctor *doctor);  /* core_checks.c */
void check_reading(struct doctor *doctor); /* read_checks.c */
void check_pcsr(struct doctor *doctor);    /* pcsr_checks.c */
void check_flash(struct doctor *doctor);   /* read_checks.c */
void check_stub(struct doctor *doctor);    /* stub_checks.c */
void check_speed(struct doctor *doctor);   /* read_checks.c */
void check_cross(struct doctor *doctor);   /* cross_checks.c; with --cross-check */
void check_top(struct doctor *doctor);     /* top_checks.c */

/* Why a Cortex-M does not run its program: "it sleeps (WFI or WFE)". NULL: it runs, or nothing is
 * known. Reads DHCSR, whose S_RESET_ST and S_RETIRE_ST are cleared by that. core_checks.c */
const char *core_rest(struct doctor *doctor);

/* Whether 'mprof top' takes samples itself, by --sampler or as there is no stub. top_checks.c */
bool top_takes_samples(const struct doctor *doctor);

/* Reads the stub once more. stub_checks.c */
enum sampler_code stub_poll(struct doctor *doctor);

/* Reads a register of a Cortex-M's private peripheral bus, which is little-endian whatever the byte
 * order of memory (Cortex-M3 Technical Reference Manual, 2.5). core_checks.c */
bool core_read_register(struct doctor *doctor, uint64_t addr, uint32_t *word);

/* Makes DWT_PCSR answer, by DEMCR.TRCENA, and puts that back as it was. Between the two,
 * core_sample() reads the program counter, which is 0 if the core does not tell it. All return
 * false if the register cannot be accessed. pcsr_checks.c */
bool core_trace_begin(struct doctor *doctor, uint32_t *before);
bool core_trace_end(struct doctor *doctor, uint32_t before);
bool core_sample(struct doctor *doctor, uint32_t *pc);

/* Returns what OpenOCD prints for a command, "" if it fails or is no OpenOCD; the caller frees it.
 * server_checks.c */
char *openocd_says(struct doctor *doctor, const char *command);

/* Writes the host or path of an address to host, at most capacity bytes with the NUL, "" for this
 * machine without a name; returns its port, 0: none. server_checks.c */
unsigned address_port(const char *address, char *host, size_t capacity);

#endif
