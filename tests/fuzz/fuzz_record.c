/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A record of a link, as somebody else may have made it, and a link that it is played to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gdbmi/link.h>

#include "clock.h"
#include "player.h"
#include "rsp_open.h"

#define USES 4

static struct player player;

static uint64_t now_ns(void)
{
    return player_now_ns(&player);
}

static bool skip(int ms)
{
    player_skip(&player, (uint64_t)(ms > 0 ? ms : 0) * 1000000U);
    return true;
}

static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "this does not hold: %s\n", what);
    abort();
}

static void use(struct gdbmi_link *link)
{
    unsigned char bytes[32];
    enum gdbmi_state state;

    for (int i = 0; i < USES; i++) {
        enum gdbmi_code code = gdbmi_link_poll(link, 0x20000000, bytes, sizeof(bytes), &state);
        must(code == GDBMI_OK || gdbmi_link_error(link)->text[0] != '\0', "an error has a text");
    }
    (void)gdbmi_link_close(link, NULL);
}

/* All of its connections are tried. */
static void play(void)
{
    const struct gdbmi_options options = {.timeout_ms = 40};
    struct gdbmi_stream *stream = NULL;
    struct gdbmi_error error = {.code = GDBMI_OK};

    while (player_connect(&player, "gdb", "fuzz", &stream, &error) == GDBMI_OK) {
        struct gdbmi_link *link = NULL;
        enum gdbmi_code code = rsp_link_open(stream, "fuzz", &options, &link, &error);
        must((code == GDBMI_OK) == (link != NULL), "a link is there if opening says so");
        must(code == GDBMI_OK || error.text[0] != '\0', "an error has a text");
        if (link != NULL)
            use(link);
        error = (struct gdbmi_error){.code = GDBMI_OK};
    }
    must(error.text[0] != '\0' && strchr(error.text, '\n') == NULL, "an error is a line");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    static const struct clock_source source = {.now_ns = now_ns, .skip = skip};
    struct gdbmi_error error = {.code = GDBMI_OK};
    struct record_script script;

    char *copy = malloc(len + 1);
    if (copy == NULL)
        return 0;
    memcpy(copy, bytes, len);
    if (record_parse(&script, copy, len, "fuzz", &error) != GDBMI_OK) {
        must(error.text[0] != '\0' && strchr(error.text, '\n') == NULL, "an error is a line");
        return 0;
    }
    player_begin(&player, "fuzz", &script);
    clock_use(&source);
    play();
    clock_use(NULL);
    player_free(&player);
    return 0;
}
