/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_wire_encode.h -- a row of 64 FP32 numbers in the format of the wire
 *
 * The C twin of rtl/ace_wire_encode.v; the contract is there.  A node calls ace_wire_encode_row();
 * the pin form is for tests.
 */
#ifndef ACE_WIRE_ENCODE_H
#define ACE_WIRE_ENCODE_H

#include "ace_ports.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ACE_WIRE_ENCODE_CYCLES = 3, ACE_WIRE_BLOCK = 32 /* numbers with one scale */ };

/* A format's FP8 numbers: bits of exponent and fraction. */
typedef struct ace_wire_float {
    int exp_w, man_w;
} ace_wire_float;
static inline ace_wire_float ace_wire_float_of(unsigned format) {
    return format == ACE_WIRE_E5M2 ? (ace_wire_float){ 5, 2 } : (ace_wire_float){ 4, 3 };
}

/* Bytes of a row on the wire.  format: an ace_wire_format, or a greater number, which means MXFP8.
 */
static inline unsigned ace_wire_bytes(unsigned format) {
    static const unsigned bytes[] = { 256, 128, 64, 64, 66 };
    return bytes[format < ACE_WIRE_FORMATS ? format : ACE_WIRE_MXFP8];
}
/* The cycles that a packet of a row takes on a link, Q16.8, from the cycles of a row with no
 * format.  A part of the last place is left out. */
static inline uint32_t ace_wire_cost(unsigned format, uint32_t cost) {
    switch (format) {
    case ACE_WIRE_NONE: return cost;
    case ACE_WIRE_BF16: return cost >> 1;
    case ACE_WIRE_E4M3:
    case ACE_WIRE_E5M2: return cost >> 2;
    default: return (cost >> 2) + (cost >> 7);
    }
}

/* Encodes a row.  wire has ACE_ROW_WORDS words, and may be `row`. */
void ace_wire_encode_row(unsigned format, const uint32_t *row, uint32_t *wire);

/* ---- the pin form ---- */

#define ACE_WIRE_ENCODE_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    WORD(uint8_t, cfg_format, 3)                                     \
    BIT(s_valid)                                                     \
    ROW(s_data)

#define ACE_WIRE_ENCODE_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) ROW(m_data)

typedef struct ace_wire_encode_in {
    ACE_PORTS(ACE_WIRE_ENCODE_INPUTS)
} ace_wire_encode_in;
typedef struct ace_wire_encode_out {
    ACE_PORTS(ACE_WIRE_ENCODE_OUTPUTS)
} ace_wire_encode_out;

/* A row is encoded as it enters and waits in the stages.  Zeros are a start; m_data is there after
 * the first row. */
typedef struct ace_wire_encode {
    bool valid[ACE_WIRE_ENCODE_CYCLES]; /* has the stage a row that moves on? */
    bool shown;                         /* has a row come out? */
    ace_row row[ACE_WIRE_ENCODE_CYCLES];
} ace_wire_encode;

int ace_wire_encode_create(ace_wire_encode **e); /* ACE_OK or ACE_ENOMEM */
void ace_wire_encode_destroy(ace_wire_encode *e);
void ace_wire_encode_reset(ace_wire_encode *e); /* there is no reset: rows inside stay */
void ace_wire_encode_eval(const ace_wire_encode *e, ace_wire_encode_out *out);
void ace_wire_encode_tick(ace_wire_encode *e, const ace_wire_encode_in *in);
bool ace_wire_encode_idle(const ace_wire_encode *e);
static inline void ace_wire_encode_skip(ace_wire_encode *e, uint64_t cycles) {
    (void)e;
    (void)cycles;
}

#ifdef __cplusplus
}
#endif
#endif
