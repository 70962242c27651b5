/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is compared, and how, in words. */
#include <table/change_about.h>

#include <inttypes.h>
#include <math.h>

/* Names of files may hold anything. */
static void add_clean(struct text *t, const char *from)
{
    text_cell(t, from, 400, false, false);
}

void change_add_side(struct text *t, const struct view_changes *c, enum view_side side)
{
    const struct view_side_about *s = &c->sides[side];

    text_printf(t, "%" PRIu64 " ", s->hits);
    add_clean(t, c->unit);
    text_printf(t, ", %zu run%s", s->count, s->count == 1 ? "" : "s");
    if (s->duration_s > 0)
        text_printf(t, ", %.3g s", s->duration_s);
    if (s->sample_hz > 0)
        text_printf(t, " at %.6g Hz", s->sample_hz);
    if (!s->headerless)
        text_printf(t, ", lost %" PRIu64, s->dropped);
    if (s->ignored)
        text_printf(t, ", ignored %" PRIu64, s->ignored);
}

void change_add_method(struct text *t, const struct view_changes *c)
{
    const bool chosen = c->options.per != DIFF_PER_AUTO;

    if (c->whole.per == DIFF_PER_SECOND)
        text_printf(t, "changes are per second%s", chosen ? "" : ", since the core idles at times");
    else if (c->whole.per == DIFF_PER_ITERATION)
        text_printf(t, "changes are per iteration of the main loop");
    else if (c->whole.per == DIFF_PER_MEDIAN && !chosen && c->whole.load == DIFF_LOAD_BETWEEN)
        text_printf(t, "the core ran out of idle time: ");
    if (c->whole.per == DIFF_PER_MEDIAN)
        text_printf(t, "changes are relative to the median of the %s%s", view_change_word(c->by, 2),
                    !chosen && c->whole.load == DIFF_LOAD_FULL ? ", since the core is never idle"
                                                               : "");
    else if (c->whole.per == DIFF_PER_FUNCTION) {
        text_printf(t, "changes are relative to ");
        add_clean(t, c->per_function);
    }
    if (c->judged)
        text_printf(t, "; at most %.3g %% of diffs mark a row by chance", 100 * c->options.fdr);
    if (!isnan(c->whole.noise))
        text_printf(t, "; runs of one build differ by %.*g %%%s", c->whole.noise < 0.995 ? 2 : 3,
                    100 * c->whole.noise, c->options.noise >= 0 ? " (--noise, or more)" : "");
}

void change_add_note(struct text *t, const struct view_note *note)
{
    text_printf(t, "%s%s%s", note->text, note->advice ? "; " : "",
                note->advice ? note->advice : "");
}
