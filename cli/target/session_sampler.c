/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the hits of the ELF that is there now are read: its table, or samples that mprof takes. */
#define _GNU_SOURCE /* strcasestr */
#include "session_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <base/path.h>
#include <base/say.h>
#include <sampler/trace.h>

/* What a table without a header counts, its name must tell. */
static enum decode_unit unit_of(const char *symbol)
{
    return strcasestr(symbol, "call") ? DECODE_UNIT_CALLS : DECODE_UNIT_SAMPLES;
}

/* In a dump the counter is after the ring. */
static struct sampler_table *make_ring(const struct session *s)
{
    const struct elf_file *elf = &s->elf;
    bool dump = target_is_dump(s->options);
    struct symtab_counter counter = elf->counter;

    if (dump)
        counter.addr = elf->table.addr + elf->table.size;
    return sampler_table_new_ring(s->link, elf->symtab, &elf->table, &counter, dump,
                                  s->options->sampler);
}

/* What reads the table; NULL: no memory. */
static struct sampler_table *make_reader(struct session *s)
{
    const struct elf_file *elf = &s->elf;

    if (elf->kind == SYMTAB_TABLE_HEADERLESS)
        return sampler_table_new_headerless(s->link, elf->symtab, &elf->table,
                                            unit_of(s->options->symbol), s->options->block_size);
    if (elf->kind == SYMTAB_TABLE_RING)
        return make_ring(s);
    return sampler_table_new(s->link, elf->table_addr, elf->table_size,
                             symtab_elf(elf->symtab)->addr_size, s->options->sampler);
}

static bool read_table(struct session *s, char text[SESSION_TEXT])
{
    struct symtab *symtab = s->elf.symtab;

    snprintf(text, SESSION_TEXT, "out of memory");
    s->sampler = make_reader(s);
    if (s->sampler && s->options->link.records &&
        !sampler_table_receive(s->sampler, s->options->force ? NULL : symtab)) {
        sampler_table_free(s->sampler);
        s->sampler = NULL;
    }
    if (s->sampler && s->options->program != 0)
        sampler_table_from_start(s->sampler);
    if (s->sampler && strcmp(symtab_elf(symtab)->arch, "arm") == 0)
        sampler_table_has_exceptions(s->sampler);
    return s->sampler != NULL;
}

static void choose(struct session *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void choose(struct session *s, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(s->sampler_why, sizeof(s->sampler_why), format, args);
    va_end(args);
}

static void warn_watchdog(struct session *s)
{
    if (s->watchdog_said || gdbmi_link_info(s->link)->simulator)
        return;
    s->watchdog_said = true;
    complain("samples halt the core: a watchdog that runs on meanwhile may reset it");
}

static bool take(struct session *s, enum sampler_kind kind, char text[SESSION_TEXT])
{
    const struct options *o = s->options;
    const struct sampler_taking how = {.duty = o->duty,
                                       .share = o->link_share,
                                       .burst = o->burst,
                                       .stacks = o->stacks,
                                       .task = s->kernel.current,
                                       .task_size = o->burst ? 0 : s->kernel.current_size};
    enum sampler_code code;

    s->sampler =
        sampler_table_new_taken(s->link, s->elf.symtab, kind, &how, &code, text, SESSION_TEXT);
    if (s->sampler && kind == SAMPLER_HALT)
        warn_watchdog(s);
    return s->sampler != NULL;
}

/* Samples without a stub: the way that disturbs nobody, or the one that the user has allowed. */
static bool take_somehow(struct session *s, char text[SESSION_TEXT])
{
    const char *elf = path_base_name(s->elf.path);
    char why[SESSION_TEXT], halt[SESSION_TEXT];

    if (take(s, SAMPLER_PCSR, why)) {
        choose(s, "no stub in %.60s; DWT_PCSR answers", elf);
        return true;
    }
    bool simulator = gdbmi_link_info(s->link)->simulator;
    if (!s->options->link.allow_halt && !simulator) {
        snprintf(
            text, SESSION_TEXT,
            "%.100s has no stub (s_prof), and %.200s: --allow-halt samples by short halts; or link "
            "the stub (target-stub/)",
            s->elf.path, why);
        return false;
    }
    choose(s, "%s; no stub in %.60s, %.80s",
           simulator ? "a simulator may be halted" : "--allow-halt is given", elf, why);
    if (take(s, SAMPLER_HALT, halt))
        return true;
    snprintf(text, SESSION_TEXT, "%.100s has no stub (s_prof); %.150s; %.150s", s->elf.path, why,
             halt);
    return false;
}

bool session_make_sampler(struct session *s, char text[SESSION_TEXT])
{
    enum sampler_kind kind = s->options->sampler;

    sampler_table_free(s->sampler);
    s->sampler = NULL;
    if (sampler_kind_is_taken(kind)) {
        choose(s, "as given by --sampler");
        return take(s, kind, text);
    }
    if (s->options->stacks) {
        choose(s, "--stacks is given, and only halts have stacks");
        return take(s, SAMPLER_HALT, text);
    }
    if (s->elf.no_table[0])
        return take_somehow(s, text);
    choose(s,
           kind == SAMPLER_AUTO || kind == SAMPLER_TOTAL ? "%s is in %.60s"
                                                         : "as given by --sampler",
           s->options->symbol, path_base_name(s->elf.path));
    return read_table(s, text);
}
