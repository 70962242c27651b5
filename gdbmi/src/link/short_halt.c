/* SPDX-License-Identifier: 0BSD */
/* A sample of a core by OpenOCD that is over before OpenOCD itself notices the halt. */
#include "short_halt.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * t target, z RISC-V: the command that reads dpc, k address of j words. OpenOCD would look at the
 * core before each command, so its polling is off meanwhile. "poll" looks at the core, too: it
 * comes before the state is asked for, so that a breakpoint that it finds is heard of. Nothing is
 * waited for longer than 200 ms, w; y says that a halt was asked for, after which failures lead to
 * a resume. The result is "sampled", how long the core was halted, us; the program counter, high
 * word first; the register with the exception; and the words or "none".
 */
#define BEGIN                                                                            \
    "apply {{t z k j} {set o 1;catch {set o [string match {*: on*} [poll]]};"            \
    "catch {$t arp_poll};set s [$t curstate];if {$s ne {running}} {return $s};poll off;" \
    "set y 0;set q 0;set r sampled;if {[catch {"
#define HALTING "set w [expr {[ms]+200}];set y 1;catch {set u [clock microseconds]};"
#define WAITING "if {[ms]>$w} {error timeout};"
#define WORDS(physical) \
    "if {$j && [catch {set m [$t read_memory $k 32 $j" physical "]}]} {set m none};"
#define RESUMED "catch {set q [format 0x%x [expr {[clock microseconds]-$u}]]};"
#define END(resume)                                                                   \
    "} e]} {if {$y} {catch {" resume "};catch {$t arp_poll;"                          \
    "if {[$t curstate] eq {halted}} {targets $t;resume}};set r \"failed: $e\"} else " \
    "{set r unsupported}};if {$o} {poll on};set r}} "

/* ARMv7-M Architecture Reference Manual, C1.6: DHCSR is at x, with DCRSR and DCRDR after it.
 * DFSR, f, says what has halted the core; ICSR, the first of v, has the number of the exception,
 * and takes one request less than xPSR. The two are read at once, with what is between them. That
 * is a round trip after the halt was asked for: so the core is halted, but if it was not at the
 * first look, ICSR is read again. Reading DHCSR clears the bit that tells of a reset. These
 * registers are little-endian, and OpenOCD swaps those of a big-endian target: there they would
 * mean nothing. */
static const char script_m[] =
    BEGIN "set x 0xe000edf0;set d [$t read_memory $x 32 1];"
          "if {$d & 0x2000000} {set r reset} elseif {$d & 0x20000} {set r halted} else {set c "
          "[expr {$d & 0x28 | 0xa05f0001}];" HALTING
          "$t write_memory $x 32 [expr {$c|2}];set f 0;set n 0;"
          "while {!($f & 31)} {" WAITING "set v [$t read_memory 0xe000ed04 32 12];"
          "set f [lindex $v 11];incr n};if {$n>1} {set v [$t read_memory 0xe000ed04 32 1]};"
          "if {$f & 30} {set r breakpoint} else {set p 0;"
          "while {([lindex $p 0] & 0x30000) != 0x30000} {" WAITING
          "$t write_memory 0xe000edf4 32 15;set p [$t read_memory $x 32 3]};" WORDS(
              "") "$t write_memory $x 32 $c;" RESUMED "$t write_memory 0xe000ed30 32 1;"
                  "append r \" $q 0 [lindex $p 2] [lindex $v 0]\";if {$j} {append r \" $m\"};"
                  "if {[lindex $p 0] & 0x2000000} {set r reset}}}" END("$t write_memory $x 32 $c");

/* RISC-V External Debug Support 0.13: data0 is 4, dmcontrol 16, dmstatus 17, abstractcs 22, command
 * 23; 4.8.1 for dcsr. OpenOCD believes that the hart that it has chosen, g, is still chosen. */
static const char script_riscv[] = BEGIN
    "set i [list $t riscv dmi_read];set x [list $t riscv dmi_write];set g [{*}$i 16];"
    "set h [$t cget -coreid];set n [expr {$g & 1|($h & 1023)<<16|($h>>10)<<6}];"
    "{*}$x 4 0;" HALTING "{*}$x 16 [expr {$n|1<<31}];while {!([{*}$i 17] & 512)} {" WAITING "};"
    "{*}$x 23 0x2207b0;set d [{*}$i 4];if {($d>>6 & 7) in {1 2}} {set r breakpoint} else {"
    "{*}$x 23 $z;set p [{*}$i 4];set h 0;if {$z>>20==3} {set h [{*}$i 5]};" WORDS(
        " phys") "{*}$x 16 [expr {$n|1<<30}];" RESUMED "while {!([{*}$i 17]>>17 & 1)} {" WAITING
                 "};"
                 "append r \" $q $h $p 0\";if {$j} {append r \" $m\"};"
                 "if {$d>>28==0 || [{*}$i 22] & 0x1700} {{*}$x 22 0x700;set r unsupported}};"
                 "{*}$x 16 [expr {$g & 0x7ffffc1}]" END("{*}$x 16 [expr {$n|1<<30}];{*}$x 16 $g");

/* Of its arguments: the target, two numbers of 64 bits, and one digit. */
#define ARGUMENTS 110

_Static_assert(sizeof(script_m) + ARGUMENTS <= SHORT_HALT_SCRIPT &&
                   sizeof(script_riscv) + ARGUMENTS <= SHORT_HALT_SCRIPT,
               "a script with its arguments fits");

/* Commands that read dpc with 32 and with 64 bits. */
#define READ_DPC_32 0x2207b1U
#define READ_DPC_64 0x3207b1U
/* Samples by OpenOCD's own halt after a failure: a glitch of the probe costs little, and a core on
 * which short halts often fail is hardly troubled by them. */
#define PAUSE_MIN 32U
#define PAUSE_MAX 1024U
/* ICSR.VECTACTIVE, and the bit of an xPSR that a Cortex-M always has set. */
#define VECTACTIVE 0x1ffU
#define PSR_THUMB  0x01000000U

void short_halt_found(struct short_halt *known, const struct gdbmi_link *link, bool m_profile,
                      bool wide)
{
    known->wait -= known->wait > 0;
    if (known->tried)
        return;
    known->tried = true;
    known->works = (m_profile && !known->big_endian) || strcmp(link->arch, "riscv") == 0;
    known->m_profile = m_profile;
    known->wide = wide;
}

/* OpenOCD reads the memory of a hart only by the system bus while it believes that it runs. */
bool short_halt_can(const struct short_halt *known, const struct gdbmi_link *link,
                    const struct gdbmi_sample_request *request)
{
    return known->works && known->wait == 0 && !request->all && request->stack_len == 0 &&
           (request->word_len == 0 || link->info.live);
}

void short_halt_say(const struct short_halt *known, const char *target,
                    const struct gdbmi_sample_request *request, char text[static SHORT_HALT_SCRIPT])
{
    snprintf(text, SHORT_HALT_SCRIPT, "%s%s 0x%x 0x%" PRIx64 " %zu",
             known->m_profile ? script_m : script_riscv, target,
             known->wide ? READ_DPC_64 : READ_DPC_32, request->word, request->word_len / 4);
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

static void take_word(const struct short_halt *known, const char *text, size_t len,
                      struct gdbmi_sample *sample)
{
    uint64_t value;

    for (size_t at = 0; at < len; at += 4) {
        if (!take_number(&text, &value))
            return;
        for (unsigned i = 0; i < 4; i++) {
            unsigned shift = 8 * (known->big_endian ? 3 - i : i);
            sample->word[at + i] = (unsigned char)(value >> shift);
        }
    }
    sample->has_word = len != 0;
}

static enum gdbmi_code take_sample(const struct short_halt *known, struct gdbmi_link *link,
                                   const struct link_registers *map,
                                   const struct gdbmi_sample_request *request, const char *text,
                                   struct gdbmi_sample *sample)
{
    uint64_t halted_us, high, low, psr;

    if (!take_number(&text, &halted_us) || !take_number(&text, &high) ||
        !take_number(&text, &low) || !take_number(&text, &psr))
        return gdbmi_error_set(&link->error, GDBMI_EPROTOCOL,
                               "%s: a register's value is not a number: %.40s", link->address,
                               text);
    sample->halted_ns = halted_us * 1000;
    link_registers_set(sample, map->pc, high << 32 | low);
    if (known->m_profile && map->psr >= 0)
        link_registers_set(sample, (unsigned)map->psr, PSR_THUMB | (psr & VECTACTIVE));
    take_word(known, text, request->word_len, sample);
    return GDBMI_OK;
}

static void note_failure(struct short_halt *known)
{
    known->pause = known->pause == 0              ? PAUSE_MIN
                   : known->pause < PAUSE_MAX / 2 ? 2 * known->pause
                                                  : PAUSE_MAX;
    known->wait = known->pause;
    known->good = 0;
}

static void note_sample(struct short_halt *known)
{
    if (++known->good >= known->pause)
        known->good = known->pause = 0;
}

enum gdbmi_code short_halt_take(struct short_halt *known, struct gdbmi_link *link,
                                const struct link_registers *map,
                                const struct gdbmi_sample_request *request, const char *result,
                                struct gdbmi_sample *sample, bool *reset)
{
    static const char sampled[] = "sampled ", failed[] = "failed: ";
    const char *text = strstr(result, sampled);
    const char *why = strstr(result, failed);

    *reset = false;
    if (text != NULL) {
        note_sample(known);
        return take_sample(known, link, map, request, text + sizeof(sampled) - 1, sample);
    }
    known->works = strstr(result, "unsupported") == NULL;
    if (why != NULL) {
        note_failure(known);
        link->short_failures++;
        return gdbmi_error_set(&link->error, GDBMI_ETARGET, "%s: a sample failed: %.80s",
                               link->address, why + sizeof(failed) - 1);
    }
    *reset = strncmp(result, "reset", strlen("reset")) == 0;
    return known->works ? GDBMI_OK : GDBMI_EUNSUPPORTED;
}
