/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DWT_PCSR: whether it is there, what its values mean, and that TRCENA is left as it was. */
#include "unit.h"

#include <link_ops.h>
#include <taken/pcsr.h>

/* A core: its registers, and what DWT_PCSR reads, in turn. */
static struct {
    uint32_t demcr, dhcsr;
    uint32_t pcs[4];
    unsigned turn, looks;
    bool needs_trcena, refuses;
} core;

static void put(unsigned char *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(value >> 8 * i);
}

static enum gdbmi_code read_core(struct gdbmi_link *link, uint64_t addr, void *bytes, size_t len)
{
    assert_int_equal(len, 4);
    if (core.refuses)
        return gdbmi_error_set(&link->error, GDBMI_ETARGET, "refused");
    if (addr == PCSR_DEMCR) {
        put(bytes, core.demcr);
    } else if (addr == PCSR_DHCSR) {
        core.looks++;
        put(bytes, core.dhcsr);
    } else {
        assert_int_equal(addr, PCSR_ADDR);
        put(bytes, core.demcr & PCSR_TRCENA ? core.pcs[core.turn++ % 4] : 0);
    }
    return GDBMI_OK;
}

static enum gdbmi_code write_core(struct gdbmi_link *link, uint64_t addr, const void *bytes,
                                  size_t len)
{
    const unsigned char *b = bytes;

    assert_int_equal(addr, PCSR_DEMCR);
    core.demcr = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    return GDBMI_OK;
}

static enum gdbmi_code state_of_core(struct gdbmi_link *link, enum gdbmi_state *state)
{
    *state = core.dhcsr & PCSR_S_HALT ? GDBMI_STATE_HALTED : GDBMI_STATE_RUNNING;
    return GDBMI_OK;
}

static const struct gdbmi_link_ops ops = {
    .read = read_core, .write = write_core, .state = state_of_core};

struct reader {
    struct gdbmi_link link;
    struct symtab *symtab;
    struct taken *taken;
};

static void begin(struct reader *r, uint32_t a, uint32_t b)
{
    const struct sampler_taking how = {.share = 1};

    memset(r, 0, sizeof(*r));
    memset(&core, 0, sizeof(core));
    for (int i = 0; i < 4; i++)
        core.pcs[i] = i % 2 ? b : a;
    link_init(&r->link, &ops, "test", "", 0);
    r->link.info.live = true;
    assert_int_equal(symtab_load(SYMBOL_FILES "/cortex-m3.elf", &r->symtab, NULL, 0), SYMTAB_OK);
    r->taken = taken_new(&taken_pcsr, &r->link, r->symtab, &how);
    assert_non_null(r->taken);
}

static void end(struct reader *r)
{
    taken_free(r->taken);
    symtab_free(r->symtab);
}

static enum sampler_code probe(struct reader *r)
{
    return taken_pcsr.probe(r->taken);
}

static void test_trcena(void **state)
{
    struct reader r;

    begin(&r, 0x1000, 0x1002);
    core.demcr = 0x400;
    assert_int_equal(probe(&r), SAMPLER_OK);
    assert_int_equal(core.demcr, 0x400 | PCSR_TRCENA);
    end(&r);
    assert_int_equal(core.demcr, 0x400);
    begin(&r, 0x1000, 0x1002);
    assert_int_equal(probe(&r), SAMPLER_OK);
    core.refuses = true;
    assert_int_equal(gdbmi_link_read(&r.link, 0x1000, (char[4]){0}, 4), GDBMI_ETARGET);
    core.refuses = false;
    end(&r); /* the last request failed, and the link works */
    assert_int_equal(core.demcr, 0);
    begin(&r, 0x1000, 0x1002);
    assert_int_equal(probe(&r), SAMPLER_OK);
    taken_relink(r.taken, NULL);
    memset(&r.link, 0xff, sizeof(r.link)); /* it was lost and is not touched again */
    end(&r);
    assert_int_equal(core.demcr, PCSR_TRCENA);
    begin(&r, 0x1000, 0x1002);
    core.demcr = PCSR_TRCENA; /* somebody else's */
    assert_int_equal(probe(&r), SAMPLER_OK);
    end(&r);
    assert_int_equal(core.demcr, PCSR_TRCENA);
}

static void refused(uint32_t value, uint32_t dhcsr, enum sampler_code code, const char *text)
{
    struct reader r;

    begin(&r, value, value);
    core.dhcsr = dhcsr;
    assert_int_equal(probe(&r), code);
    assert_non_null(strstr(r.taken->text, text));
    end(&r);
    assert_int_equal(core.demcr, 0);
}

static void test_none(void **state)
{
    struct reader r;

    refused(0, 0, SAMPLER_ETABLE, "no DWT_PCSR (it reads 0x00000000)");
    refused(0xe1a00000, 0, SAMPLER_ETABLE, "no DWT_PCSR");
    refused(0x12345678, 0, SAMPLER_ETABLE, "no DWT_PCSR"); /* constant, and no code */
    refused(PCSR_NONE, 0, SAMPLER_ETABLE, "does not permit");
    refused(PCSR_NONE, PCSR_S_HALT, SAMPLER_WAIT, "halted");
    refused(0, PCSR_S_SLEEP, SAMPLER_WAIT, "sleeps");
    refused(PCSR_LOCKUP, PCSR_S_LOCKUP, SAMPLER_WAIT, "locked up");
    begin(&r, 0x1000, 0x1002);
    core.refuses = true;
    assert_int_equal(probe(&r), SAMPLER_EREAD);
    core.refuses = false;
    end(&r);
    begin(&r, 0x1000, 0x1002);
    r.link.info.live = false;
    assert_int_equal(probe(&r), SAMPLER_ETABLE);
    end(&r);
}

/* An endless loop of one instruction. */
static void test_constant_code(void **state)
{
    struct reader r;
    size_t count;

    begin(&r, 0, 0);
    uint32_t addr = (uint32_t)symtab_functions(r.symtab, &count)->addr;
    for (int i = 0; i < 4; i++)
        core.pcs[i] = addr;
    assert_int_equal(probe(&r), SAMPLER_OK);
    end(&r);
}

static void test_kinds(void **state)
{
    assert_int_equal(pcsr_kind(0x1000, 0), TAKEN_CODE);
    assert_int_equal(pcsr_kind(0x1000, PCSR_S_SLEEP), TAKEN_CODE); /* it slept before or after */
    assert_int_equal(pcsr_kind(0, 0), TAKEN_UNKNOWN);
    assert_int_equal(pcsr_kind(0, PCSR_S_SLEEP), TAKEN_ASLEEP);
    assert_int_equal(pcsr_kind(PCSR_NONE, 0), TAKEN_UNKNOWN);
    assert_int_equal(pcsr_kind(PCSR_NONE, PCSR_S_HALT), TAKEN_HALTED);
    assert_int_equal(pcsr_kind(PCSR_NONE, PCSR_S_SLEEP), TAKEN_ASLEEP);
    assert_int_equal(pcsr_kind(PCSR_LOCKUP, 0), TAKEN_LOCKUP);
    assert_int_equal(pcsr_kind(PCSR_NONE, PCSR_S_LOCKUP), TAKEN_LOCKUP);
    assert_int_equal(pcsr_kind(0xfffffff9, 0), TAKEN_UNKNOWN); /* EXC_RETURN */
}

static void test_batches(void **state)
{
    struct reader r;
    struct profile profile;
    enum gdbmi_state seen;

    begin(&r, 0x1000, 0x1003);
    profile_init(&profile);
    assert_int_equal(probe(&r), SAMPLER_OK);
    assert_int_equal(taken_poll(r.taken, &profile, 1, &seen), SAMPLER_OK);
    assert_int_equal(seen, GDBMI_STATE_RUNNING);
    assert_int_equal(profile.source, DECODE_PCSR);
    assert_true(profile.attributed >= 2 && profile.row_count == 2);
    assert_int_equal(profile.rows[1].addr, 0x1002);
    assert_int_equal(core.looks, 0); /* reading DHCSR clears what the server waits for */
    core.pcs[0] = core.pcs[2] = 0;
    core.dhcsr = PCSR_S_SLEEP;
    for (int i = 0; i < 5; i++)
        assert_int_equal(taken_poll(r.taken, &profile, 2 + i, &seen), SAMPLER_OK);
    assert_true(profile.sleeping >= 5 && profile.dropped == 0);
    assert_int_equal(core.looks, 1); /* a second has not passed */
    uint64_t attributed = profile.attributed;
    core.dhcsr = PCSR_S_HALT;
    assert_int_equal(taken_poll(r.taken, &profile, 9, &seen), SAMPLER_OK);
    assert_int_equal(seen, GDBMI_STATE_HALTED);
    assert_true(profile.halted != 0 && profile.attributed == attributed);
    profile_free(&profile);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trcena),        cmocka_unit_test(test_none),
        cmocka_unit_test(test_constant_code), cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_batches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
