/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What links say, with the options of ours that help. */
#include <target/link_words.h>

#include <stdio.h>

#define STOP_AND_CONTINUE "; --allow-halt lets mprof stop and continue it at every refresh"

const char *link_hint(enum gdbmi_hint hint)
{
    switch (hint) {
    case GDBMI_HINT_NONE:
    case GDBMI_HINT_TYPE:
        return "";
    case GDBMI_HINT_REFUSED:
        return "; start the debug server, or give its address with --gdb, --tcl or --qmp";
    case GDBMI_HINT_ALLOW_HALT:
        return "; --allow-halt lets mprof halt it for some milliseconds at every refresh, at most "
               "5% of the time (--allow-halt=DUTY sets another share)";
    case GDBMI_HINT_STOP_BY_GDB:
        return STOP_AND_CONTINUE;
    case GDBMI_HINT_STOP_BY_YOUR_GDB:
        return STOP_AND_CONTINUE
            "; --tcl (OpenOCD) and --qmp (QEMU) need no stop while your gdb is connected";
    case GDBMI_HINT_TCL_NONE:
        return "; or, if it is not OpenOCD, use the gdb port with --tcl none";
    case GDBMI_HINT_TCL:
        return ": give it with --tcl";
    case GDBMI_HINT_GDB:
        return ": give it with --gdb";
    case GDBMI_HINT_GDB_IF:
        return "; give a gdb port with --gdb";
    case GDBMI_HINT_SERVE_OR_TCL:
        return ": use either --serve or --tcl";
    case GDBMI_HINT_MI:
        return ": use --mi COMMAND, like --mi 'gdb-multiarch -q fw.elf -ex \"target remote "
               ":3333\"'";
    }
    return "";
}

const char *link_words(const struct gdbmi_error *error, char text[LINK_WORDS])
{
    snprintf(text, LINK_WORDS, "%s%s", error->text, link_hint(error->hint));
    return text;
}

const char *link_why(const struct gdbmi_info *info, char text[LINK_WORDS])
{
    snprintf(text, LINK_WORDS, "%s%s%s", info->why,
             info->others[0] ? "; choose another with --target NAME: " : "", info->others);
    return text;
}
