/* SPDX-License-Identifier: 0BSD */
/* A table of rows: finds or makes the row of an address, or of an arc, and counts a hit in it. */

/*
 * Included once for each table, behind
 *   ROWS       the member of s_prof
 *   ROWS_T     its type
 *   ROWS_CNT   its rows
 *   ROWS_ERR   bytes of code of a row
 *   ROWS_ARC   1: a row has two addresses
 *   ROWS_LED   1: it is led by counters of its own, 0: the header's are its
 * It makes present_ROWS(prof), which gives an event its number; then one of count_ROWS(prof, addr,
 * from, number) and ignore_ROWS(prof).
 *
 * Who may change what, so that interrupts at any instruction lose nothing:
 * - hits only ever goes up, in one piece, in whatever row the address stands at that moment;
 * - an empty row is taken by counting its first hit;
 * - a full row is taken by making its stamp 0, and given back by a new one. Stamp 0 with hits is a
 *   row that somebody is writing: not to be taken.
 * filled and displaced count up before a row is taken and generation when it is given back, so all
 * are at rest when their sum is equal: see mprof_reset(). An address can get a second row if an
 * event for it comes in the middle of another one's first. The host adds up rows of one address.
 */

#define ROWS_JOIN_(a, b) a##_##b
#define ROWS_JOIN(a, b)  ROWS_JOIN_(a, b)
#define ROWS_FN(name)    ROWS_JOIN(name, ROWS)

#if ROWS_LED
#define ROWS_EVENTS    ROWS_JOIN(ROWS, lead).events
#define ROWS_DROPPED   ROWS_JOIN(ROWS, lead).dropped
#define ROWS_DISPLACED ROWS_JOIN(ROWS, lead).displaced
#define ROWS_IGNORED   ROWS_JOIN(ROWS, lead).ignored
#else
#define ROWS_EVENTS    header.heartbeat
#define ROWS_DROPPED   header.dropped
#define ROWS_DISPLACED header.displaced
#define ROWS_IGNORED   header.ignored
#endif

#define ROWS_SETS (ROWS_CNT / MPROF_WAYS)
#define ROWS_HASH 0x9E3779B1U

/* A pointer to this is so far before a set that the offset of a row's member becomes part of each
 * load and store, if it fits. */
#define ROWS_AT     offsetof(struct mprof_prof, ROWS)
#define ROWS_END    (ROWS_AT + MPROF_WAYS * sizeof(ROWS_T))
#define ROWS_BEFORE (ROWS_END <= MPROF_PORT_NEAR ? ROWS_AT : 16)

struct ROWS_FN(set) {
    unsigned char before[ROWS_BEFORE];
    ROWS_T row[MPROF_WAYS];
};
typedef volatile struct ROWS_FN(set) ROWS_FN(set_t);
typedef volatile ROWS_T ROWS_FN(row_t);

#if ROWS_ARC

#define ROWS_IS(row, addr, from) ((row).callee == (addr) && (row).caller == (from))
#define ROWS_ADDR                callee

MPROF_INLINE uint32_t ROWS_FN(key)(uintptr_t callee, uintptr_t caller)
{
    return (uint32_t)(callee ^ caller << 5);
}

/* No event takes the row for its own until both addresses are there. What it had counted is
 * dropped: an arc inherits nothing. */
MPROF_INLINE void ROWS_FN(rename)(struct mprof_prof *prof, ROWS_FN(row_t) * row, uintptr_t callee,
                                  uintptr_t caller)
{
    row->callee = MPROF_EMPTY;
    mprof_port_add(prof, ROWS_DROPPED, row->hits / MPROF_HITCNT_INC);
    row->hits = MPROF_HITCNT_INC;
    row->caller = caller;
    row->callee = callee;
}

MPROF_INLINE void ROWS_FN(name)(ROWS_FN(row_t) * row, uintptr_t callee, uintptr_t caller)
{
    row->caller = caller;
    row->callee = callee;
}

#else

#define ROWS_IS(row, address, from) ((row).addr == (address))
#define ROWS_ADDR                   addr

MPROF_INLINE uint32_t ROWS_FN(key)(uintptr_t addr, uintptr_t from)
{
    (void)from;
    return (uint32_t)addr;
}

MPROF_INLINE void ROWS_FN(rename)(struct mprof_prof *prof, ROWS_FN(row_t) * row, uintptr_t addr,
                                  uintptr_t from)
{
    (void)prof, (void)from;
    row->addr = addr;
    row->inherited = mprof_port_add(row, hits, MPROF_HITCNT_INC) - MPROF_HITCNT_INC;
}

MPROF_INLINE void ROWS_FN(name)(ROWS_FN(row_t) * row, uintptr_t addr, uintptr_t from)
{
    (void)from;
    row->inherited = 0;
    row->addr = addr;
}

#endif

/* The empty statements keep the compiler from seeing through the offset, and from pushing a
 * register for the factor. */
MPROF_INLINE ROWS_FN(set_t) * ROWS_FN(set_of)(struct mprof_prof *prof, uint32_t key)
{
    volatile char *set = (volatile char *)prof + (ROWS_AT - ROWS_BEFORE);
    uint32_t hash = ROWS_HASH;

    __asm__("" : "+r"(hash));
    hash *= key;
    if (ROWS_SETS > 1)
        set += sizeof(ROWS_T) * MPROF_WAYS * (hash >> (32 - MPROF_LOG2(ROWS_SETS)) % 32);
    __asm__("" : "+r"(set));
    return (ROWS_FN(set_t) *)set;
}

/* The first of the rows with the fewest hits: an empty one if there is one. */
MPROF_INLINE ROWS_FN(row_t) * ROWS_FN(least)(ROWS_FN(set_t) * set, uint32_t *hits)
{
    ROWS_FN(row_t) *least = &set->row[0];
    uint32_t least_hits = set->row[0].hits;

    for (unsigned way = 1; way < MPROF_WAYS; way++) {
        uint32_t way_hits = set->row[way].hits;

        if (way_hits < least_hits) {
            least_hits = way_hits;
            least = &set->row[way];
        }
    }
    *hits = least_hits;
    return least;
}

MPROF_INLINE void ROWS_FN(drop)(struct mprof_prof *prof)
{
    mprof_port_add(prof, ROWS_DROPPED, 1);
}

/* An event whose row has got another address since it was found. */
MPROF_CODE MPROF_APART static void ROWS_FN(come_late)(void)
{
    ROWS_FN(drop)(MPROF_PROF);
}

/* These are 0 if somebody else was faster. */
MPROF_CODE MPROF_APART static int ROWS_FN(fill)(struct mprof_prof *prof, ROWS_FN(row_t) * row,
                                                uintptr_t addr, uintptr_t from)
{
    if (row->ROWS_ADDR != MPROF_EMPTY)
        return 0;
    mprof_port_add(MPROF_WORDS(prof), word[MPROF_WORD_FILLED], MPROF_HALF_WORD(1));
    mprof_port_add_if(row, hits, MPROF_HITCNT_INC, row->hits == 0 && row->ROWS_ADDR == MPROF_EMPTY,
                      goto lost);
    row->stamp = 0;
    ROWS_FN(name)(row, addr, from);
    return 1;
lost:
    mprof_port_add(MPROF_WORDS(prof), word[MPROF_WORD_FILLED], MPROF_HALF_WORD(-1));
    return 0;
}

MPROF_INLINE int ROWS_FN(take_full)(struct mprof_prof *prof, ROWS_FN(row_t) * row)
{
    mprof_port_add(prof, ROWS_DISPLACED, 1);
    mprof_port_claim(row, stamp, goto lost);
    return 1;
lost:
    mprof_port_add(prof, ROWS_DISPLACED, -1);
    return 0;
}

MPROF_INLINE void ROWS_FN(stamp)(struct mprof_prof *prof, ROWS_FN(row_t) * row)
{
    uint32_t stamp = mprof_next_generation(prof);

    mprof_port_barrier();
    row->stamp = stamp;
}

/* Counts the hit of an address that has no row: in a row that it gets, or as dropped. */
MPROF_CODE MPROF_APART static void ROWS_FN(miss)(ROWS_FN(set_t) * set, uintptr_t addr,
                                                 uintptr_t from, uint32_t beat)
{
    struct mprof_prof *prof = MPROF_PROF;
    uint32_t hits;
    ROWS_FN(row_t) *row = ROWS_FN(least)(set, &hits);

    if (MPROF_RARELY(hits == 0) && ROWS_FN(fill)(prof, row, addr, from)) {
        ROWS_FN(stamp)(prof, row);
    } else if (mprof_admitted(beat, hits) && ROWS_FN(take_full)(prof, row)) {
        mprof_port_barrier();
        ROWS_FN(rename)(prof, row, addr, from);
        ROWS_FN(stamp)(prof, row);
    } else {
        ROWS_FN(drop)(prof);
    }
}

/* Counts a hit in a row that held the address a moment ago. */
#define ROWS_HIT(n)                                                                         \
    mprof_port_add_if(set, row[n].hits, MPROF_HITCNT_INC, ROWS_IS(set->row[n], addr, from), \
                      goto late)

MPROF_INLINE void ROWS_FN(fade)(struct mprof_prof *prof, uint32_t beat)
{
#if MPROF_DECAY
    ROWS_FN(row_t) *row = &prof->ROWS[beat % ROWS_CNT];

    mprof_port_add_if(row, hits, -1, row->hits != 0, return );
#else
    (void)prof, (void)beat;
#endif
}

MPROF_INLINE uint32_t ROWS_FN(present)(struct mprof_prof *prof)
{
    return mprof_port_add(prof, ROWS_EVENTS, 1);
}

MPROF_INLINE void ROWS_FN(ignore)(struct mprof_prof *prof)
{
    mprof_port_add(prof, ROWS_IGNORED, 1);
}

MPROF_INLINE void ROWS_FN(count)(struct mprof_prof *prof, uintptr_t addr, uintptr_t from,
                                 uint32_t beat)
{
    addr &= ~(uintptr_t)(ROWS_ERR - 1);
    ROWS_FN(set_t) *set = ROWS_FN(set_of)(prof, ROWS_FN(key)(addr, from));

    ROWS_FN(fade)(prof, beat);
#ifdef __OPTIMIZE_SIZE__
    ROWS_FN(row_t) *row = set->row;

    for (unsigned way = 0; way < MPROF_WAYS; way++, row++) {
        if (!ROWS_IS(*row, addr, from))
            continue;
        mprof_port_add_if(row, hits, MPROF_HITCNT_INC, ROWS_IS(*row, addr, from), goto late);
        return;
    }
    ROWS_FN(miss)(set, addr, from, beat);
#else
    if (ROWS_IS(set->row[0], addr, from))
        ROWS_HIT(0);
    else if (ROWS_IS(set->row[1], addr, from))
        ROWS_HIT(1);
    else if (ROWS_IS(set->row[2], addr, from))
        ROWS_HIT(2);
    else if (ROWS_IS(set->row[3], addr, from))
        ROWS_HIT(3);
    else
        ROWS_FN(miss)(set, addr, from, beat);
#endif
    return;
late:
    ROWS_FN(come_late)();
}

#undef ROWS
#undef ROWS_T
#undef ROWS_CNT
#undef ROWS_ERR
#undef ROWS_ARC
#undef ROWS_LED
#undef ROWS_IS
#undef ROWS_HIT
#undef ROWS_ADDR
#undef ROWS_EVENTS
#undef ROWS_DROPPED
#undef ROWS_DISPLACED
#undef ROWS_IGNORED
#undef ROWS_AT
#undef ROWS_END
#undef ROWS_BEFORE
#undef ROWS_SETS
#undef ROWS_HASH
#undef ROWS_FN
#undef ROWS_JOIN
#undef ROWS_JOIN_
