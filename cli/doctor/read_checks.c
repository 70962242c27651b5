/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether and how fast the target's memory is read, and whether the ELF file's code is there. */
#include "checks.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/monotonic.h>
#include <base/path.h>

#include "words.h"

#define TRIES      5
#define LONG_READ  1024
#define LONG_TRIES 3
/* A read that takes so long is not repeated. */
#define LONG_S 0.1

/* A clock of the probe below which it may be what makes reading slow. */
#define SLOW_CLOCK_KHZ 2000
/* From one refresh to the next, unless --delay says another. */
#define REFRESH_S 1.0

/* Something that is known to be there, and its length, at most LONG_READ; 0: nothing. */
static size_t known_place(const struct doctor *d, uint64_t *addr)
{
    size_t count = 0, len = 0;

    if (!d->elf.symtab)
        return 0;
    if (d->has_table && d->elf.table_size != 0) {
        *addr = d->elf.table_addr & ~(uint64_t)3;
        len = d->elf.table_size < LONG_READ ? (size_t)d->elf.table_size : LONG_READ;
    }
    const struct symtab_segment *segments = symtab_segments(d->elf.symtab, &count);
    for (size_t i = 0; len == 0 && i < count; i++) {
        *addr = segments[i].addr;
        len = segments[i].len < LONG_READ ? segments[i].len : LONG_READ;
    }
    return len & ~(size_t)3;
}

/* The shortest of several reads; < 0: one failed. */
static double shortest_s(struct doctor *d, uint64_t addr, size_t len, int tries)
{
    uint8_t bytes[LONG_READ];
    double best_s = -1;

    for (int i = 0; i < tries && best_s < LONG_S; i++) {
        double begin_s = monotonic_s();
        if (gdbmi_link_read(d->link, addr, bytes, len) != GDBMI_OK)
            return -1;
        double took_s = monotonic_s() - begin_s;
        if (best_s < 0 || took_s < best_s)
            best_s = took_s;
    }
    return best_s;
}

static void measure(struct doctor *d, uint64_t addr, size_t len)
{
    double word_s = shortest_s(d, addr, 4, TRIES);
    double all_s = word_s < 0 ? -1 : shortest_s(d, addr, len, LONG_TRIES);

    if (all_s < 0)
        return;
    d->readable = true;
    d->request_s = word_s;
    d->byte_s = len > 4 ? fmax(all_s - word_s, 0) / (double)(len - 4) : 0;
}

static void say_reading(struct doctor *d)
{
    const struct gdbmi_info *info = d->info;
    bool halts = !info->live && d->state != GDBMI_STATE_HALTED;
    char request[WORDS_MAX], bytes[WORDS_MAX];
    char speed[2 * WORDS_MAX] = "";

    if (d->byte_s > 0)
        snprintf(speed, sizeof(speed), ", %s a second", words_bytes(1 / d->byte_s, bytes));
    finding_add(&d->findings, halts && !info->simulator ? FINDING_WARN : FINDING_OK, "reading",
                halts && !info->simulator
                    ? "use a server that reads a running core, like OpenOCD by its Tcl port"
                    : NULL,
                "%s: %s a request%s",
                info->live ? "memory is read while the core runs"
                : halts    ? info->simulator ? "each read stops the simulator for a moment"
                                             : "each read halts the core for a moment"
                           : "memory is read while the core is halted",
                words_time(d->request_s, request), speed);
}

void check_reading(struct doctor *doctor)
{
    uint64_t addr = 0;
    size_t len = doctor->link ? known_place(doctor, &addr) : 0;

    if (len < 4)
        return;
    measure(doctor, addr, len);
    if (doctor->request_s > 0)
        say_reading(doctor);
}

static void say_other(struct doctor *d, const char *text)
{
    const char *name = path_base_name(d->elf.path);

    if (d->match == IDENTITY_MACHINE)
        finding_add(&d->findings, FINDING_FAIL, "flash", "give the target's ELF file with --elf",
                    "%s is for another processor: %s", name, text);
    else
        finding_add(&d->findings, d->options->force ? FINDING_WARN : FINDING_FAIL, "flash",
                    d->moved.found ? d->moved.advice
                                   : "flash this build, or give the running build with --elf",
                    "%s is not the firmware in the target: %s", name, text);
}

/* Code that cannot be read where RAM can is protected. */
static void say_unreadable(struct doctor *d, const char *text)
{
    uint64_t addr = d->elf.table_addr;
    bool ram = d->has_table && shortest_s(d, addr & ~(uint64_t)3, 4, 1) >= 0;

    if (ram)
        finding_add(&d->findings, FINDING_WARN, "flash",
                    "take off the read protection (as RDP or APPROTECT), or be sure of --elf",
                    "code cannot be read, as if it were read-protected: it is not known whether "
                    "the target runs %s",
                    path_base_name(d->elf.path));
    else
        finding_add(&d->findings, finding_next_failure(&d->findings), "flash",
                    "check power, cable and reset, and take off the read protection",
                    "the target's memory cannot be read: %s", text);
}

/* Where the link failed while it was compared, reading has said so. */
void check_flash(struct doctor *doctor)
{
    char text[FINDING_TEXT] = "";

    if (!doctor->link || !doctor->elf.symtab)
        return;
    doctor->match =
        identity_check(doctor->link, doctor->elf.symtab, IDENTITY_LOOKS, text, sizeof(text));
    switch (doctor->match) {
    case IDENTITY_SAME:
        finding_add(&doctor->findings, FINDING_OK, "flash", NULL, "the target runs %s",
                    path_base_name(doctor->elf.path));
        break;
    case IDENTITY_DIFFERS:
    case IDENTITY_MACHINE:
        say_other(doctor, text);
        break;
    case IDENTITY_UNREADABLE:
        say_unreadable(doctor, text);
        break;
    case IDENTITY_NOTHING:
        finding_add(&doctor->findings, FINDING_WARN, "flash",
                    "be sure that this ELF file is flashed", "%s", text);
        break;
    case IDENTITY_LINK:
        finding_add(&doctor->findings, finding_next_failure(&doctor->findings), "flash",
                    "see what the server prints", "%s", gdbmi_link_error(doctor->link)->text);
        break;
    }
}

/* The clock that OpenOCD has set; 0: not known, as of an adapter without one. */
static unsigned long clock_khz(struct doctor *d)
{
    static const char before[] = "adapter speed: ";
    char *text = openocd_says(d, "adapter speed");
    bool known = text && strncmp(text, before, strlen(before)) == 0;
    unsigned long khz = known ? strtoul(text + strlen(before), NULL, 10) : 0;

    free(text);
    return khz;
}

/* Refreshes take their part of the time, and no more. */
void check_speed(struct doctor *doctor)
{
    const struct options *o = doctor->options;
    double share = o->link_share > 0 ? o->link_share : DOCTOR_SHARE;
    double every_s = doctor->poll_s / share;
    unsigned long khz = doctor->link ? clock_khz(doctor) : 0;
    char clock[64] = "", poll[WORDS_MAX], every[WORDS_MAX];

    if (khz)
        snprintf(clock, sizeof(clock), "; OpenOCD's adapter speed is %lu kHz", khz);
    if (every_s > REFRESH_S)
        finding_add(&doctor->findings, FINDING_WARN, "speed",
                    khz && khz < SLOW_CLOCK_KHZ
                        ? "raise 'adapter speed' in OpenOCD as far as the wiring allows"
                        : "use a faster probe, a smaller table, or a larger --link-share",
                    "reading is slow: a refresh takes %s, so there is one every %s%s",
                    words_time(doctor->poll_s, poll), words_time(every_s, every), clock);
    else if (doctor->poll_s > 0)
        finding_add(&doctor->findings, FINDING_OK, "speed", NULL,
                    "a refresh takes %s, so up to %s a second are of use%s",
                    words_time(doctor->poll_s, poll), words_rate(1 / every_s, every), clock);
    else if (khz)
        finding_add(&doctor->findings, FINDING_OK, "speed", NULL, "%s", clock + 2);
}
