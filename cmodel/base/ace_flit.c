/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_flit.c -- bits that a frame uses, and the items of a transfer list
 *
 * ace_flit_has() gives the bits that carry information in a frame, so that a fault flips only bits
 * with a meaning. An item of a list is 32 bytes. The two functions pack and unpack its fields
 * exactly as rtl/ace_list_walk.v lays them out. An item of an unknown kind reads as
 * ACE_LIST_NOTHING.
 */
#include "ace_flit.h"

bool ace_flit_has(const ace_flit *f, unsigned bit) {
    if (bit >= ACE_BITS) return false;
    if (bit >= ACE_BIT_ROUTE) return f->data;
    if (bit >= ACE_BIT_HEAD + 24 && bit < ACE_BIT_NUMBER) return f->grant;
    if (bit >= ACE_BIT_HEAD + 8 && bit < ACE_BIT_NUMBER) return f->data;
    return bit == 1 ? f->data : bit != 6; /* the reduce bit; one that is always 0 */
}

void ace_list_item_write(const ace_list_item *i, uint32_t *to) {
    const bool send = i->what == ACE_LIST_SEND;
    const uint64_t amount = send ? i->bytes : i->rows;
    const uint64_t word[] = { (uint64_t)i->what | (uint64_t)i->key << 8 | (uint64_t)i->hops << 16,
                              i->source | (uint64_t)i->piece << 40,
                              i->target | (uint64_t)i->gap << 40, amount };
    for (unsigned w = 0; w < 4; w++) {
        to[2 * w] = (uint32_t)word[w];
        to[2 * w + 1] = (uint32_t)(word[w] >> 32);
    }
}

void ace_list_item_read(const uint32_t *from, ace_list_item *i) {
    uint64_t word[4];
    for (unsigned w = 0; w < 4; w++) word[w] = from[2 * w] | (uint64_t)from[2 * w + 1] << 32;
    const uint8_t what = (uint8_t)word[0];
    *i = (ace_list_item){ .what = what <= ACE_LIST_PEERS ? (ace_list_what)what : ACE_LIST_NOTHING,
                          .key = (uint8_t)(word[0] >> 8),
                          .hops = (uint32_t)(word[0] >> 16),
                          .source = word[1] & ((UINT64_C(1) << 40) - 1),
                          .piece = (uint16_t)(word[1] >> 40),
                          .target = (uint32_t)word[2],
                          .gap = (uint16_t)(word[2] >> 40),
                          .bytes = word[3] & ((UINT64_C(1) << 41) - 1),
                          .rows = word[3] & ((UINT64_C(1) << 33) - 1) };
}
