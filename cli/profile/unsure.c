/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why shares of a profile have no intervals. */
#include <profile/unsure.h>

#include <stdio.h>
#include <string.h>

/* In the order of the words. */
static const struct {
    enum profile_unsure bit;
    const char *word, *reason;
} reasons[] = {
    {PROFILE_FADES, "fades", "loses hits with time"},
    {PROFILE_FULL, "full", "is full"},
    {PROFILE_REPLACES, "replaces", "replaces rows"},
    {PROFILE_SCALE, "scale", "adds an unknown number for each hit"},
};

#define REASONS (sizeof(reasons) / sizeof(reasons[0]))

/* Bits that matter for intervals. */
static unsigned relevant(const struct profile *p)
{
    return p->unit == DECODE_UNIT_SAMPLES ? p->unsure : p->unsure & ~(unsigned)PROFILE_SCALE;
}

enum profile_doubt profile_doubt_of(const struct profile *profile)
{
    if (profile->locked)
        return PROFILE_DOUBT_LOCKED;
    if (profile->fixed)
        return PROFILE_DOUBT_FIXED;
    return relevant(profile) ? PROFILE_DOUBT_TABLE : PROFILE_SURE;
}

bool profile_has_intervals(const struct profile *profile)
{
    return profile_doubt_of(profile) == PROFILE_SURE;
}

const char *profile_unit_name(const struct profile *profile)
{
    if (profile->unsure & PROFILE_SCALE)
        return "counts";
    return profile->unit == DECODE_UNIT_CALLS ? "calls" : "samples";
}

void profile_unsure_words(unsigned unsure, char text[PROFILE_UNSURE_TEXT])
{
    size_t len = 0;

    text[0] = '\0';
    for (size_t i = 0; i < REASONS; i++) {
        if (unsure & reasons[i].bit)
            len += (size_t)snprintf(text + len, PROFILE_UNSURE_TEXT - len, "%s%s", len ? ", " : "",
                                    reasons[i].word);
    }
}

unsigned profile_unsure_parse(const char *words)
{
    unsigned unsure = 0;

    for (size_t i = 0; i < REASONS; i++) {
        if (strstr(words, reasons[i].word))
            unsure |= reasons[i].bit;
    }
    return unsure;
}

/* The table's part of the line. */
static void describe_table(unsigned bits, char text[PROFILE_UNSURE_TEXT])
{
    size_t len = 0;

    snprintf(text, PROFILE_UNSURE_TEXT, "has no header and does not say what it lost");
    for (size_t i = 0; i < REASONS; i++) {
        if (bits & reasons[i].bit)
            len += (size_t)snprintf(text + len, PROFILE_UNSURE_TEXT - len, "%s%s", len ? ", " : "",
                                    reasons[i].reason);
    }
}

void profile_doubt_text(enum profile_doubt doubt, const char *whose, unsigned unsure,
                        char text[PROFILE_DOUBT_TEXT])
{
    bool scale = unsure == PROFILE_SCALE; /* shares are right all the same */
    char of[40] = "", table[PROFILE_UNSURE_TEXT];

    text[0] = '\0';
    if (whose)
        snprintf(of, sizeof(of), " (%s)", whose);
    switch (doubt) {
    case PROFILE_DOUBT_FIXED:
        snprintf(text, PROFILE_DOUBT_TEXT,
                 "fixed timer period%s: code in step with it may read too high or too low by any "
                 "amount, so there are no intervals; use MPROF_JITTER 1 or mprof_next_period()",
                 of);
        break;
    case PROFILE_DOUBT_IN_STEP:
        snprintf(text, PROFILE_DOUBT_TEXT,
                 "SAMPLES REPEAT IN STEP WITH THE FIRMWARE%s: the timer has a fixed period, shares "
                 "may be off by any amount; use MPROF_JITTER 1 or mprof_next_period()",
                 of);
        break;
    case PROFILE_DOUBT_LOCKED:
        snprintf(text, PROFILE_DOUBT_TEXT,
                 "LOCKED TO THE FIRMWARE'S TICK%s: shares are misleading and have no intervals, "
                 "interrupts and work in step with the tick are not seen; use a spare timer "
                 "(mprof/isr.h)",
                 of);
        break;
    case PROFILE_DOUBT_TABLE:
        describe_table(unsure, table);
        snprintf(text, PROFILE_DOUBT_TEXT, "%s%s%s: the table %s",
                 scale ? "no intervals" : "shares may be far off", of,
                 scale ? "" : ", no intervals", table);
        break;
    case PROFILE_SURE:
        break;
    }
}

enum profile_doubt profile_doubt(const struct profile *profile, char text[PROFILE_DOUBT_TEXT])
{
    enum profile_doubt doubt = profile_doubt_of(profile);

    profile_doubt_text(doubt, NULL, relevant(profile), text);
    return doubt;
}
