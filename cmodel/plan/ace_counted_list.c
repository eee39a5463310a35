/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_counted_list.c -- writes lists whose receives come from the senders
 *
 * A count row holds one receive for each route of its sender, and in its last eight bytes what the
 * sender announces.  These bytes are in an item of kind 0, so the engine skips them.  The length of
 * the list is fixed, because the command is prepared once: items of kind 0 fill it.
 */
#include "ace_counted_list.h"

#include <string.h>

#include "ace_plan.h"

enum {
    ROW_WORDS = ACE_ROW_BYTES / 4,
    ITEM_WORDS = ACE_LIST_ITEM_BYTES / 4,
    SLICES = 64,   /* of a block, at most */
    SLICE_ROWS = 8 /* at least */
};

typedef struct transfer {
    uint64_t source, target, bytes;
} transfer;

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint64_t rows_of(uint64_t bytes) { return (bytes + ACE_ROW_BYTES - 1) / ACE_ROW_BYTES; }

uint32_t ace_counted_list_rows(const ace_command *members, const ace_config *cfg, uint64_t sends) {
    const uint64_t items = ace_plan_members(members, cfg) + sends + 2;
    return (uint32_t)((items + ACE_LIST_ROW_ITEMS - 1) / ACE_LIST_ROW_ITEMS);
}

uint64_t ace_counted_list_bytes(const ace_counted_group *g) {
    return (g->rows + ace_plan_members(g->members, g->config)) * ACE_ROW_BYTES;
}

/* The last item names the inbox. */
static void add(ace_counted_list *l, const ace_list_item *item) {
    if (l->items + 1 >= l->group->rows * ACE_LIST_ROW_ITEMS)
        l->failed = true;
    else
        ace_list_item_write(item, l->words + (size_t)l->items++ * ITEM_WORDS);
}

static uint32_t *count_row(const ace_counted_list *l, uint64_t member) {
    return l->words + (l->group->rows + member) * ROW_WORDS;
}

static uint64_t inbox_row(const ace_counted_list *l) {
    return l->group->inbox / ACE_ROW_BYTES + l->turn * l->members;
}

void ace_counted_list_begin(ace_counted_list *l, const ace_counted_group *g, unsigned turn,
                            uint32_t *image) {
    const uint64_t own = ace_list_member(g->members, g->config, 0);
    *l = (ace_counted_list){
        .group = g, .words = image, .members = ace_plan_members(g->members, g->config), .turn = turn
    };
    memset(image, 0, ace_counted_list_bytes(g));
    for (uint64_t k = 0; k < l->members; k++) {
        const uint64_t member = ace_list_member(g->members, g->config, k);
        ace_list_route to[2];
        (void)ace_list_routes(g->members, g->config, member, to);
        add(l, &(ace_list_item){ .what = ACE_LIST_SEND,
                                 .key = (uint8_t)(ACE_COUNTED_KEY + turn),
                                 .hops = to[0].hops,
                                 .source = g->list / ACE_ROW_BYTES + g->rows + member,
                                 .target = (uint32_t)(inbox_row(l) + own),
                                 .bytes = ACE_ROW_BYTES });
    }
}

/* The receiver waits for so many more rows of a route. */
static void announce(ace_counted_list *l, uint64_t member, unsigned route, uint8_t key,
                     uint64_t rows) {
    uint32_t *const words = count_row(l, member) + (size_t)route * ITEM_WORDS;
    ace_list_item item;
    ace_list_item_read(words, &item);
    item.what = ACE_LIST_RECEIVE;
    item.key = key;
    item.rows += rows;
    ace_list_item_write(&item, words);
}

/* Rows first..end of a transfer, `end` excluded, over one of its routes. */
static void send_rows(ace_counted_list *l, uint64_t member, unsigned route, ace_list_route on,
                      const transfer *t, uint64_t first, uint64_t end) {
    const uint64_t last = end * ACE_ROW_BYTES < t->bytes ? end * ACE_ROW_BYTES : t->bytes;
    const uint64_t bytes = last - first * ACE_ROW_BYTES;
    uint32_t *const announced = count_row(l, member) + ROW_WORDS - 2;
    const uint64_t sum = (announced[0] | (uint64_t)announced[1] << 32) + bytes;

    add(l, &(ace_list_item){ .what = ACE_LIST_SEND,
                             .key = on.key,
                             .hops = on.hops,
                             .source = t->source / ACE_ROW_BYTES + first,
                             .target = (uint32_t)(t->target / ACE_ROW_BYTES + first),
                             .bytes = bytes });
    announce(l, member, route, on.key, end - first);
    announced[0] = (uint32_t)sum;
    announced[1] = (uint32_t)(sum >> 32);
    l->failed |= on.key >= ACE_COUNTED_KEY;
}

void ace_counted_list_send(ace_counted_list *l, uint64_t member, uint64_t source, uint64_t target,
                           uint64_t bytes) {
    const transfer t = { source, target, bytes };
    ace_list_route to[2];
    const unsigned routes = ace_list_routes(l->group->members, l->group->config, member, to);
    const uint64_t rows = rows_of(bytes), each = (rows + routes - 1) / routes;

    for (unsigned route = 0; route < routes && route * each < rows; route++)
        send_rows(l, member, route, to[route], &t, route * each, least((route + 1) * each, rows));
}

uint64_t ace_counted_list_block_sends(const ace_command *members, const ace_config *cfg,
                                      uint64_t pitch) {
    uint64_t sends = 0;
    for (uint64_t m = 0; m < ace_plan_members(members, cfg); m++) {
        ace_list_route to[2];
        const unsigned routes = ace_list_routes(members, cfg, m, to);
        const uint64_t part = (rows_of(pitch) + routes - 1) / routes;
        sends += routes * least(SLICES, (part + SLICE_ROWS - 1) / SLICE_ROWS);
    }
    return sends;
}

/* A slice of a block, over each route to its member. */
static void send_slice(ace_counted_list *l, uint64_t member, const transfer *t, unsigned slice) {
    ace_list_route to[2];
    const unsigned routes = ace_list_routes(l->group->members, l->group->config, member, to);
    const uint64_t rows = rows_of(t->bytes), part = (rows + routes - 1) / routes;
    const uint64_t sliced = (part + SLICES - 1) / SLICES;
    const uint64_t each = sliced > SLICE_ROWS ? sliced : SLICE_ROWS;

    for (unsigned route = 0; route < routes; route++) {
        const uint64_t end = least((route + 1) * part, rows);
        const uint64_t first = route * part + slice * each;
        if (slice * each < part && first < end)
            send_rows(l, member, route, to[route], t, first, least(first + each, end));
    }
}

void ace_counted_list_blocks(ace_counted_list *l, const ace_counted_blocks *b) {
    const ace_counted_group *g = l->group;
    const uint64_t own = ace_list_member(g->members, g->config, 0);
    for (unsigned slice = 0; slice < SLICES; slice++)
        for (uint64_t k = 0; k < l->members; k++) {
            const uint64_t m = ace_list_member(g->members, g->config, k);
            const transfer t = { b->source + m * b->pitch, b->target + own * b->pitch,
                                 b->bytes[m] };
            send_slice(l, m, &t, slice);
        }
}

/* Has a token an expert of this member before its expert at an index? */
static bool seen(const ace_counted_tokens *t, const uint16_t *expert, unsigned index) {
    for (unsigned i = 0; i < index; i++)
        if (t->home[expert[i]] == t->home[expert[index]]) return true;
    return false;
}

void ace_counted_list_tokens(ace_counted_list *l, const ace_counted_tokens *t) {
    const uint64_t pitch = rows_of(t->bytes) * ACE_ROW_BYTES;
    for (uint64_t n = 0; n < t->tokens; n++) {
        const uint16_t *const expert = t->expert + n * t->top;
        for (unsigned k = 0; k < t->top; k++) {
            const uint16_t member = t->home[expert[k]];
            if (seen(t, expert, k)) continue;
            ace_counted_list_send(l, member, t->source + n * pitch,
                                  t->target + t->sent[member]++ * pitch, t->bytes);
        }
    }
}

bool ace_counted_list_end(ace_counted_list *l) {
    const uint32_t last = l->group->rows * ACE_LIST_ROW_ITEMS - 1;
    add(l, &(ace_list_item){ .what = ACE_LIST_RECEIVE,
                             .key = (uint8_t)(ACE_COUNTED_KEY + l->turn),
                             .rows = l->members });
    ace_list_item_write(
        &(ace_list_item){ .what = ACE_LIST_PEERS, .source = inbox_row(l), .rows = l->members },
        l->words + (size_t)last * ITEM_WORDS);
    return !l->failed;
}

uint64_t ace_counted_list_bytes_from(const uint32_t row[ROW_WORDS]) {
    return row[ROW_WORDS - 2] | (uint64_t)row[ROW_WORDS - 1] << 32;
}
