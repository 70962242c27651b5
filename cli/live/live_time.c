/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which time is shown, and what it is compared with. */
#define _POSIX_C_SOURCE 200809L

#include <base/say.h>
#include <options/option_table.h>
#include <profile/delta.h>
#include <target/save.h>

#include "live_private.h"

/* What holds still is of its own time. */
static bool is_frozen(struct live *l)
{
    if (l->model.frozen.on)
        live_say(l, true, "paused; p continues");
    return l->model.frozen.on;
}

void live_recent(struct live *live, const char *argument)
{
    (void)argument;
    if (is_frozen(live))
        return;
    time_range_toggle_recent(live->model.range);
    live_retake(live);
}

void live_mark(struct live *live, const char *argument)
{
    (void)argument;
    if (is_frozen(live))
        return;
    if (live->shown.profile.updated_s <= 0)
        live_say(live, true, "nothing read yet");
    else if (time_range_mark(live->model.range, &live->shown))
        live_retake(live);
    else
        live_say(live, true, "out of memory");
}

void live_unmark(struct live *live, const char *argument)
{
    (void)argument;
    if (is_frozen(live))
        return;
    time_range_clear(live->model.range);
    live_retake(live);
}

void live_restart(struct live *live, const char *argument)
{
    bool restarts = !time_range_restarts(live->model.range);

    (void)argument;
    if (is_frozen(live))
        return;
    time_range_set_restart(live->model.range, restarts);
    live_say(live, false, "%s",
             restarts ? "counts restart at each resume of the target"
                      : "counts continue when the target resumes");
    live_retake(live);
}

static bool pause_screen(struct live *l)
{
    live_thaw(l);
    if (!watch_copy(&l->shown, &l->model.frozen.watch))
        return false;
    if (!profile_copy(l->model.profile, &l->model.frozen.profile)) {
        watch_copy_free(&l->model.frozen.watch);
        return false;
    }
    snprintf(l->model.frozen.time_range, sizeof(l->model.frozen.time_range), "%s",
             time_range_name(l->model.range));
    l->model.frozen.on = true;
    return true;
}

void live_pause(struct live *live, const char *argument)
{
    (void)argument;
    if (live->model.frozen.on)
        live_thaw(live);
    else if (!pause_screen(live))
        live_say(live, true, "out of memory");
    live_retake(live);
}

static void set_baseline(struct live *l, struct baseline *made, const char *text)
{
    if (!made) {
        live_say(l, true, "%s", text);
        return;
    }
    baseline_free(l->baseline);
    l->baseline = made;
    l->mode = LIVE_CHANGES;
    *live_cursor(l) = (struct live_cursor){.selected = 0};
    live_say(l, false, "compared with %s", baseline_name(made));
}

void live_rebase(struct live *live, const char *argument)
{
    char text[LIVE_TEXT];

    (void)argument;
    struct baseline *made = baseline_take(&live->shown, live->model.profile, text, sizeof(text));
    set_baseline(live, made, text);
}

/* The file may be of another firmware: our ELF has nothing to say of it. */
static struct baseline *load_baseline(const struct live *l, const char *path, char text[LIVE_TEXT])
{
    struct options options;

    option_defaults(&options);
    options.elf = NULL;
    options.store = l->options->store;
    return baseline_load(&options, path, text, LIVE_TEXT);
}

void live_compare(struct live *live, const char *argument)
{
    char text[LIVE_TEXT];

    if (argument) {
        set_baseline(live, load_baseline(live, argument, text), text);
    } else if (!live->baseline) {
        live_rebase(live, NULL);
    } else {
        live->mode = live->mode == LIVE_CHANGES ? LIVE_RANKING : LIVE_CHANGES;
    }
}

void live_write(struct live *live, const char *argument)
{
    char saved[LIVE_TEXT];
    int status = save_snapshot(&live->shown, live->model.profile, argument, saved, sizeof(saved));

    if (status == STATUS_DONE)
        live_say(live, false, "written: %s", saved);
    else
        live_say(live, true, "%s", saved);
}
