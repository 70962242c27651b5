/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The target and its core: what runs, what is halted, and what a Cortex-M's registers say. */
#include "checks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <taken/pcsr.h>

/* Register, of the Arm v7-M and v8-M Architecture Reference Manuals: system control space. */
#define CPUID 0xE000ED00U

struct part {
    unsigned number; /* CPUID.PARTNO */
    const char *name;
};

static const struct part parts[] = {
    {0xc20, "Cortex-M0"},   {0xc60, "Cortex-M0+"}, {0xc21, "Cortex-M1"},  {0xc23, "Cortex-M3"},
    {0xc24, "Cortex-M4"},   {0xc27, "Cortex-M7"},  {0xd20, "Cortex-M23"}, {0xd21, "Cortex-M33"},
    {0xd31, "Cortex-M35P"}, {0xd22, "Cortex-M55"}, {0xd23, "Cortex-M85"}, {0xd24, "Cortex-M52"},
};

static bool is_arm(const struct doctor *d)
{
    return strcmp(d->info->arch, "arm") == 0 ||
           (!d->info->arch[0] && d->elf.symtab &&
            strcmp(symtab_elf(d->elf.symtab)->arch, "arm") == 0);
}

bool core_read_register(struct doctor *doctor, uint64_t addr, uint32_t *word)
{
    uint8_t b[4];

    if (gdbmi_link_read(doctor->link, addr, b, sizeof(b)) != GDBMI_OK)
        return false;
    *word = (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
    return true;
}

/* ", Cortex-M3 r2p1"; "": no Cortex-M, or it cannot be read. */
static void name_core(struct doctor *d, char *text, size_t capacity)
{
    uint32_t id = 0;

    text[0] = '\0';
    if (!is_arm(d) || !core_read_register(d, CPUID, &id) || id == 0)
        return;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (parts[i].number != (id >> 4 & 0xfff))
            continue;
        d->is_cortex_m = true;
        snprintf(text, capacity, ", %s r%" PRIu32 "p%" PRIu32, parts[i].name, id >> 20 & 0xf,
                 id & 0xf);
    }
}

static const char *state_word(enum gdbmi_state state)
{
    return state == GDBMI_STATE_RUNNING ? "running" : state == GDBMI_STATE_HALTED ? "halted" : "";
}

/* A debugger next to mprof may halt it at any time: it is for its user to continue. */
static void say_state(struct doctor *d, const char *word, const char *core)
{
    const char *name = d->info->target[0] ? d->info->target : "the target";
    const char *arch = d->info->arch;
    bool unknown = strcmp(word, "unknown") == 0;

    if (d->state == GDBMI_STATE_HALTED)
        finding_add(&d->findings, FINDING_FAIL, "target",
                    "continue it in your debugger, or in OpenOCD by 'resume'",
                    "the core is halted, so nothing is counted (%s%s)", name, core);
    else if (strcmp(word, "reset") == 0)
        finding_add(&d->findings, FINDING_FAIL, "target",
                    "release the reset line, or type 'reset run' in OpenOCD", "%s is held in reset",
                    name);
    else if (unknown && !d->readable)
        finding_add(&d->findings, FINDING_FAIL, "target",
                    "check power and the cable, then type 'reset init' in OpenOCD",
                    "OpenOCD does not reach %s: its state is unknown", name);
    else
        finding_add(&d->findings, FINDING_OK, "target", NULL, "%s%s%s%s%s%s", name,
                    arch[0] ? ", " : "", arch, core, word[0] ? ", " : "", word);
    if (d->info->others[0])
        finding_add(&d->findings, FINDING_OK, "target", NULL,
                    "the server has other targets: %s; --target NAME chooses one", d->info->others);
}

void check_target(struct doctor *doctor)
{
    char core[48];

    if (!doctor->link)
        return;
    if (gdbmi_link_state(doctor->link, &doctor->state) != GDBMI_OK) {
        finding_add(&doctor->findings, FINDING_FAIL, "target", "see what the server prints", "%s",
                    gdbmi_link_error(doctor->link)->text);
        return;
    }
    name_core(doctor, core, sizeof(core));
    doctor->readable = doctor->is_cortex_m;
    char *word = openocd_says(doctor, "[target current] curstate");
    say_state(doctor, word && word[0] ? word : state_word(doctor->state), core);
    free(word);
}

const char *core_rest(struct doctor *doctor)
{
    uint32_t status;

    if (!doctor->is_cortex_m || !core_read_register(doctor, PCSR_DHCSR, &status))
        return NULL;
    if (status & PCSR_S_LOCKUP)
        return "it has locked up: a fault came in a fault handler";
    return status & PCSR_S_SLEEP ? "it sleeps (WFI or WFE)" : NULL;
}
