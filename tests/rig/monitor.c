/* SPDX-License-Identifier: GPL-3.0-or-later */
/* QEMU's machine protocol (QMP), as much of it as the rig needs. */
#include "monitor.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define TIMEOUT_MS 300000 /* for what hangs; a host may be busy */

/* QEMU writes one object a line and always in the same way, so members are found by their names. */
static bool number_of(const char *line, const char *name, uint64_t *value)
{
    char key[40];

    snprintf(key, sizeof key, "\"%s\": ", name);
    const char *at = strstr(line, key);
    return at && sscanf(at + strlen(key), "%" SCNu64, value) == 1;
}

static uint64_t event_time_us(const char *line)
{
    uint64_t seconds = 0;
    uint64_t microseconds = 0;

    number_of(line, "seconds", &seconds);
    number_of(line, "microseconds", &microseconds);
    return seconds * 1000000U + microseconds;
}

static void note_event(struct monitor *monitor, const char *line)
{
    if (strstr(line, "\"event\": \"STOP\"")) {
        monitor->stops++;
        monitor->stop_us = event_time_us(line);
        monitor->running = false;
    } else if (strstr(line, "\"event\": \"RESUME\"")) {
        if (monitor->stops > 0)
            monitor->stopped_us += event_time_us(line) - monitor->stop_us;
        monitor->running = true;
    } else if (strstr(line, "\"event\": \"RESET\"")) {
        monitor->resets++;
    }
}

/* 1: *answer is a line that is no event; 0: nothing in time; -1: closed. */
static int take_answer(struct monitor *monitor, char **answer, int timeout_ms)
{
    int got;

    while ((got = line_take(&monitor->line, answer, timeout_ms)) == 1) {
        if (!strstr(*answer, "\"event\": "))
            break;
        note_event(monitor, *answer);
    }
    return got;
}

int monitor_command(struct monitor *monitor, const char *json, char **answer, struct fault *fault)
{
    if (line_send(&monitor->line, json, strlen(json)) != 0 ||
        take_answer(monitor, answer, TIMEOUT_MS) != 1)
        return fault_set(fault, "QEMU's monitor does not answer");
    if (strstr(*answer, "\"error\": "))
        return fault_set(fault, "QEMU refused %s: %s", json, *answer);
    return 0;
}

int monitor_open(struct monitor *monitor, int fd, struct fault *fault)
{
    char *answer;

    line_init(&monitor->line, fd);
    if (take_answer(monitor, &answer, TIMEOUT_MS) != 1)
        return fault_set(fault, "QEMU's monitor does not greet");
    if (monitor_command(monitor, "{\"execute\": \"qmp_capabilities\"}", &answer, fault) != 0 ||
        monitor_command(monitor, "{\"execute\": \"query-status\"}", &answer, fault) != 0)
        return -1;
    monitor->running = strstr(answer, "\"running\": true") != NULL;
    return 0;
}

int monitor_poll(struct monitor *monitor)
{
    char *answer;
    return take_answer(monitor, &answer, 0) < 0 ? -1 : 0;
}

int monitor_sync(struct monitor *monitor, struct fault *fault)
{
    char *answer;

    return monitor_command(monitor, "{\"execute\": \"query-status\"}", &answer, fault);
}

int monitor_host_address(struct monitor *monitor, uint32_t addr, uint64_t *host,
                         struct fault *fault)
{
    char json[160];
    char *answer;

    snprintf(json, sizeof json,
             "{\"execute\": \"human-monitor-command\","
             " \"arguments\": {\"command-line\": \"gpa2hva 0x%" PRIx32 "\"}}",
             addr);
    if (monitor_command(monitor, json, &answer, fault) != 0)
        return -1;
    const char *at = strstr(answer, " is 0x");
    if (!at || sscanf(at, " is 0x%" SCNx64, host) != 1)
        return fault_set(fault, "QEMU has no RAM at 0x%" PRIx32 ": %s", addr, answer);
    return 0;
}

int monitor_gdb_port(struct monitor *monitor, unsigned *port, struct fault *fault)
{
    char *answer;

    if (monitor_command(monitor, "{\"execute\": \"query-chardev\"}", &answer, fault) != 0)
        return -1;
    const char *at = strstr(answer, "tcp:127.0.0.1:");
    if (!at || sscanf(at, "tcp:127.0.0.1:%u", port) != 1)
        return fault_set(fault, "QEMU does not say its gdb port: %s", answer);
    return 0;
}

int monitor_reset(struct monitor *monitor, struct fault *fault)
{
    uint64_t before = monitor->resets;
    char *answer;

    if (monitor_command(monitor, "{\"execute\": \"system_reset\"}", &answer, fault) != 0)
        return -1;
    while (monitor->resets == before) {
        int got = line_take(&monitor->line, &answer, TIMEOUT_MS);
        if (got != 1)
            return fault_set(fault, "QEMU does not reset");
        note_event(monitor, answer);
    }
    return 0;
}
