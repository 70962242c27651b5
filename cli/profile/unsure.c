/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why the counts of a headerless table are not sure. */
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

bool profile_has_intervals(const struct profile *profile)
{
    return !profile->locked && !profile->fixed && relevant(profile) == 0;
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

void profile_unsure_reason(const struct profile *profile, char text[PROFILE_UNSURE_TEXT])
{
    unsigned bits = profile_has_intervals(profile) ? 0 : relevant(profile);
    bool rows = bits & ~(unsigned)PROFILE_SCALE; /* its shares may be wrong as well */
    size_t len = 0;

    text[0] = '\0';
    for (size_t i = 0; i < REASONS; i++) {
        if (bits & reasons[i].bit)
            len += (size_t)snprintf(text + len, PROFILE_UNSURE_TEXT - len, "%s%s",
                                    len    ? ", "
                                    : rows ? "shares may be far off, no intervals: the table "
                                           : "no intervals: the table ",
                                    reasons[i].reason);
    }
}
