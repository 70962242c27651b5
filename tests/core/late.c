/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A TCG plugin of QEMU by which the core executes its first instruction 1.5 s after the start, as
 * on a machine that has no time for it just then. tools/steady --late runs the tests with it. */
#include <stdbool.h>
#include <unistd.h>

#include "qemu_plugin.h"

#define LATE_US 1500000

int qemu_plugin_version = 1;

/* Code is translated just before it is executed. */
static void translate(plugin_id_t id, struct qemu_plugin_tb *tb)
{
    static bool begun;

    (void)id;
    (void)tb;
    if (!begun)
        usleep(LATE_US);
    begun = true;
}

int qemu_plugin_install(plugin_id_t id, const struct qemu_info *info, int argc, char **argv)
{
    (void)info;
    (void)argc;
    (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    return 0;
}
