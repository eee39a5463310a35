/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_wire_decode.h -- a row of 64 FP32 numbers from the format of the wire
 *
 * The C twin of rtl/ace_wire_decode.v; the contract is there.  A node calls ace_wire_decode_row()
 * and ace_wire_round_row(); the pin form is the module with TAKEN, for tests.
 */
#ifndef ACE_WIRE_DECODE_H
#define ACE_WIRE_DECODE_H

#include "ace_wire_encode.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Decodes a row of the wire.  row has ACE_ROW_WORDS words, and may be `wire`. */
void ace_wire_decode_row(unsigned format, const uint32_t *wire, uint32_t *row);
/* Rounds the numbers of a row as a wire would: encodes and decodes it.  No format: nothing changes.
 */
void ace_wire_round_row(unsigned format, uint32_t *row);

/* ---- the pin form ---- */

#define ACE_WIRE_DECODE_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    WORD(uint8_t, cfg_format, 3)                                     \
    BIT(s_valid)                                                     \
    ROW(s_data)

#define ACE_WIRE_DECODE_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) ROW(m_data)

typedef struct ace_wire_decode_in {
    ACE_PORTS(ACE_WIRE_DECODE_INPUTS)
} ace_wire_decode_in;
typedef struct ace_wire_decode_out {
    ACE_PORTS(ACE_WIRE_DECODE_OUTPUTS)
} ace_wire_decode_out;

typedef struct ace_wire_decode {
    bool took, shown; /* has a row come in the last cycle, and in any? */
    ace_row row;
} ace_wire_decode;

int ace_wire_decode_create(ace_wire_decode **d); /* ACE_OK or ACE_ENOMEM */
void ace_wire_decode_destroy(ace_wire_decode *d);
static inline void ace_wire_decode_reset(ace_wire_decode *d) { (void)d; } /* there is none */
static inline void ace_wire_decode_eval(const ace_wire_decode *d, ace_wire_decode_out *out) {
    out->m_data = d->shown ? d->row : NULL;
}
void ace_wire_decode_tick(ace_wire_decode *d, const ace_wire_decode_in *in);
static inline bool ace_wire_decode_idle(const ace_wire_decode *d) { return !d->took; }
static inline void ace_wire_decode_skip(ace_wire_decode *d, uint64_t cycles) {
    (void)d;
    (void)cycles;
}

#ifdef __cplusplus
}
#endif
#endif
