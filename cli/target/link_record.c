/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The beginning and the end of a record of what goes over links. */
#include <target/link_record.h>

#include <base/monotonic.h>
#include <base/say.h>
#include <gdbmi/record.h>

int link_record_begin(const struct options *options)
{
    struct gdbmi_error error = {.code = GDBMI_OK};

    if (!options->link.record && !options->link.play)
        return STATUS_DONE;
    enum gdbmi_code code = gdbmi_record_begin(&options->link, "mprof " MPROF_VERSION, &error);
    if (code != GDBMI_OK) {
        complain("%s", error.text);
        return code == GDBMI_EARG ? STATUS_USAGE : STATUS_FAILED;
    }
    monotonic_use(gdbmi_record_now_ns, gdbmi_record_skip);
    return STATUS_DONE;
}

int link_record_end(int status)
{
    struct gdbmi_error error = {.code = GDBMI_OK};

    if (gdbmi_record_end(&error) == GDBMI_OK)
        return status;
    complain("%s", error.text);
    return status == STATUS_DONE ? STATUS_FAILED : status;
}
