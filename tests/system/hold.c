/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that holds a target, to be killed or stopped: hold gdb|tcl ADDRESS [again|briefly]. */
#include <stdio.h>
#include <string.h>

#include <gdbmi/link.h>

/* A busy machine is no fault. */
#define ANSWER_MS 300000

static int complain(const struct gdbmi_error *error)
{
    fprintf(stderr, "hold: %s\n", error->text);
    return 1;
}

/* Says "held" and keeps the target halted until its standard input ends. briefly: nobody asked for
 * that, and what came of the link is printed. */
static int hold(struct gdbmi_link *link, bool briefly)
{
    enum gdbmi_state state;

    if (gdbmi_link_halt(link) != GDBMI_OK)
        return complain(gdbmi_link_error(link));
    if (!briefly)
        gdbmi_link_keep_halted(link);
    puts("held");
    fflush(stdout);
    while (getchar() != EOF)
        continue;
    if (briefly && gdbmi_link_state(link, &state) != GDBMI_OK)
        return complain(gdbmi_link_error(link));
    return 0;
}

/* again: an earlier run of this program was killed in the middle, and its guardian too. */
int main(int argc, char **argv)
{
    struct gdbmi_options options = {.allow_halt = true, .timeout_ms = ANSWER_MS};
    struct gdbmi_error error;
    struct gdbmi_link *link;

    if (argc < 3)
        return 2;
    if (strcmp(argv[1], "gdb") == 0) {
        options.gdb = argv[2];
        options.tcl = "none";
    } else {
        options.tcl = argv[2];
    }
    options.held = argc > 3 && strcmp(argv[3], "again") == 0;
    bool briefly = argc > 3 && strcmp(argv[3], "briefly") == 0;
    if (gdbmi_link_open(&options, &link, &error) != GDBMI_OK)
        return complain(&error);
    int status = 0;
    if (options.held)
        puts(gdbmi_link_info(link)->why);
    else
        status = hold(link, briefly);
    if (gdbmi_link_close(link, &error) != GDBMI_OK)
        return complain(&error);
    return status;
}
