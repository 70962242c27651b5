/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Building a snapshot out of parts, of which equal ones are kept once. */
#ifndef SNAPSHOT_BUILD_H
#define SNAPSHOT_BUILD_H

#include "store.h"

struct builder {
    struct snapshot *s;
    bool by_address; /* functions with the same name at other addresses are others */
    struct dedupe mappings, functions, locations, samples;
};

/* Each gives the number of the part, SNAPSHOT_NONE: no memory. Texts are those of the snapshot. */
uint32_t build_mapping(struct builder *b, const struct snapshot_mapping *mapping);
uint32_t build_function(struct builder *b, const struct snapshot_function *function);
uint32_t build_location(struct builder *b, const struct snapshot_location *location,
                        const struct snapshot_line *lines);

/* Adds the values to those of an equal sample, if there is one. false: no memory, or *overflow. */
bool build_sample(struct builder *b, const struct snapshot_sample *sample, const uint32_t *frames,
                  const struct snapshot_label *labels, const int64_t *values, bool *overflow);
bool build_comment(struct snapshot *s, const char *text);
bool build_type(struct snapshot *s, const char *name, const char *unit);

/* Puts all parts into an order that does not depend on the one they came in, and ends building.
 * false: no memory. */
bool build_finish(struct builder *b);
void build_free(struct builder *b);

#endif
