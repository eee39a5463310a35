/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_scratchpad.c -- the twin of rtl/ace_scratchpad.v: rows without their check words
 *
 * The code is linear, so the decoder sees the flipped bits alone. A row without flips is returned
 * as a pointer into its bank. An edge first reports what was read two cycles before, then applies
 * the writes and the upset. Last it keeps the writes that are given now. The pins copy rows, and
 * read before they write.
 */
#include "ace_scratchpad.h"

#include <stdlib.h>
#include <string.h>

#include "ace_row_code.h"
#include "ace_secded_decode.h"

int ace_scratchpad_create(unsigned bank_rows, unsigned sub_banks, bool payload, ace_scratchpad *s) {
    *s = (ace_scratchpad){ .failed = false };
    return ace_scratchpad_banks_create(bank_rows, sub_banks, payload, &s->banks);
}

void ace_scratchpad_destroy(ace_scratchpad *s) { ace_scratchpad_banks_destroy(&s->banks); }

void ace_scratchpad_reset(ace_scratchpad *s) {
    s->failed = false;
    s->corrected = s->failures = 0;
    memset(s->errors, 0, sizeof s->errors);
    s->given = s->banks.reads = s->banks.fault_step = 0;
    for (unsigned i = 0; i < ACE_BANKS; i++) s->banks.bank[i].waits = 0;
}

static bool is_index(const ace_scratchpad *s, ace_row_index p) {
    return p.bank < ACE_BANKS && p.row < s->banks.bank_rows;
}

static void check(const ace_scratchpad *s, ace_state *state) {
    ACE_STATE_BOOLS(state, "ace_scratchpad.failed", &s->failed);
    ace_state_must(state, s->extra < ACE_SCRATCHPAD_EXTRA, "ace_scratchpad.extra");
    ace_state_must(state, s->given <= ACE_SCRATCHPAD_WRITES, "ace_scratchpad.given");
    for (unsigned i = 0; ace_state_loaded(state) && i < s->given; i++)
        ace_state_must(state, is_index(s, s->give[i]), "ace_scratchpad.give");
    for (unsigned i = 0; i < ACE_READ_CYCLES; i++)
        ace_state_must(state, !(s->errors[i].failing >> ACE_SCRATCHPAD_READS),
                       "ace_scratchpad.errors");
    for (unsigned i = 0; i < ACE_BANKS; i++) {
        const ace_bank *b = &s->banks.bank[i];
        ace_state_must(state, s->banks.sub_banks > 1 ? !(b->waits >> ACE_BANK_WAITS) : !b->waits,
                       "ace_bank.waits");
    }
    ace_state_must(state, s->banks.fault_step <= 3, "ace_scratchpad_banks.fault_step");
    ace_state_must(state, !s->banks.fault_step || s->banks.fault.bank < ACE_BANKS,
                   "ace_scratchpad_banks.fault");
}

void ace_scratchpad_state(ace_scratchpad *s, ace_state *state) {
    const unsigned bank_rows = s->banks.bank_rows, sub_banks = s->banks.sub_banks;
    bool flips = s->banks.flips != NULL;
    ACE_STATE(state, flips);
    ACE_STATE_BOOLS(state, "ace_scratchpad_banks.flips", &flips);
    ACE_STATE_BUT(state, *s, &s->banks.rows, &s->banks.flips);
    ace_state_must(state, s->banks.bank_rows == bank_rows && s->banks.sub_banks == sub_banks,
                   "ace_scratchpad_banks.bank_rows");
    if (ace_state_loaded(state)) check(s, state);
    if (state->failed) return;
    ace_scratchpad_banks_state(&s->banks, flips, state);
}

/* Out of line: only rows that were upset come here with anything to do. */
const uint32_t *ace_scratchpad_decode(ace_scratchpad *s, ace_read_port port, unsigned bank,
                                      unsigned row) {
    static const ace_stored_row none;
    ace_scratchpad_banks *const b = &s->banks;
    const size_t at = bank * b->bank_rows + row;
    ace_stored_row left; /* flips, and then what the decoder leaves wrong */
    memcpy(left, b->flips[at], sizeof left);
    if (!memcmp(left, none, sizeof left)) return ace_scratchpad_row(s, bank, row);
    switch (ace_secded_decode(left)) {
    case ACE_SECDED_FAILED:
        s->errors[0].failing = (uint8_t)(s->errors[0].failing | 1u << port);
        s->errors[0].reading[port] = (ace_row_index){ (uint8_t)bank, (uint16_t)row };
        break;
    case ACE_SECDED_CORRECTED: s->errors[0].corrected++; break;
    case ACE_SECDED_RIGHT: break; /* flips that are a codeword themselves: nobody sees them */
    }
    if (!b->rows || !memcmp(left, none, sizeof(ace_row))) return ace_scratchpad_row(s, bank, row);
    uint32_t *to = b->rows[ace_scratchpad_banks_extra(b, port, s->extra)];
    for (unsigned w = 0; w < ACE_ROW_WORDS; w++) to[w] = b->rows[at][w] ^ left[w];
    return to;
}

/* Reports the errors of rows that were read two cycles ago, which reach their ports in the next
 * cycle. */
static void count_errors(ace_scratchpad *s) {
    const ace_scratchpad_errors *t = &s->errors[ACE_READ_CYCLES - 1];
    s->corrected += t->corrected;
    s->failures += (unsigned)__builtin_popcount(t->failing);
    if (t->failing && !s->failed) {
        s->failed = true;
        s->failed_at = t->reading[__builtin_ctz(t->failing)];
    }
    memmove(&s->errors[1], &s->errors[0], sizeof s->errors - sizeof s->errors[0]);
    s->errors[0] = (ace_scratchpad_errors){ 0 };
    s->extra = (s->extra + 1) % ACE_SCRATCHPAD_EXTRA;
}

void ace_scratchpad_edge(ace_scratchpad *s, const ace_fault *fault, const ace_row_index written[],
                         unsigned count) {
    unsigned writes = 0;
    count_errors(s);
    for (unsigned i = 0; i < s->given; i++) {
        ace_scratchpad_banks_written(&s->banks, s->give[i]);
        writes |= 1u << s->give[i].bank;
    }
    if (s->banks.sub_banks > 1) ace_scratchpad_banks_tick(&s->banks, s->give, s->given);
    if (!ace_scratchpad_banks_upset(&s->banks, writes, fault) && !s->failed) {
        s->failed = true; /* what cannot be followed is what cannot be corrected */
        s->failed_at = (ace_row_index){ s->banks.fault.bank, s->banks.fault.row };
    }
    s->given = (uint8_t)count;
    memcpy(s->give, written, count * sizeof *written);
}

bool ace_scratchpad_idle(const ace_scratchpad *s) {
    unsigned waits = 0;
    for (unsigned i = 0; i < ACE_BANKS; i++) waits |= s->banks.bank[i].waits;
    return !waits;
}

void ace_scratchpad_skip(ace_scratchpad *s, uint64_t cycles) {
    const ace_row_index none[1] = { { 0, 0 } };
    if (s->banks.sub_banks == 1) return;
    for (uint64_t c = 0; c < cycles && (s->given || !ace_scratchpad_idle(s)); c++)
        ace_scratchpad_edge(s, NULL, none, 0);
}

int ace_scratchpad_pins_create(unsigned bank_rows, unsigned sub_banks, bool payload,
                               ace_scratchpad_pins **pins) {
    ace_scratchpad_pins *p = calloc(1, sizeof *p);
    if (!p) return ACE_ENOMEM;
    if (ace_scratchpad_create(bank_rows, sub_banks, payload, &p->scratchpad) != ACE_OK) {
        free(p);
        return ACE_ENOMEM;
    }
    *pins = p;
    return ACE_OK;
}

void ace_scratchpad_pins_destroy(ace_scratchpad_pins *p) {
    if (!p) return;
    ace_scratchpad_destroy(&p->scratchpad);
    free(p);
}

/* Writes the rows that were given in the last cycle. */
static void write_given(ace_scratchpad_pins *p) {
    const ace_scratchpad *s = &p->scratchpad;
    for (unsigned i = 0; i < s->given; i++)
        ace_row_copy(ace_scratchpad_row(s, s->give[i].bank, s->give[i].row), p->data[i]);
}

void ace_scratchpad_pins_reset(ace_scratchpad_pins *p) {
    write_given(p);
    ace_scratchpad_reset(&p->scratchpad);
    memset(p->coming, 0, sizeof p->coming);
}

void ace_scratchpad_pins_eval(const ace_scratchpad_pins *p, ace_scratchpad_pins_out *out) {
    const uint32_t *row[ACE_SCRATCHPAD_READS];
    for (unsigned i = 0; i < ACE_SCRATCHPAD_READS; i++)
        row[i] = p->scratchpad.banks.rows && p->read[i] ? p->row[i] : NULL;
    out->m_reduce_data = row[0];
    out->m_unload_data = row[1];
    out->m_plus_data = row[2];
    out->m_minus_data = row[3];
    out->m_reduce_code = ace_row_code_of(row[0]);
    out->m_unload_code = ace_row_code_of(row[1]);
    out->m_plus_code = ace_row_code_of(row[2]);
    out->m_minus_code = ace_row_code_of(row[3]);
    out->m_pause = ace_scratchpad_m_pause(&p->scratchpad);
    out->count_corrected = p->scratchpad.corrected;
    out->count_failed = p->scratchpad.failures;
    out->failed = p->scratchpad.failed;
    out->failed_bank = p->scratchpad.failed_at.bank;
    out->failed_row = p->scratchpad.failed_at.row;
}

/* Marks a bank as used in this cycle; false when it was, or when the row is past its end. */
static bool claim(const ace_scratchpad *s, unsigned *used, uint8_t bank, uint16_t row) {
    const unsigned bit = 1u << bank;
    const bool free_ = !(*used & bit) && row < s->banks.bank_rows;
    *used |= bit;
    return free_;
}

static void read_row(ace_scratchpad_pins *p, unsigned *used, ace_read_port port, bool valid,
                     uint8_t bank, uint16_t row) {
    if (!valid) return;
    if (!claim(&p->scratchpad, used, bank, row)) {
        p->protocol_error = true;
        return;
    }
    p->coming[0] = (uint8_t)(p->coming[0] | 1u << port);
    ace_row_copy(p->come[0][port], ace_scratchpad_read(&p->scratchpad, port, bank, row));
}

/* Zeros come to the reduce port as a row would, and no bank is read. */
static void read_padding(ace_scratchpad_pins *p) {
    if (p->coming[0] >> ACE_READ_REDUCE & 1) p->protocol_error = true;
    p->coming[0] = (uint8_t)(p->coming[0] | 1u << ACE_READ_REDUCE);
    memset(p->come[0][ACE_READ_REDUCE], 0, sizeof p->come[0][ACE_READ_REDUCE]);
}

static void write_row(ace_scratchpad_pins *p, unsigned *used, bool valid, ace_row_index at,
                      const uint32_t *data, ace_row_index written[], unsigned *count) {
    if (!valid) return;
    if (!claim(&p->scratchpad, used, at.bank, at.row)) {
        p->protocol_error = true;
        return;
    }
    ace_row_copy(p->data[*count], data);
    written[(*count)++] = at;
}

/* Rows that were read two cycles ago reach their ports; rows read in the last cycle move on. */
static void come(ace_scratchpad_pins *p) {
    for (unsigned port = 0; port < ACE_SCRATCHPAD_READS; port++) {
        if (p->coming[1] >> port & 1) {
            p->read[port] = true;
            ace_row_copy(p->row[port], p->come[1][port]);
        }
        if (p->coming[0] >> port & 1) ace_row_copy(p->come[1][port], p->come[0][port]);
    }
    p->coming[1] = p->coming[0];
    p->coming[0] = 0;
}

/* Reads first: a row that is read while it is written is read as it was. */
void ace_scratchpad_pins_tick(ace_scratchpad_pins *p, const ace_scratchpad_pins_in *in) {
    unsigned reads = 0, writes = 0, count = 0;
    ace_row_index written[ACE_SCRATCHPAD_WRITES];
    come(p);
    read_row(p, &reads, ACE_READ_REDUCE, in->s_reduce_valid, in->s_reduce_bank, in->s_reduce_row);
    if (in->s_reduce_zero) read_padding(p);
    read_row(p, &reads, ACE_READ_UNLOAD, in->s_unload_valid, in->s_unload_bank, in->s_unload_row);
    read_row(p, &reads, ACE_READ_PLUS, in->s_plus_valid, in->s_plus_bank, in->s_plus_row);
    read_row(p, &reads, ACE_READ_MINUS, in->s_minus_valid, in->s_minus_bank, in->s_minus_row);
    write_given(p);
    write_row(p, &writes, in->s_reduced_valid,
              (ace_row_index){ in->s_reduced_bank, in->s_reduced_row }, in->s_reduced_data, written,
              &count);
    write_row(p, &writes, in->s_store_valid, (ace_row_index){ in->s_store_bank, in->s_store_row },
              in->s_store_data, written, &count);
    write_row(p, &writes, in->s_load_valid, (ace_row_index){ in->s_load_bank, in->s_load_row },
              in->s_load_data, written, &count);
    const ace_fault fault = { in->s_fault_bank, in->s_fault_word, in->s_fault_row,
                              in->s_fault_mask };
    ace_scratchpad_edge(&p->scratchpad, in->s_fault_valid ? &fault : NULL, written, count);
}

/* Is nothing in flight: no row read or given, no upset, no error report? */
bool ace_scratchpad_pins_idle(const ace_scratchpad_pins *p) {
    static const ace_scratchpad_errors nothing[ACE_READ_CYCLES];
    const ace_scratchpad *s = &p->scratchpad;
    return !p->coming[0] && !p->coming[1] && !s->given && !s->banks.fault_step &&
           ace_scratchpad_idle(s) && !memcmp(s->errors, nothing, sizeof nothing);
}

void ace_scratchpad_pins_skip(ace_scratchpad_pins *p, uint64_t cycles) {
    (void)p;
    (void)cycles;
}
