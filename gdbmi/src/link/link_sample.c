/* SPDX-License-Identifier: 0BSD */
/* Samples of a core: a halt, its registers and a part of its stack, and the end of the halt. */
#include <string.h>

#include "clock.h"
#include "link_ops.h"

/* Bytes of a stack that are worth a request, after one for more has failed. */
#define STACK_MIN 32U

/* Of the stack that can't be read a shorter part is tried: above it memory may end. */
static enum gdbmi_code read_from(struct gdbmi_link *link,
                                 const struct gdbmi_sample_request *request, uint64_t sp,
                                 void *bytes, size_t *got)
{
    size_t wanted = link_stack_fit(&link->stack_end, request->stack_end, sp, request->stack_len);
    enum gdbmi_code code = GDBMI_ETARGET;
    size_t len = wanted;

    while (code == GDBMI_ETARGET && len >= STACK_MIN) {
        link->error = (struct gdbmi_error){.code = GDBMI_OK};
        code = link->ops->read(link, sp, bytes, len);
        if (code == GDBMI_OK)
            *got = len;
        else
            len = len / 2 / 4 * 4;
    }
    if (code == GDBMI_OK)
        link_stack_note(&link->stack_end, sp, wanted, len);
    if (code != GDBMI_ETARGET)
        return code;
    link->error = (struct gdbmi_error){.code = GDBMI_OK};
    return GDBMI_OK;
}

static enum gdbmi_code read_stack(struct gdbmi_link *link,
                                  const struct gdbmi_sample_request *request,
                                  struct gdbmi_sample *sample)
{
    bool process = request->process_stack != NULL && (sample->psr & LINK_PSR_EXCEPTION) != 0 &&
                   (sample->known >> GDBMI_PSP & 1) != 0;
    enum gdbmi_code code = read_from(link, request, sample->sp, request->stack, &sample->stack_len);

    if (code == GDBMI_OK && process)
        code = read_from(link, request, sample->registers[GDBMI_PSP], request->process_stack,
                         &sample->process_len);
    return code;
}

/* A word that can't be read is left out. */
static enum gdbmi_code read_word(struct gdbmi_link *link,
                                 const struct gdbmi_sample_request *request,
                                 struct gdbmi_sample *sample)
{
    enum gdbmi_code code = link->ops->read(link, request->word, sample->word, request->word_len);

    sample->has_word = code == GDBMI_OK;
    if (code != GDBMI_ETARGET)
        return code;
    link->error = (struct gdbmi_error){.code = GDBMI_OK};
    return GDBMI_OK;
}

/* Of a target that runs again. Where the server has measured the halt, the way to it and back is
 * not counted. */
static void let_go(struct gdbmi_link *link, const struct gdbmi_sample *sample)
{
    if (sample->halted_ns != 0)
        link->held_since_ns = clock_now_ns() - sample->halted_ns;
    link_let_go(link);
}

/* A target that turns out to be halted by something else is left so. */
static enum gdbmi_code halt_and_take(struct gdbmi_link *link, const struct link_registers *map,
                                     const struct gdbmi_sample_request *request,
                                     struct gdbmi_sample *sample, bool *runs)
{
    bool all = request->all || request->stack_len > 0;
    enum gdbmi_code code = GDBMI_EUNSUPPORTED;
    uint64_t since_ns = clock_now_ns();
    bool ours = false;

    if (link->ops->sample != NULL) {
        link_announce_halt(link);
        code = link->ops->sample(link, map, request, sample, &ours, runs);
        link_book_halt(link, code, ours, since_ns);
    }
    if (code != GDBMI_EUNSUPPORTED || ours)
        return code;
    code = link_halt(link);
    return code == GDBMI_OK && link->held ? link->ops->registers(link, map, all, sample) : code;
}

static enum gdbmi_code take(struct gdbmi_link *link, const struct link_registers *map,
                            const struct gdbmi_sample_request *request, struct gdbmi_sample *sample)
{
    bool runs = false;

    enum gdbmi_code code = halt_and_take(link, map, request, sample, &runs);
    bool held = link->held;
    if (code == GDBMI_OK && held && !link_registers_take(map, sample))
        code = gdbmi_error_set(&link->error, GDBMI_ETARGET,
                               "%s: cannot read the program counter of the halted core",
                               link->address);
    if (code == GDBMI_OK && held && !runs && request->stack_len > 0)
        code = read_stack(link, request, sample);
    if (code == GDBMI_OK && held && !runs && request->word_len > 0)
        code = read_word(link, request, sample);
    if (runs && held)
        let_go(link, sample);
    else if (held && !link_is_lasting(code))
        code = link_resume_after(link, code);
    sample->taken = code == GDBMI_OK && held && !guardian_has_acted(link->guardian);
    sample->halted_ns = held ? link->usual_ns : 0;
    return code;
}

static enum gdbmi_code find_registers(struct gdbmi_link *link, const struct link_registers **map)
{
    const char *why = link->no_sample;

    if (link->ops->registers == NULL && why == NULL)
        why = "no core can be halted and sampled here";
    if (why != NULL)
        return gdbmi_error_set(&link->error, GDBMI_EUNSUPPORTED, "%s: %s", link->address, why);
    *map = link_registers_of(link->arch);
    if (*map != NULL)
        return link_may_halt_for(link, "samples by halts halt the core again and again",
                                 &link->error);
    return gdbmi_error_set(&link->error, GDBMI_EUNSUPPORTED,
                           "%s: mprof cannot sample by halts on this architecture (%s)",
                           link->address, link->arch[0] != '\0' ? link->arch : "not known");
}

static enum gdbmi_code sample_target(struct gdbmi_link *link,
                                     const struct gdbmi_sample_request *request,
                                     struct gdbmi_sample *sample)
{
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;
    const struct link_registers *map = NULL;

    enum gdbmi_code code = link_clear_error(link);
    if (code == GDBMI_OK)
        code = find_registers(link, &map);
    if (code != GDBMI_OK || link->held)
        return code;
    if (link->ops->sample == NULL || link->deaf)
        code = link->ops->state(link, &state);
    if (code == GDBMI_OK && state != GDBMI_STATE_HALTED)
        code = take(link, map, request, sample);
    return link_end(link, code);
}

enum gdbmi_code gdbmi_link_sample(struct gdbmi_link *link,
                                  const struct gdbmi_sample_request *request,
                                  struct gdbmi_sample *sample)
{
    *sample = (struct gdbmi_sample){.taken = false};
    if (request->word_len > sizeof(sample->word))
        return gdbmi_error_set(&link->error, GDBMI_EARG, "%s: a word of a sample has 4 or 8 bytes",
                               link->address);
    uint64_t outer = link_limit_operation(link->timeout_ms, request->stack_len);
    enum gdbmi_code code = sample_target(link, request, sample);
    clock_limit_end(outer);
    return code;
}
