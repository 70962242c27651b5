/* SPDX-License-Identifier: 0BSD */
/* A sample of a core by one script of OpenOCD: halt, registers, stack, resume. */
#include "tcl_sample.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * t target, w script whose result is 1 if a breakpoint halted the core, o whether it is a Cortex-M,
 * l registers, n words of the stack, at most up to e, and of one below h up to g; p says to read
 * the process stack, too, of a core that handles an exception. A Cortex-M
 * forgets what halted it when OpenOCD notices the halt, and OpenOCD then reads all its registers;
 * of other cores it may keep old ones. OpenOCD's other clients wait for the whole script, so
 * nothing in it waits for long. The result is the state if there is no sample; else "sampled", the
 * values, the j words at k or "none", and "stack" and the words of each stack. OpenOCD would look
 * at the core before each command, so its polling is off meanwhile. "poll" looks at the core, too:
 * it comes before the state is asked for, else a breakpoint that it finds would be resumed. Flags
 * of a Cortex-M that ran after they were read, z, are old: some debuggers do not clear them.
 */
static const char script[] =
    "apply {{t o w l n e g h k j p} {"
    "set z 0;if {$o} {catch {set z [$t read_memory 0xe000ed30 32 1]}};"
    "set f 1;catch {set f [string match {*: on*} [poll]]};"
    "catch {$t arp_poll};"
    "set r [$t curstate];"
    "if {$r ne {running}} {return $r};"
    "$t arp_halt;"
    "set b 0;set r sampled;"
    "set c [catch {poll off;"
    "if {$o} {set b [eval $w]};"
    "$t arp_waitstate halted 200;"
    "if {!$o} {set b [eval $w]};"
    "if {$o} {set d [$t get_reg $l]} else {set d [$t get_reg -force $l]};"
    "foreach i $l {lappend r [dict get $d $i]};"
    "if {$j > 0} {"
    "if {[catch {$t read_memory $k 32 $j} v]} {set v none};"
    "append r { } $v};"
    "if {$n > 0} {set s [list [dict get $d sp]];"
    "if {$p && [dict get $d xPSR] & 511} {lappend s [dict get $d psp]};"
    "foreach a $s {set i $n;append r { stack};"
    "if {$a < $h && $a + 4 * $i > $g} {set i [expr {($g - $a) / 4}]};"
    "if {$a < $e && $a + 4 * $i > $e} {set i [expr {($e - $a) / 4}]};"
    "while {$i > 7 && [catch {$t read_memory $a 32 $i} m]} {set i [expr {$i / 2}];set m {}};"
    "if {$i > 7} {append r { } $m}"
    "}}} m];"
    "if {$f} {poll on};"
    "if {$b} {return breakpoint};"
    "targets $t;resume;"
    "if {$c} {error $m};"
    "set r}} ";

#define SCRIPT_MAX 2048
#define NAMES_MAX  400

/* Bits of DFSR for a BKPT, a watchpoint, a vector catch and an external signal (ARMv7-M
 * Architecture Reference Manual, C1.6.1), which OpenOCD clears when it notices the halt; causes
 * of DCSR for EBREAK and a trigger (RISC-V External Debug Support 0.13, 4.8.1). */
static const char why_m[] = "expr {([$t read_memory 0xe000ed30 32 1] & 0x1e & ~$z) != 0}";
/* OpenOCD swaps the bytes of these registers, which are little-endian in any case. */
static const char why_m_big[] = "expr {([$t read_memory 0xe000ed30 32 1] & 0x1e000000 & ~$z) != 0}";
static const char why_riscv[] = "expr {([lindex [$t get_reg -force dcsr] 1] >> 6 & 7) in {1 2}}";

/* OpenOCD's names of the registers of a Cortex-M, and of a RISC-V hart, in the order of the
 * sample's registers; then further ones. */
static const char *const names_m[] = {"r0", "r1",  "r2",  "r3",  "r4", "r5", "r6", "r7",  "r8",
                                      "r9", "r10", "r11", "r12", "sp", "lr", "pc", "xPSR"};
static const char *const names_riscv[] = {"zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "fp",
                                          "s1",   "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7",
                                          "s2",   "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10",
                                          "s11",  "t3", "t4", "t5", "t6", "pc"};

/* What the script reads: names separated by spaces, and the index of each in the sample. */
struct list {
    char names[NAMES_MAX];
    size_t len;
    unsigned indices[GDBMI_REGISTERS_MAX];
    unsigned count;
};

static void add(struct list *list, const char *name, unsigned index)
{
    list->len += (size_t)snprintf(list->names + list->len, sizeof(list->names) - list->len, "%s%s",
                                  list->len > 0 ? " " : "", name);
    list->indices[list->count++] = index;
}

static void list_registers(const struct tcl_sampling *sampling, const struct link_registers *map,
                           bool all, struct list *list)
{
    const char *const *names = sampling->m_profile ? names_m : names_riscv;

    *list = (struct list){.count = 0};
    for (unsigned i = 0; i < map->count; i++) {
        if (all || i == map->ra || i == map->pc || (int)i == map->psr)
            add(list, names[i], i);
    }
    for (unsigned i = 0; all && i < LINK_SPECIALS; i++) {
        if (sampling->m_profile == (i != GDBMI_MEPC - GDBMI_MSP))
            add(list, link_special_names[i], GDBMI_MSP + i);
    }
}

static bool take_number(const char **text, uint64_t *value)
{
    char *end;

    *value = strtoull(*text, &end, 16);
    if (end == *text)
        return false;
    *text = end;
    return true;
}

/* Moves *text to after the words. */
static size_t take_words(const struct tcl_sampling *sampling, const char **text,
                         unsigned char *bytes, size_t capacity)
{
    size_t len = 0;
    uint64_t value;

    while (len + 4 <= capacity && take_number(text, &value)) {
        for (unsigned at = 0; at < 4; at++) {
            unsigned shift = 8 * (sampling->big_endian ? 3 - at : at);
            bytes[len++] = (unsigned char)(value >> shift);
        }
    }
    return len;
}

/* Moves *text to after the stack; leaves it if there is none. Returns its bytes. */
static size_t take_stack(const struct tcl_sampling *sampling, struct gdbmi_link *link,
                         const struct gdbmi_sample_request *request, const char **text, uint64_t sp,
                         void *bytes)
{
    static const char mark[] = " stack";
    size_t wanted = link_stack_fit(&link->stack_end, request->stack_end, sp, request->stack_len);

    if (strncmp(*text, mark, sizeof(mark) - 1) != 0)
        return 0;
    *text += sizeof(mark) - 1;
    size_t len = take_words(sampling, text, bytes, request->stack_len);
    link_stack_note(&link->stack_end, sp, wanted, len);
    return len;
}

/* Takes the word, which the script may not have read, and returns the text after it. */
static const char *take_word(const struct tcl_sampling *sampling,
                             const struct gdbmi_sample_request *request, const char *text,
                             struct gdbmi_sample *sample)
{
    static const char none[] = " none";

    if (strncmp(text, none, sizeof(none) - 1) == 0)
        return text + sizeof(none) - 1;
    size_t len = take_words(sampling, &text, sample->word, request->word_len);
    sample->has_word = len == request->word_len;
    return text;
}

static enum gdbmi_code take_result(const struct tcl_sampling *sampling, struct gdbmi_link *link,
                                   const struct link_registers *map, const struct list *list,
                                   const struct gdbmi_sample_request *request, const char *text,
                                   struct gdbmi_sample *sample)
{
    static const char sampled[] = "sampled";
    uint64_t value;

    if (strncmp(text, sampled, sizeof(sampled) - 1) != 0)
        return GDBMI_OK;
    text += sizeof(sampled) - 1;
    for (unsigned i = 0; i < list->count; i++) {
        if (!take_number(&text, &value))
            return gdbmi_error_set(&link->error, GDBMI_EPROTOCOL,
                                   "%s: a register's value is not a number: %.40s", link->address,
                                   text);
        link_registers_set(sample, list->indices[i], value);
    }
    if (request->word_len > 0)
        text = take_word(sampling, request, text, sample);
    if (request->stack_len > 0)
        sample->stack_len =
            take_stack(sampling, link, request, &text, sample->registers[map->sp], request->stack);
    if (request->process_stack != NULL)
        sample->process_len = take_stack(sampling, link, request, &text,
                                         sample->registers[GDBMI_PSP], request->process_stack);
    return GDBMI_OK;
}

static const char *why_of(const struct tcl_sampling *sampling)
{
    if (!sampling->m_profile)
        return why_riscv;
    return sampling->big_endian ? why_m_big : why_m;
}

static void say_script(const struct tcl_sampling *sampling, const struct gdbmi_link *link,
                       const struct list *list, const struct gdbmi_sample_request *request,
                       char text[static SCRIPT_MAX])
{
    snprintf(text, SCRIPT_MAX,
             "%s%s %d {%s} {%s} %zu 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64 " %zu %d",
             script, link->target, sampling->m_profile, why_of(sampling), list->names,
             request->stack_len / 4, request->stack_end, link_stack_try(&link->stack_end),
             link->stack_end.bad, request->word, request->word_len / 4,
             sampling->m_profile && request->process_stack != NULL);
}

static enum gdbmi_code run_short(struct tcl_sampling *sampling, struct gdbmi_link *link,
                                 struct tcl_port *port, const struct link_registers *map,
                                 const struct gdbmi_sample_request *request,
                                 struct gdbmi_sample *sample)
{
    char text[SHORT_HALT_SCRIPT];
    char *result = NULL;
    bool reset = false;

    short_halt_say(&sampling->short_halt, link->target, request, text);
    enum gdbmi_code code = tcl_port_run(port, text, &result, &link->error);
    if (code == GDBMI_OK)
        code = short_halt_take(&sampling->short_halt, link, map, request, result, sample, &reset);
    port->resets += reset;
    free(result);
    return code;
}

/* By OpenOCD's own halt. It writes registers with all their digits. */
static enum gdbmi_code run_long(struct tcl_sampling *sampling, struct gdbmi_link *link,
                                struct tcl_port *port, const struct link_registers *map,
                                const struct gdbmi_sample_request *request,
                                struct gdbmi_sample *sample)
{
    bool all = request->all || request->stack_len > 0;
    char text[SCRIPT_MAX];
    char *result = NULL;
    struct list list;

    list_registers(sampling, map, all, &list);
    say_script(sampling, link, &list, request, text);
    enum gdbmi_code code = tcl_port_run(port, text, &result, &link->error);
    if (code == GDBMI_OK)
        code = take_result(sampling, link, map, &list, request, result, sample);
    if (code == GDBMI_OK && sample->known != 0)
        short_halt_found(&sampling->short_halt, link, sampling->m_profile,
                         strcspn(result + sizeof("sampled 0x") - 1, " ") > 8);
    free(result);
    return code;
}

enum gdbmi_code tcl_sample_run(struct tcl_sampling *sampling, struct gdbmi_link *link,
                               struct tcl_port *port, const struct link_registers *map,
                               const struct gdbmi_sample_request *request,
                               struct gdbmi_sample *sample)
{
    enum gdbmi_code code = GDBMI_EUNSUPPORTED;

    if (short_halt_can(&sampling->short_halt, link, request))
        code = run_short(sampling, link, port, map, request, sample);
    if (code == GDBMI_EUNSUPPORTED)
        code = run_long(sampling, link, port, map, request, sample);
    return code;
}
