/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_bank.c -- the twin of rtl/ace_bank.v: one edge of the list of waiting rows
 *
 * A write that meets a read in its sub-bank waits in a slot. Each cycle writes the lowest slot
 * whose sub-bank is free. A later write of the same row replaces a waiting one. Slots are bits of
 * a mask.
 */
#include "ace_bank.h"

void ace_bank_tick(ace_bank *b, unsigned sub_banks, int read, int write) {
    const unsigned within = sub_banks - 1;
    const bool meets = read >= 0 && write >= 0 && !(((unsigned)read ^ (unsigned)write) & within);
    unsigned stays = b->waits, can = 0;
    for (unsigned set = b->waits; set; set &= set - 1) {
        const unsigned i = (unsigned)__builtin_ctz(set), at = b->at[i];
        const bool used = (read >= 0 && !((at ^ (unsigned)read) & within)) ||
                          (write >= 0 && !((at ^ (unsigned)write) & within));
        can |= (unsigned)!used << i;
        if ((int)at == write) stays &= ~(1u << i); /* a later write of its row */
    }
    stays &= ~(can & (0u - can));
    if (meets) {
        const unsigned i = (unsigned)__builtin_ctz(~(unsigned)b->waits) % ACE_BANK_WAITS;
        b->at[i] = (uint16_t)write;
        stays |= 1u << i;
    }
    b->waits = (uint8_t)stays;
}
