/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_scratchpad_banks.c -- the twin of rtl/ace_scratchpad_banks.v: memory and upsets
 *
 * Flips are allocated at the first upset. An upset takes three steps, in cycles in which its bank
 * has no other access, and starts again when its bank is busy. The pauses of sub-banks are counted
 * by ace_bank.
 */
#include "ace_scratchpad_banks.h"

#include <stdlib.h>
#include <string.h>

int ace_scratchpad_banks_create(unsigned bank_rows, unsigned sub_banks, bool payload,
                                ace_scratchpad_banks *b) {
    *b = (ace_scratchpad_banks){ .bank_rows = bank_rows, .sub_banks = sub_banks };
    if (payload)
        b->rows = calloc(ace_scratchpad_banks_extra(b, ACE_SCRATCHPAD_READS, 0), sizeof *b->rows);
    return payload && !b->rows ? ACE_ENOMEM : ACE_OK;
}

void ace_scratchpad_banks_destroy(ace_scratchpad_banks *b) {
    free(b->rows);
    free(b->flips);
    b->rows = NULL;
    b->flips = NULL;
}

void ace_scratchpad_banks_state(ace_scratchpad_banks *b, bool flips, ace_state *state) {
    const size_t rows = ace_scratchpad_banks_rows(b);
    const size_t all = ace_scratchpad_banks_extra(b, ACE_SCRATCHPAD_READS, 0);
    if (b->rows) ace_state_bytes(state, b->rows, all * sizeof *b->rows);
    if (state->loading && !state->failed && flips != (b->flips != NULL)) {
        free(b->flips);
        b->flips = flips ? calloc(rows, sizeof *b->flips) : NULL;
        state->failed = flips && !b->flips;
    }
    if (flips && !state->failed) ace_state_bytes(state, b->flips, rows * sizeof *b->flips);
}

/* The row of an upset, by the bits that the RTL has for it. */
static unsigned fault_row(const ace_scratchpad_banks *b) {
    unsigned slots = 1;
    while (slots < b->bank_rows) slots *= 2;
    return b->fault.row % slots;
}

/* A row past the end of its bank is none. */
static bool flip_bits(ace_scratchpad_banks *b) {
    const ace_fault *f = &b->fault;
    const unsigned row = fault_row(b);
    if (row >= b->bank_rows || f->word >= ACE_STORED_WORDS) return true;
    if (!b->flips) b->flips = calloc(ace_scratchpad_banks_rows(b), sizeof *b->flips);
    if (b->flips) b->flips[f->bank * b->bank_rows + row][f->word] ^= f->mask;
    return b->flips != NULL;
}

bool ace_scratchpad_banks_m_pause(const ace_scratchpad_banks *b) {
    for (unsigned i = 0; i < ACE_BANKS; i++)
        if (ace_bank_m_pause(&b->bank[i])) return true;
    return false;
}

/* An upset reads its row and writes it as anybody does. */
void ace_scratchpad_banks_tick(ace_scratchpad_banks *b, const ace_row_index written[],
                               unsigned count) {
    int read[ACE_BANKS], write[ACE_BANKS];
    for (unsigned i = 0; i < ACE_BANKS; i++) {
        read[i] = b->reads >> i & 1 ? b->read_at[i] : ACE_BANK_NONE;
        write[i] = ACE_BANK_NONE;
    }
    for (unsigned i = 0; i < count; i++) write[written[i].bank] = written[i].row;
    const unsigned hit = b->fault.bank % ACE_BANKS;
    if (write[hit] == ACE_BANK_NONE) {
        if (b->fault_step == 1 && read[hit] == ACE_BANK_NONE) read[hit] = (int)fault_row(b);
        if (b->fault_step == 3) write[hit] = (int)fault_row(b);
    }
    for (unsigned i = 0; i < ACE_BANKS; i++)
        ace_bank_tick(&b->bank[i], b->sub_banks, read[i], write[i]);
}

bool ace_scratchpad_banks_upset(ace_scratchpad_banks *b, unsigned writes, const ace_fault *fault) {
    const bool idle = !(writes >> b->fault.bank & 1);
    const bool reads = b->reads >> b->fault.bank & 1;
    b->reads = 0;
    switch (b->fault_step) {
    case 0:
        if (!fault) return true;
        b->fault = *fault;
        b->fault_step = 1;
        return true;
    case 1: b->fault_step = idle && !reads ? 2 : 1; return true;
    case 2: b->fault_step = idle ? 3 : 1; return true;
    default: b->fault_step = !idle; return !idle || flip_bits(b);
    }
}

void ace_scratchpad_banks_written(ace_scratchpad_banks *b, ace_row_index at) {
    if (b->flips) memset(b->flips[at.bank * b->bank_rows + at.row], 0, sizeof *b->flips);
}
