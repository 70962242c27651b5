/* SPDX-License-Identifier: 0BSD */
/* A table of rows: finds or makes the row of an address, or of an arc, and counts a hit in it. */

/*
 * Include it once for each table, after defining
 *   ROWS       the member of s_prof
 *   ROWS_T     its type
 *   ROWS_CNT   its rows
 *   ROWS_ERR   bytes of code of a row
 *   ROWS_ARC   1: a row has two addresses
 *   ROWS_HASH  1: addresses are not dense, so that a product spreads them
 *   ROWS_LED   1: it has counters of its own, 0: the header's are its
 * It makes present_ROWS(prof), which gives an event its number; then one of count_ROWS(prof, addr,
 * from, number) and ignore_ROWS(prof).
 *
 * layout.h says what a reader sees. An address belongs to a class, and the rows of a class are a
 * chain: a link in heads, then one in each row. An event searches the chain for its row. It takes a
 * new row while there are any and the chain is short; else a row with few hits may give way; else
 * it counts in the rest.
 *
 * Events that interrupt each other at any instruction lose nothing, because
 * - hits goes up in one piece, and only if the row has the event's address at that moment;
 * - a new row is taken by counting lead.free down, and belongs to the event that did; its address
 *   is odd until it is written;
 * - a row gives way by one addition that makes its address odd: the event that made it owns the row
 *   until the new address is written;
 * - a link changes once, from the end of a chain to a row, until the table is cleared. It goes
 *   upwards: a row that is joined to a chain was taken after the chain's last row, or has a higher
 *   index. So chains have no cycle.
 *
 * A row with stamp 0 promises that none of its address's events is in the rest. This holds because
 * - the address of a new row is written before the row is joined, and hits stay 0 until then. So an
 *   event that comes to the end of the chain either finds that row, or cannot join its own one;
 * - a chain of ROWS_CHAIN rows gets no longer;
 * - free is read before the chain, and the stamp becomes 0 only if free is not 0 after the row is
 *   joined. An event that read 0 may count in the rest while the last rows are not joined yet;
 * - an event that counts in the rest, or gives a row to another address, requires that generation
 *   is what it was before the chain was read: a reset may have come, and with it free rows.
 * A row that could not be joined stays without hits until another class takes it.
 */

#define ROWS_JOIN_(a, b) a##_##b
#define ROWS_JOIN(a, b)  ROWS_JOIN_(a, b)
#define ROWS_FN(name)    ROWS_JOIN(name, ROWS)
#define ROWS_LEAD        ROWS_JOIN(ROWS, lead)
#define ROWS_HEADS       ROWS_JOIN(ROWS, heads)
#define ROWS_REST        ROWS_JOIN(ROWS, rest)

#if ROWS_LED
#define ROWS_EVENTS  ROWS_LEAD.events
#define ROWS_IGNORED ROWS_LEAD.ignored
#else
#define ROWS_EVENTS  header.heartbeat
#define ROWS_IGNORED header.ignored
#endif

/* The longest chain, and how many rows an event compares at least to find one that gives way. Most
 * chains end early. After these rows the end is noticed late: the row behind the last one has the
 * most hits that there are, so one with fewer hits than those before is another. */
#define ROWS_CHAIN  6U
#define ROWS_LOOKED 4U
#if defined(__OPTIMIZE_SIZE__) || defined(__clang__)
#define ROWS_UNROLL
#define ROWS_LATE(n) 0
#else
#define ROWS_UNROLL  _Pragma("GCC unroll 6")
#define ROWS_LATE(n) ((n) >= 3 && !MPROF_SMALL)
#endif

#define ROWS_AT    offsetof(struct mprof_prof, ROWS)
#define ROWS_END   offsetof(struct mprof_prof, ROWS_REST)
#define ROWS_UNIT  MPROF_LINK_UNIT(ROWS_END, sizeof(ROWS_T))
#define ROWS_BASE  MPROF_LINK_BASE(ROWS_END, ROWS_AT)
#define ROWS_LINK  (sizeof(ROWS_T) >> ROWS_UNIT)
#define ROWS_FIRST ((ROWS_AT - ROWS_BASE) >> ROWS_UNIT)
#define ROWS_NIL   (ROWS_FIRST + ROWS_CNT * ROWS_LINK)

typedef volatile ROWS_T ROWS_FN(row_t);

#if ROWS_ARC

#define ROWS_IS(row, addr, from) ((row).callee == (addr) && (row).caller == (from))
#define ROWS_ADDR                callee
#define ROWS_KEY(addr, from)     ((uint32_t)((addr) ^ (from) << 5))

/* No event takes the row for its own until both addresses are there. */
MPROF_INLINE void ROWS_FN(name)(ROWS_FN(row_t) * row, uintptr_t callee, uintptr_t caller)
{
    row->caller = caller;
    mprof_port_barrier();
    row->callee = callee;
}

#else

#define ROWS_IS(row, address, from) ((row).addr == (address))
#define ROWS_ADDR                   addr
#define ROWS_KEY(addr, from)        ((uint32_t)(addr))

MPROF_INLINE void ROWS_FN(name)(ROWS_FN(row_t) * row, uintptr_t addr, uintptr_t from)
{
    (void)from;
    mprof_port_barrier();
    row->addr = addr;
}

#endif

/* The empty statements keep the compiler from moving constants into registers that it would have to
 * save. */
MPROF_INLINE volatile uint16_t *ROWS_FN(head_of)(struct mprof_prof *prof, uintptr_t addr,
                                                 uintptr_t from)
{
    uint32_t key = ROWS_KEY(addr, from);

    (void)from;
#if ROWS_HASH
    uint32_t factor = 0x9E3779B1U;

    __asm__("" : "+r"(factor));
    key = key * factor >> (32 - MPROF_LOG2(ROWS_CNT));
#else
    key = key / ROWS_ERR % ROWS_CNT;
#endif
    return &prof->ROWS_HEADS[key];
}

/* A link as it is now; what is read so needs no masking. */
MPROF_INLINE uint32_t ROWS_FN(follow)(volatile uint16_t *link)
{
    __asm__ volatile("" : : : "memory");
    uint32_t to = *(uint16_t *)(uintptr_t)link;

    __asm__ volatile("" : "+r"(to));
    return to;
}

MPROF_INLINE ROWS_FN(row_t) * ROWS_FN(row_at)(struct mprof_prof *prof, uint32_t link)
{
    volatile char *row = (volatile char *)prof + ROWS_BASE + (link << ROWS_UNIT);

    __asm__("" : "+r"(row));
    return (ROWS_FN(row_t) *)row;
}

/* Writes the stamp, of which the low half counts; what is written so needs no masking. */
MPROF_INLINE void ROWS_FN(seal)(ROWS_FN(row_t) * row, uint32_t stamp)
{
    __asm__ volatile("" : : : "memory");
    *(uint16_t *)(uintptr_t)&row->stamp = (uint16_t)stamp;
    __asm__ volatile("" : : : "memory");
}

MPROF_INLINE volatile struct mprof_words *ROWS_FN(rest_of)(struct mprof_prof *prof, uintptr_t addr)
{
    uint32_t region = (uint32_t)(addr >> MPROF_REGION_SHIFT(ROWS_ERR)) % (ROWS_CNT / 2);

    volatile uint32_t *rest = &prof->ROWS_REST[region];

    MPROF_AFRESH(rest);
    return MPROF_WORDS(rest);
}

/* Set after the counter, so that a reset between the two leaves it set without need, and never
 * clear while a counter is not 0. */
MPROF_INLINE void ROWS_FN(tell)(struct mprof_prof *prof)
{
    ((volatile struct mprof_prof *)prof)->ROWS_LEAD.spilled = 1;
}

/* Counts an event without a row in the rest. Returns 0 if generation has changed: there may be a
 * row for it. */
MPROF_INLINE int ROWS_FN(drop)(struct mprof_prof *prof, uintptr_t addr, uint32_t generation)
{
    volatile struct mprof_words *rest = ROWS_FN(rest_of)(prof, addr);
    volatile struct mprof_header *header = &prof->header;

    mprof_port_add_if(rest, word[0], MPROF_HITCNT_INC, header->generation == generation, return 0);
    ROWS_FN(tell)(prof);
    return 1;
}

/* Links the end of a chain to a row. Returns 0 if it has another link already, or if generation has
 * changed: then a row was renamed or the table was cleared, and the chain may be another one. */
MPROF_INLINE int ROWS_FN(join)(struct mprof_prof *prof, volatile uint16_t *link, uint32_t to,
                               uint32_t generation)
{
    volatile struct mprof_words *word = MPROF_WORDS((uintptr_t)link & ~(uintptr_t)3);
    volatile struct mprof_header *header = &prof->header;

    uint32_t change = (to - ROWS_NIL) << MPROF_HALF_SHIFT(link);

    __asm__ volatile("" : "+r"(word), "+r"(change)); /* computed before interrupts are masked */
    mprof_port_add_if(word, word[0], change,
                      ROWS_FN(follow)(link) == ROWS_NIL && header->generation == generation,
                      return 0);
    return 1;
}

/* Sets the stamp to 0 if that is true: none of the address's events is in the rest. */
MPROF_INLINE void ROWS_FN(promise)(struct mprof_prof *prof, ROWS_FN(row_t) * row, uintptr_t addr,
                                   uint32_t generation)
{
    volatile struct mprof_prof *now = prof;
    volatile struct mprof_words *word = MPROF_WORDS(&row->next);

    mprof_port_add_if(word, word[0], -MPROF_HALF_WORD(generation & 0xffffU),
                      row->ROWS_ADDR == addr && now->header.generation == generation &&
                          now->ROWS_LEAD.free != 0,
                      return );
}

/* Takes a free row, joins it to the chain and counts in it. Returns 0 if nothing is counted: there
 * is no free row, or the chain has changed. */
MPROF_INLINE int ROWS_FN(insert)(struct mprof_prof *prof, volatile uint16_t *end, uintptr_t addr,
                                 uintptr_t from, uint32_t generation)
{
    volatile struct mprof_prof *now = prof;
    uint32_t left;

    mprof_port_add_if(prof, ROWS_LEAD.free, -1, (left = now->ROWS_LEAD.free) != 0, return 0);
    __asm__ volatile("" : "+r"(left)); /* computed from, after the mask */
    uint32_t link = ROWS_NIL - left * ROWS_LINK;
    ROWS_FN(row_t) *row = ROWS_FN(row_at)(prof, link);

    row->hits = 0;
    row->next = ROWS_NIL;
    ROWS_FN(seal)(row, generation);
    ROWS_FN(name)(row, addr, from);
    if (!ROWS_FN(join)(prof, end, link, generation))
        return 0;
    ROWS_FN(promise)(prof, row, addr, generation);
    mprof_port_add_if(row, hits, MPROF_HITCNT_INC, ROWS_IS(*row, addr, from), return 0);
    return 1;
}

/* Gives a row to another address. Returns 0 if another event is doing that, or has renamed a row
 * since generation was read. */
MPROF_INLINE int ROWS_FN(replace)(struct mprof_prof *prof, ROWS_FN(row_t) * row, uintptr_t addr,
                                  uintptr_t from, uint32_t generation)
{
    volatile struct mprof_words *low = MPROF_WORDS(&row->ROWS_ADDR);
    volatile struct mprof_header *header = &prof->header;
    uint32_t expected = generation;
    uintptr_t old;

#ifdef MPROF_PORT_MASKS
    __asm__ volatile("" : "+r"(expected)); /* has a register before interrupts are masked */
#endif
    mprof_port_add_if(low, word[MPROF_LOW_WORD], 1,
                      ((old = row->ROWS_ADDR) & 1) == 0 && header->generation == expected,
                      return 0);
    mprof_port_barrier();
    ROWS_FN(seal)(row, generation + 2);
    mprof_port_barrier();
    uint32_t hits = row->hits;

    mprof_port_add(ROWS_FN(rest_of)(prof, old), word[0], hits);
    ROWS_FN(tell)(prof);
#ifdef MPROF_PORT_PARALLEL
    mprof_port_add(row, hits, MPROF_HITCNT_INC - hits);
#else
    row->hits = MPROF_HITCNT_INC;
#endif
    mprof_port_add(prof, header.generation, 2);
    ROWS_FN(name)(row, addr, from);
    return 1;
}

/* A chain that was looked through. */
struct ROWS_FN(chain) {
    volatile uint16_t *end;
    unsigned length;
    ROWS_FN(row_t) * least; /* of its rows, the one with the fewest hits */
    uint32_t hits;          /* of that row */
};

/* The row after the chain's last one; for an empty chain, the one with the index of the class.
 * Links to it go upwards. */
MPROF_INLINE ROWS_FN(row_t) * ROWS_FN(after)(struct mprof_prof *prof, volatile uint16_t *head,
                                             const struct ROWS_FN(chain) * c)
{
    if (c->length == 0)
        return &prof->ROWS[head - prof->ROWS_HEADS];
    return (ROWS_FN(row_t) *)((volatile char *)c->end - offsetof(ROWS_T, next)) + 1;
}

/* Also compares rows of other classes: if a chain is short and no row is free, better ones to give
 * way are elsewhere. Returns whether one of them has the fewest hits. */
MPROF_INLINE int ROWS_FN(borrow)(struct mprof_prof *prof, volatile uint16_t *head,
                                 struct ROWS_FN(chain) * c)
{
    const uintptr_t nil = (uintptr_t)&prof->ROWS[ROWS_CNT];
    int borrowed = 0;

    if (MPROF_SMALL || c->length >= ROWS_LOOKED)
        return 0;
    ROWS_FN(row_t) *row = ROWS_FN(after)(prof, head, c);
    uintptr_t end = (uintptr_t)row + (ROWS_LOOKED - c->length) * sizeof(ROWS_T);

    if (MPROF_RARELY(end > nil)) {
        if ((uintptr_t)row == nil)
            return 0;
        end = nil;
    }
    do {
        uint32_t hits = row->hits;

        if (hits < c->hits) {
            __asm__ volatile("");
            c->hits = hits;
            c->least = row;
            borrowed = 1;
        }
        row++;
    } while ((uintptr_t)row != end);
    return borrowed;
}

MPROF_INLINE uint32_t ROWS_FN(link_to)(struct mprof_prof *prof, ROWS_FN(row_t) * row)
{
    return (uint32_t)((volatile char *)row - (volatile char *)prof - ROWS_BASE) >> ROWS_UNIT;
}

/* Looks through a chain. Returns the address's row, or NULL. */
MPROF_INLINE ROWS_FN(row_t) * ROWS_FN(find)(struct mprof_prof *prof, uintptr_t addr, uintptr_t from,
                                            struct ROWS_FN(chain) * c)
{
    (void)from;
    ROWS_UNROLL
    while (c->length < ROWS_CHAIN) {
        uint32_t link = ROWS_FN(follow)(c->end);

        if (!ROWS_LATE(c->length) && link == ROWS_NIL)
            break;
        ROWS_FN(row_t) *row = ROWS_FN(row_at)(prof, link);

        if (ROWS_IS(*row, addr, from))
            return row;
        uint32_t hits = row->hits;

        /* Usually: rows came in the order of their hits. Of equal ones the last gives way. */
        if (!MPROF_RARELY(hits > c->hits)) {
            __asm__ volatile(""); /* a branch, not a choice: that takes longer */
            c->hits = hits;
            c->least = row;
        } else if (ROWS_LATE(c->length) && link == ROWS_NIL) {
            break;
        }
        c->end = &row->next;
        c->length++;
    }
    return NULL;
}

/* Counts the hit of an address that is not in the first rows of its chain. */
MPROF_CODE MPROF_APART static void ROWS_FN(miss)(volatile uint16_t *head, uintptr_t addr,
                                                 uintptr_t from, uint32_t beat)
{
    struct mprof_prof *prof = MPROF_PROF;

    for (;;) {
        /* The row behind the last one, with more hits than that. */
        struct ROWS_FN(chain)
            c = {.end = head, .hits = UINT32_MAX - 1, .least = &prof->ROWS[ROWS_CNT]};
        uint32_t generation = ((volatile struct mprof_header *)&prof->header)->generation;
        uint32_t left = ((volatile struct mprof_prof *)prof)->ROWS_LEAD.free;
        ROWS_FN(row_t) *found = ROWS_FN(find)(prof, addr, from, &c);

        if (found) {
            mprof_port_add_if(found, hits, MPROF_HITCNT_INC, ROWS_IS(*found, addr, from),
                              goto again);
            return;
        }
        if (left != 0 && c.length < ROWS_CHAIN) {
            if (ROWS_FN(insert)(prof, c.end, addr, from, generation))
                return;
            continue;
        }
        int borrowed = ROWS_FN(borrow)(prof, head, &c);

        if (mprof_admitted(beat, c.hits) &&
            ROWS_FN(replace)(prof, c.least, addr, from, generation)) {
            if (borrowed)
                ROWS_FN(join)(prof, c.end, ROWS_FN(link_to)(prof, c.least), generation + 2);
            return;
        }
        if (ROWS_FN(drop)(prof, addr, generation))
            return;
    again:;
    }
}

/* What fades from a row goes to the rest. */
MPROF_INLINE void ROWS_FN(fade)(struct mprof_prof *prof, uint32_t beat)
{
#if MPROF_DECAY
    ROWS_FN(row_t) *row = &prof->ROWS[beat % ROWS_CNT];
    uintptr_t addr = row->ROWS_ADDR;

    if (addr & 1)
        return;
    mprof_port_add_if(row, hits, -1, row->hits != 0 && row->ROWS_ADDR == addr, return );
    mprof_port_add(ROWS_FN(rest_of)(prof, addr), word[0], 1);
    ROWS_FN(tell)(prof);
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
    volatile uint16_t *head = ROWS_FN(head_of)(prof, addr, from);
    ROWS_FN(row_t) * row;

    ROWS_FN(fade)(prof, beat);
#if !defined(__OPTIMIZE_SIZE__) && !MPROF_SMALL
    row = ROWS_FN(row_at)(prof, ROWS_FN(follow)(head));
    mprof_port_add_if(row, hits, MPROF_HITCNT_INC, ROWS_IS(*row, addr, from), goto second);
    return;
second:
    row = ROWS_FN(row_at)(prof, ROWS_FN(follow)(&row->next));
    mprof_port_add_if(row, hits, MPROF_HITCNT_INC, ROWS_IS(*row, addr, from), goto third);
    return;
third:
    row = ROWS_FN(row_at)(prof, ROWS_FN(follow)(&row->next));
    mprof_port_add_if(row, hits, MPROF_HITCNT_INC, ROWS_IS(*row, addr, from), goto miss);
    return;
miss:
#else
    (void)row;
#endif
    ROWS_FN(miss)(head, addr, from, beat);
}

#undef ROWS
#undef ROWS_T
#undef ROWS_CNT
#undef ROWS_ERR
#undef ROWS_ARC
#undef ROWS_HASH
#undef ROWS_LED
#undef ROWS_IS
#undef ROWS_ADDR
#undef ROWS_KEY
#undef ROWS_EVENTS
#undef ROWS_IGNORED
#undef ROWS_LEAD
#undef ROWS_HEADS
#undef ROWS_REST
#undef ROWS_CHAIN
#undef ROWS_UNROLL
#undef ROWS_LATE
#undef ROWS_LOOKED
#undef ROWS_AT
#undef ROWS_END
#undef ROWS_UNIT
#undef ROWS_BASE
#undef ROWS_LINK
#undef ROWS_FIRST
#undef ROWS_NIL
#undef ROWS_FN
#undef ROWS_JOIN
#undef ROWS_JOIN_
