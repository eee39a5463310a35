/* SPDX-License-Identifier: Apache-2.0 */
/*
 * placement.c -- maps the axes of a strategy to parts of the fabric's dimensions
 *
 * An axis has legs: each is a part of a dimension with an extent and a stride. Without a text, an
 * axis fills what is left of a dimension and then takes part of the next. A text gives whole
 * dimensions to an axis.
 */
#include "placement.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char letters[] = ACE_DIMENSION_LETTERS;

static bool fault(strategy_fault *why, size_t column, const char *found, const char *expected) {
    why->column = column;
    snprintf(why->found, sizeof why->found, "%s", found);
    snprintf(why->expected, sizeof why->expected, "%s", expected);
    return false;
}

/* ---- ranks in the order of the nodes ------------------------------------------------------- */

/* Each axis takes what is left of a dimension, then the next dimension. A degree that does not fit
 * is refused, because no product of parts of dimensions has this size. */
static bool in_order(placement *p, strategy_fault *why) {
    uint32_t used = 1; /* of dimension d */
    uint8_t d = 0;

    for (axis a = 0; a < AXES; a++) {
        placement_axis *at = &p->axis[a];
        uint64_t need = p->degree[a];

        while (need > 1) {
            uint32_t left = p->ring[d] / used, take;

            if (left == 1) {
                d++;
                used = 1;
                continue;
            }
            take = need % left ? (uint32_t)need : left;
            if (left % take) {
                snprintf(why->found, sizeof why->found,
                         "%s%" PRIu64 " over %c, of which %u nodes are left", axis_names[a],
                         p->degree[a], letters[d], left);
                snprintf(why->expected, sizeof why->expected,
                         "degrees that divide the dimensions one by one, tp first");
                why->column = 0;
                return false;
            }
            at->leg[at->legs++] = (placement_leg){ d, take, used };
            used *= take;
            need /= take;
        }
    }
    return true;
}

/* ---- along dimensions that a person names -------------------------------------------------- */

static bool take_axis(placement *p, const char *word, size_t n, size_t column, unsigned *seen,
                      strategy_fault *why) {
    axis a = 0;
    uint64_t product = 1;
    char found[96], expected[160];

    while (a < AXES && (n < 3 || strncmp(word, axis_names[a], 2) || word[2] != ':')) a++;
    snprintf(found, sizeof found, "'%.*s'", (int)(n < 60 ? n : 60), word);
    if (a == AXES)
        return fault(why, column, found, "tp, cp, dp or pp, a colon and dimensions: tp:xy");
    if (p->axis[a].legs) return fault(why, column, found, "each kind of parallelism once");
    for (size_t i = 3; i < n; i++) {
        const char *at = strchr(letters, word[i]);
        const uint8_t d = at && *at ? (uint8_t)(at - letters) : ACE_CLUSTER_DIMENSIONS;

        snprintf(found, sizeof found, "'%c'", word[i]);
        if (d >= ACE_CLUSTER_DIMENSIONS || *seen >> d & 1)
            return fault(why, column + i, found, "dimensions x, y, z or w, each once");
        *seen |= 1U << d;
        product *= p->ring[d];
        p->axis[a].leg[p->axis[a].legs++] = (placement_leg){ d, p->ring[d], 1 };
    }
    if (product == p->degree[a]) return true;
    snprintf(found, sizeof found, "%.*s of %" PRIu64 " nodes", (int)n, word, product);
    snprintf(expected, sizeof expected,
             "dimensions of together %" PRIu64 " nodes, the degree of %s", p->degree[a],
             axis_names[a]);
    return fault(why, column, found, expected);
}

static bool by_text(placement *p, const char *text, strategy_fault *why) {
    const char *at = text;
    unsigned seen = 0;

    for (;;) {
        const size_t n = strcspn(at, ",");

        if (!take_axis(p, at, n, (size_t)(at - text) + 1, &seen, why)) return false;
        at += n;
        if (!*at) break;
        at++;
    }
    for (axis a = 0; a < AXES; a++) {
        char expected[64];

        snprintf(expected, sizeof expected, "dimensions of %s", axis_names[a]);
        if (p->degree[a] > 1 && !p->axis[a].legs)
            return fault(why, strlen(text) + 1, "the end", expected);
    }
    return true;
}

/* ---- all of it ----------------------------------------------------------------------------- */

bool placement_make(const strategy *s, const uint16_t ring[ACE_CLUSTER_DIMENSIONS],
                    const char *text, placement *p, strategy_fault *why) {
    uint64_t nodes = 1;

    *p = (placement){ 0 };
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        p->ring[d] = ring[d] ? ring[d] : 1;
        nodes *= p->ring[d];
    }
    memcpy(p->degree, s->degree, sizeof p->degree);
    if (nodes != strategy_ranks(s)) {
        why->column = 0;
        snprintf(why->found, sizeof why->found, "a fabric of %" PRIu64 " nodes", nodes);
        snprintf(why->expected, sizeof why->expected, "%" PRIu64 " nodes, one for each rank",
                 strategy_ranks(s));
        return false;
    }
    if (!(text ? by_text(p, text, why) : in_order(p, why))) return false;
    for (axis a = 0; a < AXES; a++) {
        p->axis[a].whole = true;
        for (unsigned i = 0; i < p->axis[a].legs; i++)
            if (p->axis[a].leg[i].extent != p->ring[p->axis[a].leg[i].dimension])
                p->axis[a].whole = false;
    }
    return true;
}

uint64_t placement_node(const placement *p, const uint64_t index[AXES]) {
    uint64_t node = 0;

    for (axis a = 0; a < AXES; a++) {
        uint64_t i = index[a];

        for (unsigned l = 0; l < p->axis[a].legs; l++) {
            const placement_leg *leg = &p->axis[a].leg[l];
            uint64_t stride = leg->stride;

            for (unsigned d = 0; d < leg->dimension; d++) stride *= p->ring[d];
            node += i % leg->extent * stride;
            i /= leg->extent;
        }
    }
    return node;
}

void placement_indices(const placement *p, uint64_t rank, uint64_t index[AXES]) {
    for (axis a = 0; a < AXES; a++) {
        index[a] = rank % p->degree[a];
        rank /= p->degree[a];
    }
}
