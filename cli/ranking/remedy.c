/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What keeps hits from being lost. */
#include <ranking/remedy.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <base/text.h>

/* The largest values of MPROF_CNT and its like, and of MPROF_STREAM_CNT. */
#define ROWS_MAX    16384
#define RECORDS_MAX 65536

/* A histogram as the stub has it by default. */
#define HISTOGRAM_ERR   16
#define HISTOGRAM_ENTRY 4

/* Functions that are further apart are not covered by one histogram, such as those in RAM; and how
 * much of the code it must cover. */
#define GAP_MAX      ((uint64_t)1 << 16)
#define COVERED_PART 0.95

/* A row, its part of the rest and of the heads (docs/layout.md); a record. */
static size_t entry_size(const struct view_remedy *known, enum decode_source source)
{
    bool wide = known->addr_size == 8;

    switch (source) {
    case DECODE_ARCS:
        return wide ? 28 : 20;
    case DECODE_STREAM:
        return wide ? 24 : 16;
    default:
        return wide ? 20 : 16;
    }
}

static void print_ram(double bytes, char text[16])
{
    double kb = bytes / 1024, mb = kb / 1024;

    if (bytes < 1024)
        snprintf(text, 16, "%.0f bytes", bytes);
    else if (kb < 1000)
        snprintf(text, 16, kb < 10 && fmod(kb, 1) >= 0.05 ? "%.1f kB" : "%.0f kB", kb);
    else
        snprintf(text, 16, "%.0f MB", ceil(mb));
}

/* The most rows that the code can fill; 0: not known. A call is counted by function. */
static uint64_t count_places(const struct view_remedy *known, const struct profile *p)
{
    uint64_t size = p->block_size, next = 0, blocks = 0;

    if (p->unit == DECODE_UNIT_CALLS)
        return p->source == DECODE_ARCS ? 0 : known->function_count;
    for (size_t i = 0; i < known->function_count; i++) {
        const struct symtab_function *f = &known->functions[i];
        uint64_t first = f->addr / size, last = (f->addr + f->size - 1) / size;
        first = first < next ? next : first;
        if (last < first)
            continue;
        blocks += last - first + 1;
        next = last + 1;
    }
    return blocks;
}

static int compare_counts(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* The hits below which a quarter of the rows is; 0: there are none, or no memory. */
static uint64_t lower_quartile(const struct profile *p)
{
    uint64_t *hits = malloc((p->row_count + 1) * sizeof(*hits));
    size_t count = 0;

    for (size_t i = 0; hits && i < p->row_count; i++) {
        if (p->rows[i].hits != 0)
            hits[count++] = p->rows[i].hits;
    }
    if (count)
        qsort(hits, count, sizeof(*hits), compare_counts);
    uint64_t quartile = count ? hits[count / 4] : 0;
    free(hits);
    return quartile;
}

static size_t power_from(double least, size_t most)
{
    size_t power = 4;

    while ((double)power < least && power < most)
        power *= 2;
    return power;
}

/* How many entries a larger block needs; at most as many as there are now: a larger one is no help.
 * Code without a row is colder than most code with one: it is taken to have as many hits a row as
 * the lower quartile. */
static size_t larger(const struct view_remedy *known, const struct profile *p)
{
    double share = view_lost_share(p), need;
    size_t most = p->source == DECODE_STREAM ? RECORDS_MAX : ROWS_MAX;

    if (p->source == DECODE_STREAM) {
        need = (double)known->count / (1 - fmin(share, 0.999));
    } else {
        uint64_t places = count_places(known, p), quartile = lower_quartile(p);
        double rest = (double)p->dropped / fmax((double)quartile, 1);
        need = fmax((double)known->count + rest / known->cores, (double)known->count + 1);
        if (places)
            most = power_from((double)places, most);
    }
    return power_from(need, most);
}

/* Entries of a histogram of the code, and the address of the first one; 0: not known, or no
 * histogram covers it. */
static uint64_t histogram_entries(const struct view_remedy *known, uint64_t *base)
{
    uint64_t start = 0, end = 0, last = 0, code = 0, all = 0, covered = 0;

    for (size_t i = 0; i < known->function_count; i++) {
        const struct symtab_function *f = &known->functions[i];
        if (i == 0 || f->addr > end + GAP_MAX) {
            start = f->addr - f->addr % HISTOGRAM_ERR;
            code = 0;
        }
        end = f->addr + f->size > end || i == 0 ? f->addr + f->size : end;
        code += f->size;
        all += f->size;
        if (code > covered) {
            covered = code;
            *base = start;
            last = end;
        }
    }
    if (all == 0 || (double)covered < COVERED_PART * (double)all)
        return 0;
    return (last - *base + HISTOGRAM_ERR - 1) / HISTOGRAM_ERR;
}

double view_lost_share(const struct profile *profile)
{
    double lost = profile->decays || profile->source == DECODE_HISTOGRAM ? 0 : profile->dropped;

    return lost > 0 ? lost / ((double)profile->attributed + lost) : 0;
}

/* Why, and which option is about it. */
static const char *cause_of(const struct view_remedy *known, const struct profile *p,
                            const char **option)
{
    bool full = known->count && (double)p->used >= 0.9 * (double)known->count * known->cores;

    switch (p->source) {
    case DECODE_STREAM:
        *option = "MPROF_STREAM_CNT";
        return "the stream was overwritten before it was read";
    case DECODE_CALLS:
        *option = "MPROF_CALL_CNT";
        return full ? "the table of calls is full" : "the table of calls is too small";
    case DECODE_ARCS:
        *option = "MPROF_ARC_CNT";
        return full ? "the table of arcs is full" : "the table of arcs is too small";
    default:
        *option = "MPROF_CNT";
        return full ? "the table is full" : "the table is too small";
    }
}

/* The other way than a larger block. */
static void add_other(const struct view_remedy *known, const struct profile *p, bool first,
                      struct text *t)
{
    bool other = p->source == DECODE_TABLE && known->count && !known->histogram && !known->moves;
    uint64_t base = 0, entries = other ? histogram_entries(known, &base) : 0;
    char ram[16];

    if (p->source == DECODE_STREAM) {
        text_printf(t, "%s a shorter --delay, or fewer samples a second", first ? "." : ",");
    } else if (p->source == DECODE_TABLE && known->histogram) {
        text_printf(t, "%s --sampler histogram", first ? "." : ", or");
    } else if (entries) {
        print_ram((double)entries * HISTOGRAM_ENTRY * known->cores, ram);
        text_printf(t, "%s MPROF_HIST_CNT %" PRIu64 " and MPROF_HIST_BASE 0x%08" PRIx64 " (+%s)",
                    first ? "." : ", or", entries, base, ram);
    }
}

bool view_remedy(const struct view_remedy *known, const struct profile *profile,
                 char text[VIEW_REMEDY_TEXT])
{
    struct text t = {.bytes = NULL};
    double share = view_lost_share(profile);
    const char *option, *cause = cause_of(known, profile, &option);
    char ram[16];

    if (share < VIEW_LOST_MUCH)
        return false;
    if (decode_is_taken(profile->source)) {
        snprintf(text, VIEW_REMEDY_TEXT,
                 "%.1f %% of the looks at the core gave no address: it may not allow that in some "
                 "of its states",
                 100 * share);
        return true;
    }
    size_t count = known->count ? larger(known, profile) : 0;
    text_printf(&t, "%.1f %% lost: %s", 100 * share, cause);
    if (known->count == 0)
        text_printf(&t, ". Build with a larger %s", option);
    if (count > known->count) {
        print_ram((double)((count - known->count) * entry_size(known, profile->source)) *
                      known->cores,
                  ram);
        text_printf(&t, ". %s %zu (+%s)", option, count, ram);
    }
    add_other(known, profile, known->count != 0 && count <= known->count, &t);
    snprintf(text, VIEW_REMEDY_TEXT, "%s", t.bytes ? t.bytes : "");
    free(t.bytes);
    return true;
}
