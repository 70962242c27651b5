/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the rig obeys on its control socket. */
#include "commands.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "rig.h"

/* An answer under construction. */
struct text {
    char *at;
    size_t capacity;
    size_t len;
};

static void put_format(struct text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void put_format(struct text *text, const char *format, ...)
{
    va_list list;
    size_t room = text->capacity - text->len;

    va_start(list, format);
    int len = vsnprintf(text->at + text->len, room, format, list);
    va_end(list);
    text->len += len < 0 ? 0 : (size_t)len < room ? (size_t)len : room - 1;
}

static void put_string(struct text *text, const char *string)
{
    put_format(text, "\"");
    for (; *string; string++)
        put_format(text, *string == '"' || *string == '\\' ? "\\%c" : "%c", *string);
    put_format(text, "\"");
}

static void put_error(struct text *text, const char *why)
{
    put_format(text, "{\"error\": ");
    put_string(text, why);
    put_format(text, "}\n");
}

static void put_ok(struct text *text)
{
    put_format(text, "{\"ok\": true}\n");
}

static void put_members(struct text *text, const struct chip *chip)
{
    struct chip_stats stats = chip_stats_now(chip);
    const struct core_stats *core = &stats.core;

    put_format(text, "\"halts\": %" PRIu64 ", \"halted_ms\": %.3f, ", core->halts,
               (double)core->halted_ns / 1e6);
    put_format(text, "\"breakpoint_stops\": %" PRIu64 ", \"breakpoint_ms\": %.3f, ",
               core->breakpoint_stops, (double)core->breakpoint_ns / 1e6);
    put_format(text, "\"steps\": %" PRIu64 ", \"pauses\": %" PRIu64 ", \"resets\": %" PRIu64 ", ",
               core->steps, core->pauses, core->resets);
    put_format(text, "\"running\": %s, ", stats.running ? "true" : "false");
    put_format(text, "\"reads\": %" PRIu64 ", \"writes\": %" PRIu64 ", \"faults\": %" PRIu64 ", ",
               stats.bus.reads, stats.bus.writes, stats.bus.faults);
    put_format(text, "\"machine_stops\": %" PRIu64, stats.machine_stops);
}

static const char *openocd_word(const struct rig *rig)
{
    switch (rig->openocd.state) {
    case OPENOCD_STARTING:
        return "\"starting\"";
    case OPENOCD_READY:
        return "\"ready\"";
    default:
        return "null";
    }
}

static void stat(struct rig *rig, const char *rest, struct text *text)
{
    (void)rest;
    for (int i = 0; i < rig->chip_count; i++)
        rig->done |= chip_sync(&rig->chips[i]) != 0;
    put_format(text, "{");
    put_members(text, &rig->chips[0]);
    put_format(
        text, ", \"openocd\": %s, \"openocd_pid\": %ld, \"plugged\": %s, \"uptime_ms\": %.3f",
        openocd_word(rig), (long)rig->openocd.child.pid, rig->jtag.unplugged ? "false" : "true",
        (double)(clock_now_ns() - rig->started_at_ns) / 1e6);
    put_format(text,
               ", \"packets\": %" PRIu64 ", \"halted_packets\": %" PRIu64 ", \"probe_ms\": %.3f",
               rig->probe.packets, rig->probe.halted, (double)rig->probe.spent_ns / 1e6);
    put_format(text, ", \"targets\": [");
    for (int i = 0; i < rig->chip_count; i++) {
        put_format(text, i == 0 ? "{\"name\": \"%s\", " : ", {\"name\": \"%s\", ",
                   rig->chips[i].name);
        put_members(text, &rig->chips[i]);
        put_format(text, "}");
    }
    put_format(text, "]}\n");
}

/* What DWT_PCSR of the first target has given, and how often. */
static void pcs(struct rig *rig, const char *rest, struct text *text)
{
    const struct pcsample *sample = &rig->chips[0].arm.cortexm.pcsample;

    (void)rest;
    put_format(text, "{\"elsewhere\": %" PRIu32 ", \"pcs\": [", sample->elsewhere);
    for (unsigned i = 0; i < sample->place_count; i++)
        put_format(text, "%s[%" PRIu32 ", %" PRIu32 "]", i == 0 ? "" : ", ", sample->places[i].pc,
                   sample->places[i].count);
    put_format(text, "]}\n");
}

static void quit(struct rig *rig, const char *rest, struct text *text)
{
    (void)rest;
    rig->done = true;
    put_format(text, "{\"quit\": true}\n");
}

/* "INDEX" at the start of *rest chooses a target, the first one is meant without. NULL: there is no
 * such target, which has been answered. */
static struct chip *chosen(struct rig *rig, const char **rest, struct text *text)
{
    char *end;
    unsigned long index = strtoul(*rest, &end, 10);

    if (end == *rest || (*end != ' ' && *end != '\0'))
        return &rig->chips[0];
    *rest = end + strspn(end, " ");
    if (index < (unsigned long)rig->chip_count)
        return &rig->chips[index];
    put_error(text, "there is no such target");
    return NULL;
}

static void reset(struct rig *rig, const char *rest, struct text *text)
{
    struct chip *chip = chosen(rig, &rest, text);

    if (!chip)
        return;
    rig->done |= chip_reset(chip) != 0;
    put_ok(text);
}

static void load_firmware(struct rig *rig, const char *rest, struct text *text)
{
    struct fault why = {.text = ""};
    struct chip *chip = chosen(rig, &rest, text);

    if (!chip)
        return;
    int result = chip_load(chip, rest, &why);
    rig->done |= result < 0;
    if (result > 0)
        put_error(text, why.text);
    else
        put_ok(text);
}

static void stop_openocd(struct rig *rig, const char *rest, struct text *text)
{
    (void)rest;
    if (rig->openocd.state == OPENOCD_NONE) {
        put_error(text, "there is no OpenOCD to stop");
        return;
    }
    rig_stop_openocd(rig);
    put_ok(text);
}

static void start_openocd(struct rig *rig, const char *rest, struct text *text)
{
    (void)rest;
    if (rig->options->qemu_gdb || rig->options->no_openocd || rig->openocd.state != OPENOCD_NONE) {
        put_error(text, "an OpenOCD runs, or none is wanted");
        return;
    }
    rig->done |= rig_start_openocd(rig) != 0;
    put_ok(text);
}

static void unplug(struct rig *rig, const char *rest, struct text *text)
{
    (void)rest;
    jtag_unplug(&rig->jtag);
    for (int i = 0; i < rig->chip_count; i++)
        chip_unplugged(&rig->chips[i]);
    put_ok(text);
}

static void plug(struct rig *rig, const char *rest, struct text *text)
{
    (void)rest;
    jtag_plug(&rig->jtag);
    put_ok(text);
}

static void set_probe(struct rig *rig, const char *rest, struct text *text)
{
    if (probe_set(&rig->probe, rest))
        put_ok(text);
    else
        put_error(text, PROBE_FORM);
}

static const struct command {
    const char *name;
    void (*run)(struct rig *rig, const char *rest, struct text *text);
} commands[] = {
    {.name = "stat", .run = stat},
    {.name = "pcs", .run = pcs},
    {.name = "quit", .run = quit},
    {.name = "reset", .run = reset},
    {.name = "load", .run = load_firmware},
    {.name = "stop-openocd", .run = stop_openocd},
    {.name = "start-openocd", .run = start_openocd},
    {.name = "unplug", .run = unplug},
    {.name = "plug", .run = plug},
    {.name = "probe", .run = set_probe},
};

size_t commands_obey(void *context, const char *line, char *out, size_t capacity)
{
    struct text text = {.at = out, .capacity = capacity};
    size_t len = strcspn(line, " ");
    const char *rest = line + len + strspn(line + len, " ");

    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strlen(commands[i].name) != len || strncmp(commands[i].name, line, len) != 0)
            continue;
        commands[i].run(context, rest, &text);
        return text.len;
    }
    put_error(&text, "the commands are stat, quit, reset, load, stop-openocd, start-openocd, "
                     "unplug, plug and probe");
    return text.len;
}
