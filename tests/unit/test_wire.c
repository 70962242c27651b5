/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thousands of faulty wires between a link and a fake server: right data, or an error that names
 * it. */
#include "unit.h"

#include "counted.h"
#include "rsp_checks.h"
#include "rsp_open.h"
#include "wire_stream.h"

#define READS     4
#define READ_MAX  300U
#define CLEAN_MAX 1200U

/* The fakes answer at once or never. */
#define PATIENT_MS 5000
#define HURRIED_MS 5

struct tally {
    unsigned cases, failed, faults, right;
    unsigned silent_halts; /* the core stands still, and nothing was said */
};

static size_t all_faults; /* of all tests */

static unsigned rounds(unsigned quick, unsigned full)
{
    return getenv("MPROF_SOAK") ? full : quick;
}

static void check_error(const struct gdbmi_error *error)
{
    assert_int_not_equal(error->code, GDBMI_OK);
    assert_int_not_equal(error->code, GDBMI_EARG);
    assert_int_not_equal(error->code, GDBMI_ENOMEM);
    check_text(error->text, ": ");
}

/* Whether all went well. A wrong byte is never accepted. */
static bool read_some(struct gdbmi_link *link, uint32_t seed, struct tally *tally)
{
    unsigned char bytes[READ_MAX];

    for (unsigned i = 0; i < READS; i++) {
        seed = seed * 1664525U + 1013904223U;
        uint64_t addr = RAM + (seed >> 8) % 4096;
        size_t len = 1 + (seed >> 16) % READ_MAX;
        if (gdbmi_link_read(link, addr, bytes, len) != GDBMI_OK) {
            check_error(gdbmi_link_error(link));
            return false;
        }
        for (size_t at = 0; at < len; at++)
            assert_int_equal(bytes[at], fake_byte(addr + at));
        tally->right++;
    }
    return true;
}

static void try_wire(enum fake_kind kind, bool no_ack, const struct wire_plan *plan,
                     struct tally *tally)
{
    bool lossless =
        plan->fault <= WIRE_MERGE || plan->fault == WIRE_NAK || plan->fault == WIRE_CONSOLE;
    struct gdbmi_options options = {.allow_halt = true,
                                    .timeout_ms = lossless ? PATIENT_MS : HURRIED_MS};
    struct gdbmi_error error = {.code = GDBMI_OK};
    struct gdbmi_link *link = NULL;
    struct wire_stream wire;
    struct fake_gdb gdb;
    bool told;

    fake_gdb_init(&gdb, kind, true);
    gdb.offers_no_ack = no_ack;
    wire_stream_init(&wire, &gdb.stream.base, plan);
    bool good = rsp_link_open(&wire.base, "fake:3333", &options, &link, &error) == GDBMI_OK;
    if (good) {
        good = read_some(link, plan->seed, tally);
        told = strstr(gdbmi_link_error(link)->text, "HALTED") != NULL;
        told |= gdbmi_link_close(link, &error) != GDBMI_OK;
    } else {
        check_error(&error);
        told = strstr(error.text, "HALTED") != NULL;
    }
    tally->cases++;
    tally->failed += !good;
    tally->faults += wire.wire.faults;
    if (lossless) {
        assert_true(good);
        assert_true(gdb.running);
    }
    tally->silent_halts += !gdb.running && !told;
    fake_gdb_free(&gdb);
}

static void check_faults(enum fake_kind kind, bool no_ack)
{
    for (int fault = 0; fault < WIRE_FAULTS; fault++) {
        struct tally tally = {.cases = 0};
        if (fault == WIRE_DELAY)
            continue; /* the fakes know no time */
        for (uint32_t seed = 1; seed <= rounds(100, 3000); seed++) {
            struct wire_plan plan = {.fault = (enum wire_fault)fault,
                                     .seed = seed,
                                     .clean = seed * 2654435761U % CLEAN_MAX,
                                     .gap = 4096};
            try_wire(kind, no_ack, &plan, &tally);
        }
        if (fault > WIRE_MERGE && !(no_ack && fault == WIRE_NAK))
            assert_true(tally.faults > 0);
        all_faults += tally.faults;
        print_message(
            "%-8s %u wires, %u faults, %u links failed, %u reads right, %u halted in silence\n",
            wire_fault_name((enum wire_fault)fault), tally.cases, tally.faults, tally.failed,
            tally.right, tally.silent_halts);
    }
}

static void test_openocd(void **state)
{
    check_faults(FAKE_OPENOCD, true);
}

static void test_with_acks(void **state)
{
    check_faults(FAKE_OPENOCD, false);
}

static void test_qemu(void **state)
{
    check_faults(FAKE_QEMU, false);
}

static void test_deaf(void **state)
{
    check_faults(FAKE_DEAF, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_openocd),
        cmocka_unit_test(test_with_acks),
        cmocka_unit_test(test_qemu),
        cmocka_unit_test(test_deaf),
    };

    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return counted(failed, all_faults, "faults of a wire");
}
