/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How slow the simulated debug probe is: what a USB adapter takes for its packets. */
#include "probe.h"

#include <stdio.h>

#define LATENCY_MAX_US 1000000U

bool probe_set(struct probe *probe, const char *text)
{
    unsigned latency_us = 0, packet = 0, speed = 0;
    int end[3] = {-1, -1, -1};

    sscanf(text, "%7u%n:%5u%n:%9u%n", &latency_us, &end[0], &packet, &end[1], &speed, &end[2]);
    bool whole = false;
    for (int i = 0; i < 3; i++)
        whole |= end[i] >= 0 && text[end[i]] == '\0';
    if (!whole || latency_us > LATENCY_MAX_US)
        return false;
    probe->latency_ns = latency_us * UINT64_C(1000);
    probe->packet = packet;
    probe->speed = speed;
    return true;
}

/* Packets that are complete, or whose answer the driver waits for. */
static uint64_t count_packets(struct probe *probe, uint64_t bits, uint64_t queues, size_t answers)
{
    uint64_t capacity = (uint64_t)probe->packet * 8;
    uint64_t packets = queues;

    if (capacity == 0)
        return answers != 0;
    if (queues != 0)
        probe->filled = 0;
    for (probe->filled += bits; probe->filled > capacity; probe->filled -= capacity)
        packets++;
    return packets;
}

uint64_t probe_take(struct probe *probe, uint64_t bits, uint64_t queues, size_t answers,
                    uint64_t now_ns)
{
    uint64_t packets = count_packets(probe, bits, queues, answers);
    uint64_t cost_ns = packets * probe->latency_ns;

    if (probe->speed != 0)
        cost_ns += bits * UINT64_C(125000000) / probe->speed;
    if (probe->busy_until_ns < now_ns)
        probe->busy_until_ns = now_ns;
    probe->busy_until_ns += cost_ns;
    probe->packets += packets;
    probe->spent_ns += cost_ns;
    return probe->busy_until_ns;
}
