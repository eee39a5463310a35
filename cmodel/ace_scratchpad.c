/* SPDX-License-Identifier: Apache-2.0 */
#include "ace_scratchpad.h"

#include <stdlib.h>

int ace_scratchpad_create(unsigned bank_rows, bool payload, ace_scratchpad *s) {
    s->bank_rows = bank_rows;
    s->rows = payload ? calloc((size_t)bank_rows * ACE_BANKS, sizeof *s->rows) : NULL;
    return payload && !s->rows ? ACE_ENOMEM : ACE_OK;
}

void ace_scratchpad_destroy(ace_scratchpad *s) {
    free(s->rows);
    s->rows = NULL;
}

void ace_scratchpad_state(ace_scratchpad *s, ace_state *state) {
    if (s->rows)
        ace_state_bytes(state, s->rows, (size_t)s->bank_rows * ACE_BANKS * sizeof *s->rows);
}

int ace_scratchpad_pins_create(unsigned bank_rows, bool payload, ace_scratchpad_pins **pins) {
    ace_scratchpad_pins *p = calloc(1, sizeof *p);
    if (!p) return ACE_ENOMEM;
    if (ace_scratchpad_create(bank_rows, payload, &p->scratchpad) != ACE_OK) {
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

void ace_scratchpad_pins_reset(ace_scratchpad_pins *p) { (void)p; }

void ace_scratchpad_pins_eval(const ace_scratchpad_pins *p, ace_scratchpad_pins_out *out) {
    const uint32_t *row[ACE_SCRATCHPAD_READS];
    for (unsigned i = 0; i < ACE_SCRATCHPAD_READS; i++)
        row[i] = p->scratchpad.rows && p->read[i] ? p->row[i] : NULL;
    out->m_reduce_data = row[0];
    out->m_unload_data = row[1];
    out->m_plus_data = row[2];
    out->m_minus_data = row[3];
}

/* Marks a bank as used in this cycle; false when it was, or when the row is past its end. */
static bool claim(const ace_scratchpad *s, unsigned *used, uint8_t bank, uint16_t row) {
    const unsigned bit = 1u << bank;
    const bool free_ = !(*used & bit) && row < s->bank_rows;
    *used |= bit;
    return free_;
}

static void read_row(ace_scratchpad_pins *p, unsigned *used, unsigned port, bool valid,
                     uint8_t bank, uint16_t row) {
    if (!valid) return;
    if (!claim(&p->scratchpad, used, bank, row)) {
        p->protocol_error = true;
        return;
    }
    p->read[port] = true;
    ace_row_copy(p->row[port], ace_scratchpad_row(&p->scratchpad, bank, row));
}

static void write_row(ace_scratchpad_pins *p, unsigned *used, bool valid, uint8_t bank,
                      uint16_t row, const uint32_t *data) {
    if (!valid) return;
    if (!claim(&p->scratchpad, used, bank, row)) {
        p->protocol_error = true;
        return;
    }
    ace_row_copy(ace_scratchpad_row(&p->scratchpad, bank, row), data);
}

/* Reads first: a row that is read while it is written is read as it was. */
void ace_scratchpad_pins_tick(ace_scratchpad_pins *p, const ace_scratchpad_pins_in *in) {
    unsigned reads = 0, writes = 0;
    read_row(p, &reads, 0, in->s_reduce_valid, in->s_reduce_bank, in->s_reduce_row);
    read_row(p, &reads, 1, in->s_unload_valid, in->s_unload_bank, in->s_unload_row);
    read_row(p, &reads, 2, in->s_plus_valid, in->s_plus_bank, in->s_plus_row);
    read_row(p, &reads, 3, in->s_minus_valid, in->s_minus_bank, in->s_minus_row);
    write_row(p, &writes, in->s_reduced_valid, in->s_reduced_bank, in->s_reduced_row,
              in->s_reduced_data);
    write_row(p, &writes, in->s_store_valid, in->s_store_bank, in->s_store_row, in->s_store_data);
    write_row(p, &writes, in->s_load_valid, in->s_load_bank, in->s_load_row, in->s_load_data);
}

/* Without input, nothing ever changes. */
bool ace_scratchpad_pins_idle(const ace_scratchpad_pins *p) {
    (void)p;
    return true;
}

void ace_scratchpad_pins_skip(ace_scratchpad_pins *p, uint64_t cycles) {
    (void)p;
    (void)cycles;
}
