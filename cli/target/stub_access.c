/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and writes of what controls the stub. */
#include <target/stub_access.h>

#include <base/say.h>

static int fail_table(struct control *c, enum sampler_code code)
{
    if (code == SAMPLER_ELINK)
        return session_link_failed(c->session);
    if (code == SAMPLER_WAIT)
        complain("%s is not initialised: the firmware has not called mprof_init() yet; let the "
                 "target run until then",
                 c->session->options->symbol);
    else
        complain("%s: %s", c->session->options->symbol, sampler_table_text(c->session->sampler));
    return STATUS_FAILED;
}

int stub_look(struct control *control)
{
    enum sampler_code code =
        sampler_table_look(control->session->sampler, &control->objects, &control->count);

    if (code != SAMPLER_OK)
        return fail_table(control, code);
    if (control->objects[0].header->abi_minor == 0) {
        complain("the firmware's stub (ABI 1.0) cannot be controlled: build it with a newer "
                 "target-stub");
        return STATUS_FAILED;
    }
    return STATUS_DONE;
}

int stub_look_to_change(struct control *control, const char *what)
{
    int status = stub_look(control);

    if (status == STATUS_DONE && control->objects[0].header->small) {
        complain(
            "%s: this firmware was built with MPROF_SMALL, so mprof cannot control it; build it "
            "without MPROF_SMALL",
            what);
        return STATUS_FAILED;
    }
    return status;
}

int stub_write(struct control *control, const struct decode_header *header,
               const struct control_write *writes, size_t count)
{
    enum sampler_code code =
        sampler_table_write(control->session->sampler, header->core, writes, count);

    return code == SAMPLER_OK ? STATUS_DONE : fail_table(control, code);
}
