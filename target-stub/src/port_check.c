/* SPDX-License-Identifier: 0BSD */
/* Whether a port keeps its contract, as far as one thread can find out. */
#include "gate.h"

/* A member that an instruction's offset does not reach, if that is possible at a moderate size. */
#define FAR (MPROF_PORT_NEAR < 4096 ? MPROF_PORT_NEAR / 4 + 1 : 1)

static volatile struct tokens {
    uint32_t word[FAR + 2];
} s_words;

MPROF_UNHOOKED static void put(uint32_t before, uint32_t number, uint32_t after)
{
    s_words.word[FAR - 1] = before;
    s_words.word[FAR] = number;
    s_words.word[FAR + 1] = after;
}

MPROF_UNHOOKED static int holds(uint32_t before, uint32_t number, uint32_t after)
{
    return s_words.word[FAR - 1] == before && s_words.word[FAR] == number &&
           s_words.word[FAR + 1] == after;
}

MPROF_UNHOOKED static int check_add(void)
{
    put(1, 7, 2);
    if (mprof_port_add(&s_words, word[FAR], 3) != 10 || !holds(1, 10, 2))
        return 0;
    if (mprof_port_add(&s_words, word[FAR], -11) != UINT32_MAX || !holds(1, UINT32_MAX, 2))
        return 0;
    return mprof_port_add(&s_words, word[FAR], 1) == 0 && holds(1, 0, 2);
}

/* Whether the word was changed. */
MPROF_UNHOOKED static int add_if(uint32_t condition)
{
    mprof_port_add_if(&s_words, word[FAR], 5, condition != 0, return 0);
    return 1;
}

MPROF_UNHOOKED static int check_add_if(void)
{
    put(1, 7, 2);
    return !add_if(0) && holds(1, 7, 2) && add_if(1) && holds(1, 12, 2);
}

/* An event that comes while another one looks at its condition: once. */
MPROF_UNHOOKED static int interrupt(uint32_t *events)
{
    if ((*events)++ == 0)
        mprof_port_add(&s_words, word[FAR], 100);
    return 1;
}

MPROF_UNHOOKED static int check_interrupted(void)
{
    uint32_t events = 0;

    put(1, 7, 2);
    mprof_port_add_if(&s_words, word[FAR], 5, interrupt(&events), return 0);
    return holds(1, 112, 2);
}

MPROF_UNHOOKED static int check_switch(void)
{
    volatile uint32_t *word = &s_words.word[FAR];
    volatile uint8_t *byte = (volatile uint8_t *)word;

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    byte += 3;
#endif
    put(1, 0x53123456U, 2);
    mprof_port_switch(word, byte, 0x0c000000U, 0U);
    if (!holds(1, 0x5f123456U, 2))
        return 0;
    mprof_port_switch(word, byte, 0xa0000000U, 0x81000000U);
    return holds(1, 0x7e123456U, 2);
}

MPROF_UNHOOKED static int check_barrier(void)
{
    put(3, 4, 5);
    mprof_port_barrier();
    return holds(3, 4, 5);
}

#ifdef MPROF_PORT_MASKS

typedef __typeof__(mprof_port_mask()) mask_t;

/* What mask() returns differs between the enabled and the masked state, so it tells which it is. */
MPROF_UNHOOKED static mask_t mask_now(void)
{
    mask_t mask = mprof_port_mask();

    mprof_port_unmask(mask);
    return mask;
}

MPROF_UNHOOKED static int check_mask(void)
{
    mask_t enabled = mprof_port_mask();
    mask_t masked = mask_now();
    mask_t still_masked = mask_now();

    mprof_port_unmask(enabled);
    return masked != enabled && still_masked == masked && mask_now() == enabled;
}

MPROF_UNHOOKED static int is_as_before(int changed, mask_t enabled)
{
    (void)changed;
    return mask_now() == enabled;
}

/* Each way out of a change. */
MPROF_UNHOOKED static int check_unmasked(void)
{
    mask_t enabled = mask_now();

    put(1, 2, 3);
    return is_as_before(check_add(), enabled) && is_as_before(add_if(0), enabled) &&
           is_as_before(add_if(1), enabled) && is_as_before(check_switch(), enabled);
}

#endif

static const struct {
    int (*holds)(void);
    const char *rule;
} s_rules[] = {
#ifdef MPROF_PORT_MASKS
    {check_mask, "mprof_port_mask() masks, and mprof_port_unmask() restores what was before"},
    {check_unmasked, "interrupts are as before after each change"},
#endif
    {check_add, "mprof_port_add() adds to its member only, and is the new number"},
    {check_add_if, "mprof_port_add_if() adds if the condition holds, else leaves the member"},
    {check_interrupted, "mprof_port_add_if() loses no event that comes in between"},
    {check_switch, "mprof_port_switch() sets and then clears bits of the highest byte only"},
    {check_barrier, "mprof_port_barrier() changes nothing"},
};

MPROF_UNHOOKED const char *mprof_port_check(void)
{
    for (unsigned i = 0; i < sizeof(s_rules) / sizeof(s_rules[0]); i++) {
        if (!s_rules[i].holds())
            return s_rules[i].rule;
    }
    return NULL;
}
