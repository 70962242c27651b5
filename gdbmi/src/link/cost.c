/* SPDX-License-Identifier: 0BSD */
/* What reads over a link cost: a time for each request, and a time for each byte. */
#include "cost.h"

/* What is left of a weight after the next measurement: a link that has become slower is known as
 * that after some ten. */
#define DECAY 0.9

/* Requests differ enough in size to tell the two costs apart if the square of their deviation is
 * this part of that of their mean. */
#define SPREAD_MIN 0.002

void link_cost_add(struct link_cost *cost, unsigned requests, size_t bytes, uint64_t ns)
{
    double r = (double)requests, b = (double)bytes, t = (double)ns;

    cost->requests_requests = cost->requests_requests * DECAY + r * r;
    cost->requests_bytes = cost->requests_bytes * DECAY + r * b;
    cost->bytes_bytes = cost->bytes_bytes * DECAY + b * b;
    cost->requests_ns = cost->requests_ns * DECAY + r * t;
    cost->bytes_ns = cost->bytes_ns * DECAY + b * t;
}

static double clamp(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

/* The least squares of which neither is negative. */
static void solve(const struct link_cost *c, double *request_ns, double *byte_ns)
{
    double square = c->requests_requests * c->bytes_bytes;
    double determinant = square - c->requests_bytes * c->requests_bytes;

    *request_ns = 0;
    *byte_ns = c->bytes_bytes > 0 ? c->bytes_ns / c->bytes_bytes : 0;
    if (determinant <= SPREAD_MIN * square)
        return;
    double r = (c->requests_ns * c->bytes_bytes - c->bytes_ns * c->requests_bytes) / determinant;
    double b =
        (c->bytes_ns * c->requests_requests - c->requests_ns * c->requests_bytes) / determinant;
    if (b < 0) {
        *request_ns = c->requests_ns / c->requests_requests;
        *byte_ns = 0;
    } else if (r > 0) {
        *request_ns = r;
        *byte_ns = b;
    }
}

double link_cost_byte_ns(const struct link_cost *cost)
{
    double request_ns, byte_ns;

    solve(cost, &request_ns, &byte_ns);
    return byte_ns;
}

double link_cost_request_ns(const struct link_cost *cost)
{
    double request_ns, byte_ns;

    solve(cost, &request_ns, &byte_ns);
    return request_ns;
}

/* value / each, as whole bytes from least to most. */
static size_t bytes_of(double value, double each, size_t least, size_t most)
{
    if (value >= each * (double)most)
        return most;
    return (size_t)clamp(value / each, (double)least, (double)most);
}

size_t link_cost_gap(const struct link_cost *cost)
{
    if (cost->requests_requests <= 0)
        return LINK_GAP_UNKNOWN;
    return bytes_of(link_cost_request_ns(cost), link_cost_byte_ns(cost), 0, LINK_GAP_MAX);
}

size_t link_cost_piece(const struct link_cost *cost, size_t least, size_t most)
{
    double request_ns = link_cost_request_ns(cost);
    double wait_ns = LINK_OTHERS_WAIT_NS - request_ns;
    double part_ns = request_ns * LINK_REQUEST_PART / (1 - LINK_REQUEST_PART);

    return bytes_of(wait_ns > part_ns ? wait_ns : part_ns, link_cost_byte_ns(cost), least, most);
}
