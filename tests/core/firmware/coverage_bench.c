/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One call of the hook of coverage of each kind between marks; the plugin counts what it executes.
 */
#include <mprof/mprof.h>

#include "coverage_places.h"
#include "marks.h"
#include "semihost.h"

static void reach(const char *name)
{
    mark_begin();
    place_a();
    mark_end();
    print(name);
}

int main(void)
{
    mprof_init();
    mark_begin();
    control();
    mark_end();
    print("control\n");
    reach("first\n");
    reach("again\n");
    quit();
}
