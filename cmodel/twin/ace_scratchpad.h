/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_scratchpad.h -- the C twin of rtl/ace_scratchpad.v: banks of rows
 *
 * No unit reads a row before its write is reported.  The twin can therefore write as soon as a
 * write is decided, and return pointers to rows instead of registered copies.
 */
#ifndef ACE_SCRATCHPAD_H
#define ACE_SCRATCHPAD_H

#include "ace_scratchpad_banks.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ace_read_port {
    ACE_READ_REDUCE,
    ACE_READ_UNLOAD,
    ACE_READ_PLUS,
    ACE_READ_MINUS
} ace_read_port;

/* The error report for the rows that were read in a cycle. */
typedef struct ace_scratchpad_errors {
    uint8_t corrected, failing; /* number of rows; read ports with errors, a bit each */
    ace_row_index reading[ACE_SCRATCHPAD_READS];
} ace_scratchpad_errors;

typedef struct ace_scratchpad {
    ace_scratchpad_banks banks;
    bool failed;
    ace_row_index failed_at; /* the first one */
    uint32_t corrected, failures;
    ace_scratchpad_errors errors[ACE_READ_CYCLES]; /* of this cycle and the two before */
    uint8_t extra;                                 /* the row of each port that is written next */
    uint8_t given;                                 /* rows that the RTL writes in this cycle */
    ace_row_index give[ACE_SCRATCHPAD_WRITES];
} ace_scratchpad;

/* ACE_OK or ACE_ENOMEM. */
int ace_scratchpad_create(unsigned bank_rows, unsigned sub_banks, bool payload, ace_scratchpad *s);
void ace_scratchpad_destroy(ace_scratchpad *s);
/* Resets the counters and `failed`.  Stored rows and rows that wait to be written stay.  A unit
 * writes a row before it reads the row, so old rows do no harm. */
void ace_scratchpad_reset(ace_scratchpad *s);
void ace_scratchpad_state(ace_scratchpad *s, ace_state *state);

/* The row as it was written, or NULL in a timing-only run. */
static inline uint32_t *ace_scratchpad_row(const ace_scratchpad *s, unsigned bank, unsigned row) {
    return ace_scratchpad_banks_row(&s->banks, bank, row);
}

const uint32_t *ace_scratchpad_decode(ace_scratchpad *s, ace_read_port port, unsigned bank,
                                      unsigned row);
/* The row as a port reads it, valid for ACE_READ_CYCLES; NULL in a timing-only run. */
static inline const uint32_t *ace_scratchpad_read(ace_scratchpad *s, ace_read_port port,
                                                  unsigned bank, unsigned row) {
    s->banks.reads = (uint8_t)(s->banks.reads | 1u << bank);
    s->banks.read_at[bank] = (uint16_t)row;
    return s->banks.flips ? ace_scratchpad_decode(s, port, bank, row)
                          : ace_scratchpad_row(s, bank, row);
}

/* Is no unit allowed to begin a read in this cycle? */
static inline bool ace_scratchpad_m_pause(const ace_scratchpad *s) {
    return s->banks.sub_banks > 1 && ace_scratchpad_banks_m_pause(&s->banks);
}
/* Does no row wait to be written? */
bool ace_scratchpad_idle(const ace_scratchpad *s);
/* Skips cycles in which nothing is read or given; waiting rows are written meanwhile. */
void ace_scratchpad_skip(ace_scratchpad *s, uint64_t cycles);
/* The rising edge, called after the reads of the cycle.  fault: an upset, or NULL.  written: rows
 * given to be written, which the RTL writes a cycle later.  The call may be omitted in a cycle
 * without an upset while the banks are not watched. */
void ace_scratchpad_edge(ace_scratchpad *s, const ace_fault *fault, const ace_row_index written[],
                         unsigned count);

/* ---- the pin form: what tests drive ----
 *
 * A row that was read stays at its port until the port reads again, whatever is written meanwhile.
 * The pin form therefore needs the registered copies that the calls avoid.
 */

#define ACE_SCRATCHPAD_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(s_reduce_valid)                                             \
    FIELD(uint8_t, s_reduce_bank, 2, s_reduce_valid)                \
    FIELD(uint16_t, s_reduce_row, 12, s_reduce_valid)               \
    BIT(s_reduce_zero)                                              \
    BIT(s_unload_valid)                                             \
    FIELD(uint8_t, s_unload_bank, 2, s_unload_valid)                \
    FIELD(uint16_t, s_unload_row, 12, s_unload_valid)               \
    BIT(s_plus_valid)                                               \
    FIELD(uint8_t, s_plus_bank, 2, s_plus_valid)                    \
    FIELD(uint16_t, s_plus_row, 12, s_plus_valid)                   \
    BIT(s_minus_valid)                                              \
    FIELD(uint8_t, s_minus_bank, 2, s_minus_valid)                  \
    FIELD(uint16_t, s_minus_row, 12, s_minus_valid)                 \
    BIT(s_reduced_valid)                                            \
    FIELD(uint8_t, s_reduced_bank, 2, s_reduced_valid)              \
    FIELD(uint16_t, s_reduced_row, 12, s_reduced_valid)             \
    ROW(s_reduced_data)                                             \
    BIT(s_store_valid)                                              \
    FIELD(uint8_t, s_store_bank, 2, s_store_valid)                  \
    FIELD(uint16_t, s_store_row, 12, s_store_valid)                 \
    ROW(s_store_data)                                               \
    BIT(s_load_valid)                                               \
    FIELD(uint8_t, s_load_bank, 2, s_load_valid)                    \
    FIELD(uint16_t, s_load_row, 12, s_load_valid)                   \
    ROW(s_load_data)                                                \
    BIT(s_fault_valid)                                              \
    FIELD(uint8_t, s_fault_bank, 2, s_fault_valid)                  \
    FIELD(uint16_t, s_fault_row, 12, s_fault_valid)                 \
    FIELD(uint8_t, s_fault_word, 7, s_fault_valid)                  \
    FIELD(uint32_t, s_fault_mask, 32, s_fault_valid)

#define ACE_SCRATCHPAD_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    ROW(m_reduce_data)                                               \
    FIELD(uint32_t, m_reduce_code, 32, m_reduce_data)                \
    ROW(m_unload_data)                                               \
    FIELD(uint32_t, m_unload_code, 32, m_unload_data)                \
    ROW(m_plus_data)                                                 \
    FIELD(uint32_t, m_plus_code, 32, m_plus_data)                    \
    ROW(m_minus_data)                                                \
    FIELD(uint32_t, m_minus_code, 32, m_minus_data)                  \
    BIT(m_pause)                                                     \
    WORD(uint32_t, count_corrected, 32)                              \
    WORD(uint32_t, count_failed, 32)                                 \
    BIT(failed)                                                      \
    FIELD(uint8_t, failed_bank, 2, failed)                           \
    FIELD(uint16_t, failed_row, 12, failed)

typedef struct ace_scratchpad_pins_in {
    ACE_PORTS(ACE_SCRATCHPAD_INPUTS)
} ace_scratchpad_pins_in;
typedef struct ace_scratchpad_pins_out {
    ACE_PORTS(ACE_SCRATCHPAD_OUTPUTS)
} ace_scratchpad_pins_out;

typedef struct ace_scratchpad_pins {
    ace_scratchpad scratchpad;
    bool read[ACE_SCRATCHPAD_READS]; /* the port has read, so its row means something */
    ace_row row[ACE_SCRATCHPAD_READS];
    /* rows in flight to the ports: read in the last cycle, and in the one before, a bit a port */
    uint8_t coming[ACE_READ_CYCLES - 1];
    ace_row come[ACE_READ_CYCLES - 1][ACE_SCRATCHPAD_READS];
    ace_row data[ACE_SCRATCHPAD_WRITES]; /* of scratchpad.give */
    /* two ports named one bank, or a row lies beyond its bank: the pins are undefined from then on
     */
    bool protocol_error;
} ace_scratchpad_pins;

/* ACE_OK or ACE_ENOMEM. */
int ace_scratchpad_pins_create(unsigned bank_rows, unsigned sub_banks, bool payload,
                               ace_scratchpad_pins **pins);
void ace_scratchpad_pins_destroy(ace_scratchpad_pins *p); /* NULL is allowed */
void ace_scratchpad_pins_reset(ace_scratchpad_pins *p);
void ace_scratchpad_pins_eval(const ace_scratchpad_pins *p, ace_scratchpad_pins_out *out);
void ace_scratchpad_pins_tick(ace_scratchpad_pins *p, const ace_scratchpad_pins_in *in);
bool ace_scratchpad_pins_idle(const ace_scratchpad_pins *p);
void ace_scratchpad_pins_skip(ace_scratchpad_pins *p, uint64_t cycles);

#ifdef __cplusplus
}
#endif

#endif
