/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_axi_lane.h -- beats of one AXI channel, between registers at both ends
 *
 * The C twin of rtl/ace_axi_lane.v.  It is a part of ace_axi_split, so what that uses are calls:
 * room and some are of the state before an edge, and one tick is the edge.  A beat has the
 * members of all channels; each channel uses its own.
 */
#ifndef ACE_AXI_LANE_H
#define ACE_AXI_LANE_H

#include "ace_state.h"
#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ACE_AXI_ROWS_MIN = 4, /* beats that a lane holds, a power of two */
    ACE_AXI_ROWS_MAX = 16,
    ACE_AXI_BEAT_WORDS = 1024 / 64, /* AXI stops at 1024 bits */
    ACE_AXI_STROBE_WORDS = 1024 / 8 / 64
};

typedef struct ace_axi_beat {
    uint64_t data[ACE_AXI_BEAT_WORDS], strb[ACE_AXI_STROBE_WORDS]; /* low first */
    uint64_t addr;
    uint8_t len, prot, cache, qos, resp, id;
    bool last;
} ace_axi_beat;

typedef struct ace_axi_lane {
    bool took;              /* a beat was taken in the cycle before, and is `taken` */
    uint32_t count, wr, rd; /* of `held` */
    ace_axi_beat taken, held[ACE_AXI_ROWS_MAX], data;
} ace_axi_lane;

static inline void ace_axi_lane_reset(ace_axi_lane *l) {
    l->took = false;
    l->count = l->wr = l->rd = 0;
}

/* May the parent be ready in the next cycle?  `ready`: it is in this one.  rows: as made. */
static inline bool ace_axi_lane_room(const ace_axi_lane *l, uint32_t rows, bool ready) {
    return l->count + l->took + ready < rows;
}

static inline bool ace_axi_lane_some(const ace_axi_lane *l) { return l->took || l->count != 0; }

/* A rising edge.  beat: one that is taken, or NULL; load, only where there is some: the oldest
 * becomes `data`. */
static inline void ace_axi_lane_tick(ace_axi_lane *l, uint32_t rows, const ace_axi_beat *beat,
                                     bool load) {
    const bool held = l->count != 0, keep = l->took && !(load && !held), gone = load && held;

    if (load) l->data = held ? l->held[l->rd] : l->taken;
    if (keep) l->held[l->wr] = l->taken;
    l->wr = (l->wr + keep) & (rows - 1);
    l->rd = (l->rd + gone) & (rows - 1);
    l->count = l->count + keep - gone;
    l->took = beat != NULL;
    if (beat) l->taken = *beat;
}

/* Checks the invariants of a loaded lane. */
static inline void ace_axi_lane_check(const ace_axi_lane *l, uint32_t rows, ace_state *s) {
    ACE_STATE_BOOLS(s, "ace_axi_lane.took", &l->took);
    ace_state_must(s, l->count + l->took <= rows, "ace_axi_lane.count");
    ace_state_must(s,
                   l->wr < rows && l->rd < rows && ((l->wr - l->rd - l->count) & (rows - 1)) == 0,
                   "ace_axi_lane.wr");
    for (unsigned i = 0; i < ACE_AXI_ROWS_MAX; i++)
        ACE_STATE_BOOLS(s, "ace_axi_lane.last", &l->held[i].last);
    ACE_STATE_BOOLS(s, "ace_axi_lane.last", &l->taken.last, &l->data.last);
}

#ifdef __cplusplus
}
#endif
#endif
