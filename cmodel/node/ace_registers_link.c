/* SPDX-License-Identifier: Apache-2.0 */
/* ace_registers_link.c -- the registers of the links: ports, guards, and the steps to the pins and
 * from them */
#include "ace_register_view.h"
#include "ace_row_sum.h"

/* ---- headers: {route, context, reduce, tag}, a route only of what is routed ---- */

static uint64_t header(const ace_link_header *h) {
    return (uint64_t)h->context << 9 | (uint64_t)h->reduce << 8 | h->mark;
}

static void see_header(const view *v, const char *name, const char *ring, unsigned at,
                       const ace_link_header *h, const uint64_t *route, bool valid) {
    if (route)
        see_wide(v, name, ring, at, *route << 17 | header(h), *route >> 47, valid);
    else
        see_ring(v, name, ring, at, (uint64_t)h->peer << 17 | header(h), valid);
}

/* The step that ports and guards filled a cycle ago. */
static const ace_tx_step *step_before(const ace_link *k) {
    return &k->sender.step[(k->sender.at - 1u) % ACE_LINK_TX_SLOTS];
}

/* Is the port's row on tx_data, a cycle after its header, the row of this step?  It is not if the
 * guard supplies the row. */
static bool on_tx_data(const ace_link_port *p, const ace_tx_step *step, unsigned lane) {
    const bool routed = step->routed >> lane & 1;
    return (step->valid & ~step->kept) >> lane & 1 && routed == (p->out_routes != NULL);
}

/* The CRC sums of rows.  A sum is ready three cycles after its row is written.  A port writes at
 * most one row in a cycle, so all rows but the last three have their sums.  When the RTL is loaded,
 * all rows get their sums, and no sum is in the pipeline. */
static void link_port_sums(const view *v, const ace_link_port *p, unsigned lane,
                           const ace_tx_step *step) {
    enum { SUMMING = 3 };
    const unsigned out = p->out_count[lane], rows = p->output_rows, sends = p->tx_valid >> lane & 1;
    const unsigned sent = rows - 1, summed = (sent + rows - sends) % rows;
    const bool shows = on_tx_data(p, step, lane);
    see_may_differ(v, "sum_comes_q", 0, 0);
    see_may_differ(v, "sum_at_q", 0, out % rows);
    see_may_differ(v, "sent_q", 0, sent);
    see_may_differ(v, "summed_q", 0, summed);
    for (unsigned i = 0; i < rows; i++) {
        const uint32_t *row = NULL;
        uint32_t slot = p->out_head[lane] + i;
        const bool last = i == summed && shows;
        if (last)
            slot = step->row[lane];
        else if (i == sent && sends)
            slot = p->out_head[lane] - 1;
        if (p->out_rows) row = p->out_rows[ace_link_slot(lane, slot & p->out_mask)];
        see_ring(v, "out_sum_q", "out_rd_q", i,
                 last || i < out || (i == sent && sends) ? ace_row_sum(row) : 0,
                 p->out_rows && (last || i + SUMMING < out));
    }
}

/* Passes a register on to a view as one that may differ. */
static void see_differs(void *self, const ace_register *r) {
    const view *v = self;
    ace_register register_ = *r;
    register_.may_differ = true;
    v->see(v->self, &register_);
}

/* An uncommitted row may have wrong bits, which only the pins of the RTL carry. */
static void link_port(const view *v, const ace_link_port *p, unsigned lane,
                      const ace_tx_step *step) {
    const bool sends = p->tx_valid >> lane & 1;
    const unsigned in = p->in_count[lane], out = p->out_count[lane], head = in != 0;
    const unsigned held = ace_link_port_held(p, lane);
    const size_t sent = ace_link_slot(lane, (p->out_head[lane] - 1) & p->out_mask);
    see_may_differ(v, "in_rd_q", 0, 0);
    see_may_differ(v, "in_peek_q", 0, head % p->input_rows);
    see_may_differ(v, "in_end_q", 0, in % p->input_rows);
    see_may_differ(v, "in_wr_q", 0, held % p->input_rows);
    see(v, "in_count_q", in);
    see(v, "in_held_q", held);
    see(v, "in_wait_q", in - head);
    see(v, "head_valid_q", head);
    see_header(v, "head_q", NULL, 0, ace_link_port_head(p, lane),
               p->in_routes ? &p->in_routes[ace_link_slot(lane, p->in_head[lane])] : NULL, head);
    const size_t next = ace_link_slot(lane, (p->in_head[lane] + head) & p->in_mask);
    view inner = *v;
    const view open = { see_differs, &inner, v->unit };
    see_header(in > head ? v : &open, "in_next_q", NULL, 0, &p->in_headers[next],
               p->in_routes ? &p->in_routes[next] : NULL, held > head);
    for (unsigned i = 0; i < p->input_rows; i++) {
        const size_t at = ace_link_slot(lane, (p->in_head[lane] + i) & p->in_mask);
        const view *const row = i < in ? v : &open;
        see_header(row, "in_header_q", "in_rd_q", i, &p->in_headers[at],
                   p->in_routes ? &p->in_routes[at] : NULL, i < held);
        see_ring(row, "g_code.in_code_q", "in_rd_q", i, p->in_codes ? p->in_codes[at] : 0,
                 p->in_codes && i < held);
    }
    const bool popped = p->tx_credit >> lane & 1; /* else the row that is loaded is one of zeros */
    see_if(v, "g_code.pop_code_q", popped ? ace_link_port_popped_code(p, lane) : 0,
           p->in_codes && popped);
    see(v, "tx_credit_q", p->tx_credit >> lane & 1);
    see_may_differ(v, "out_rd_q", 0, 0);
    see_may_differ(v, "out_wr_q", 0, out % p->output_rows);
    see(v, "out_count_q", out);
    see(v, "out_taken_q", out + p->reserved[lane] + sends);
    see(v, "room_q", p->s_room >> lane & 1);
    see(v, "room_two_q", ace_link_port_room_two(p) >> lane & 1);
    for (unsigned i = 0; i < p->output_rows; i++) {
        const size_t at = ace_link_slot(lane, (p->out_head[lane] + i) & p->out_mask);
        see_header(v, "out_header_q", "out_rd_q", i, &p->out_headers[at],
                   p->out_routes ? &p->out_routes[at] : NULL, i < out);
    }
    link_port_sums(v, p, lane, step);
    see(v, "credits_q", p->credits[lane]);
    see(v, "acc_q", p->acc[lane]);
    see(v, "tx_valid_q", sends);
    see_header(v, "tx_header_q", NULL, 0, ace_link_port_tx(p, lane),
               p->out_routes ? &p->out_routes[sent] : NULL, sends);
    if (p->out_routes) return; /* the plain ports count the link's cycles */
    char unit[64];
    uint64_t cycles[ACE_COUNT_LANES];
    snprintf(unit, sizeof unit, "%s.g_count.u_count", v->unit);
    ace_link_port_classes(p, lane, cycles);
    see_cycles(v, unit, cycles);
}

/* ---- steps on the way to the pins of a link, and from them ---- */

static uint64_t head_of(const uint8_t sets[8], const uint8_t bytes[5], unsigned l) {
    uint64_t head = 0;
    for (unsigned i = 0; i < 8; i++)
        if (i != ACE_FRAME_NONE) head |= (uint64_t)(sets[i] >> l & 1) << i;
    for (unsigned i = 0; i < 5; i++) head |= (uint64_t)bytes[i] << (8 * i + 8);
    return ace_frame_clean(head);
}

static ace_frame tx_frame(const ace_tx_step *s, unsigned l) {
    const uint8_t bytes[] = { s->tx[l].context, s->tx[l].mark, s->grant[l].context,
                              s->grant[l].mark, s->grant_peer[l] };
    return (ace_frame){ .valid = s->frame >> l & 1,
                        .head = head_of(&s->valid, bytes, l),
                        .route = s->valid >> l & 1 ? s->route[l] : 0,
                        .number = s->number[l],
                        .ack = s->ack[l] };
}

static ace_frame rx_frame(const ace_rx_step *s, unsigned l) {
    const ace_rx_pins *p = &s->pins;
    const uint8_t bytes[] = { p->link[l].context, p->link[l].mark, p->link[l].grant_context,
                              p->link[l].grant_mark, p->grant_peer[l] };
    return (ace_frame){ .valid = p->frame >> l & 1,
                        .head = head_of(&p->valid, bytes, l),
                        .number = p->number[l],
                        .ack = p->ack[l] };
}

static void link_sender(const view *v, const ace_cycle_core *n, unsigned l) {
    const ace_link *k = &n->nic.links;
    const ace_frame crc = tx_frame(step_before(k), l);
    ace_frame pins = tx_frame(&k->sender.step[(k->sender.at - 2u) % ACE_LINK_TX_SLOTS], l);
    const bool packet = pins.valid && (pins.head & 1);
    fields f = { 0 }, g = { 0 };
    if (packet) pins.row = n->out.tx_data[l];
    append(&f, ACE_FRAME_HEAD_BITS, crc.head, crc.valid);
    append(&f, 64, crc.route, crc.valid);
    append(&f, 16, crc.number, crc.valid);
    append(&f, 16, crc.ack, crc.valid);
    append(&g, ACE_FRAME_HEAD_BITS - 8, pins.head >> 8, pins.valid);
    append(&g, 64, pins.route, pins.valid);
    append(&g, 16, pins.number, pins.valid);
    append(&g, 16, pins.ack, pins.valid);
    see(v, "frame_q", crc.valid);
    see_fields(v, "head_q", 0, &f);
    see(v, "tx_frame_q", pins.valid);
    see(v, "tx_flags_q", pins.valid ? pins.head & 0xff : 0);
    see_fields(v, "tx_head_q", 0, &g);
    see_if(v, "tx_crc_q", ace_frame_crc(&pins), pins.valid && (!packet || pins.row));
}

/* Returns whether the row of the frame that has just come is in its port's buffer, after all
 * others. It is not if a bit of the frame has changed, or if the buffer was full. */
static bool row_has_come(const ace_link *k, unsigned l) {
    const ace_rx_pins *rx = &k->receiver.step[k->receiver.at].pins;
    const unsigned packet = rx->frame & ~(unsigned)rx->flipped & rx->valid;
    return packet >> l & 1 && ace_link_has_slot(k, rx->routed >> l & 1 ? k->routed : k->plain, l);
}

/* When the RTL is loaded, the row of a frame is unknown and loaded as zeros.  The loaded CRC then
 * determines whether the frame is right or wrong. */
static void link_receiver(const view *v, const ace_cycle_core *n, unsigned l) {
    ace_link known = n->nic.links;
    const ace_link *const k = &known;
    ace_link_know(&known, false);
    const ace_link_receiver *const r = &known.receiver;
    const ace_rx_step *const step[] = { &r->step[r->at % ACE_LINK_RX_STEPS],
                                        &r->step[(r->at + 3u) % ACE_LINK_RX_STEPS],
                                        &r->step[(r->at + 2u) % ACE_LINK_RX_STEPS] };
    ace_frame row = rx_frame(step[0], l);
    const ace_frame sum = rx_frame(step[1], l), end = rx_frame(step[2], l);
    const bool wrong[] = { step[0]->pins.flipped >> l & 1, step[1]->pins.flipped >> l & 1,
                           step[2]->pins.flipped >> l & 1 };
    const bool routed = row.head >> ACE_FRAME_ROUTED & 1, come = row_has_come(k, l);
    const ace_link_port *p = routed ? k->routed : k->plain;
    const size_t at = ace_link_slot(l, p->in_end[l]);
    if (come && routed) row.route = p->in_routes[at];
    row.row = come && p->in_rows ? p->in_rows[at] : NULL;
    see(v, "row_frame_q", row.valid);
    see_if(v, "row_head_q", row.head, row.valid && !wrong[0]);
    see_if(v, "row_route_q", row.route, come && routed);
    see_if(v, "row_number_q", row.number, row.valid);
    see_if(v, "row_ack_q", row.ack, row.valid && !wrong[0]);
    see_may_differ(v, "row_crc_q", 0, row.valid ? ace_frame_crc(&row) ^ wrong[0] : 0);
    see(v, "next_q", r->next[l]);
    see(v, "sum_frame_q", sum.valid);
    see(v, "sum_took_q", step[1]->took >> l & 1);
    see_if(v, "sum_head_q", sum.head, sum.valid && !wrong[1]);
    see_if(v, "sum_number_q", sum.number, sum.valid);
    see_if(v, "sum_ack_q", sum.ack, sum.valid && !wrong[1]);
    see_may_differ(v, "sum_crc_q", 0, wrong[1]);
    see(v, "frame_q", end.valid);
    see(v, "took_q", step[2]->took >> l & 1);
    see_if(v, "good_q", !wrong[2], end.valid);
    see_if(v, "head_q", end.head, end.valid && !wrong[2]);
    see_if(v, "number_q", end.number, end.valid);
    see_if(v, "ack_q", end.ack, end.valid && !wrong[2]);
}

/* No row is in the CRC pipeline: the CRC of its frame is loaded without the row. */
static void link_row_sum(const view *v) {
    for (unsigned low = 0; low < 256; low += 64)
        v->see(v->self, &(ace_register){ v->unit, "groups_q", 0, NULL, low, 0, 0, true });
}

/* Slots for the rows of frames that may be sent again. */
static unsigned rows_kept(const ace_link_guard *g) { return g->frames ? g->rows : 0; }

/* The row in such a slot; NULL if there is none, or none yet: a row is written a cycle after its
 * head. */
static const uint32_t *kept_row(const ace_link_guard *g, unsigned at) {
    const bool any = ace_link_guard_used(g) != 0;
    const uint32_t first = any ? g->kept[g->base & (g->frames - 1)].rows : g->row;
    const uint32_t since = (g->row - 1 - at) & (g->rows - 1); /* later rows */
    if (since >= g->row - first || (!since && g->put)) return NULL;
    return ace_link_guard_row(g, g->row - 1 - since);
}

static void link_guard(const view *v, const ace_cycle_core *n, unsigned l) {
    const ace_link_guard *g = n->nic.links.guard[l];
    const ace_tx_step *before = step_before(&n->nic.links);
    see(v, "next_q", n->nic.links.next[l]);
    see(v, "expect_q", n->nic.links.expect[l]);
    see(v, "send_q", g->send);
    see(v, "base_q", g->base);
    see(v, "fresh_q", g->fresh);
    see(v, "row_q", g->row);
    see(v, "due_q", g->due);
    see(v, "timer_q", g->timer);
    see(v, "tries_q", g->tries);
    see(v, "failed_q", g->failed);
    see(v, "owe_q", g->owe);
    see_if(v, "wait_q", g->wait, g->owe);
    see(v, "resend_q", g->resend);
    see(v, "told_q", g->told);
    see(v, "hold_q", g->hold);
    see(v, "tight_q", g->tight);
    see_if(v, "from_q", g->from, n->cfg.retry); /* else of frames that are not kept */
    see(v, "put_q", g->put);
    see_if(v, "put_at_q", g->put_at, g->put);
    see(v, "new_q", (before->valid & ~before->kept) >> l & 1);
    see(v, "old_q", g->kept_row);
    see_if(v, "get_at_q", g->get_at, g->kept_row);
    see(v, "resent_q", g->resent);
    see(v, "bad_q", g->bad);
    see(v, "dropped_q", g->dropped);
    for (unsigned i = 0; i < g->frames; i++) {
        const ace_kept_frame *k = &g->kept[i];
        const bool kept = ((i - g->base) & (g->frames - 1)) < ace_link_guard_used(g);
        see_wide(v, "kept_q", NULL, i, k->route << 48 | k->head, k->route >> 16, kept);
        see_entry(v, "kept_at_q", i, k->rows, kept);
    }
    for (unsigned i = 0; i < rows_kept(g); i++) {
        const uint32_t *row = kept_row(g, i);
        see_entry(v, "kept_sum_q", i, ace_row_sum(row), row != NULL);
    }
}

static void link_sync(const view *v, const ace_cycle_core *n, unsigned l) {
    const ace_link_sync *y = &n->nic.links.sync[l];
    see(v, "heard_q", y->heard);
    see(v, "up_q", y->up);
    see(v, "ended_q", y->ended);
    see(v, "answer_q", y->answer);
    see(v, "wait_q", y->wait);
    see(v, "quiet_q", y->quiet);
}

/* ---- all links ---- */

void ace_registers_links(const view *outer, const ace_cycle_core *n) {
    char unit[64];
    const view v = { outer->see, outer->self, unit };
    const ace_tx_step *before = step_before(&n->nic.links);
    for (unsigned l = 0; l < n->nic.links.lanes; l++) {
        snprintf(unit, sizeof unit, "u_nic.g_link[%u].u_link.u_plain", l);
        link_port(&v, n->nic.links.plain, l, before);
        snprintf(unit, sizeof unit, "u_nic.g_link[%u].u_link.u_routed", l);
        link_port(&v, n->nic.links.routed, l, before);
        snprintf(unit, sizeof unit, "u_nic.g_link[%u].u_link.u_guard", l);
        link_guard(&v, n, l);
        snprintf(unit, sizeof unit, "u_nic.g_link[%u].u_link.u_sync", l);
        link_sync(&v, n, l);
        snprintf(unit, sizeof unit, "u_nic.g_link[%u].u_link.u_receiver", l);
        link_receiver(&v, n, l);
        snprintf(unit, sizeof unit, "u_nic.g_link[%u].u_link.u_receiver.u_sum", l);
        link_row_sum(&v);
        snprintf(unit, sizeof unit, "u_nic.g_link[%u].u_link.u_turn", l);
        see(&v, "left_q", n->nic.links.turn.left[l]);
        snprintf(unit, sizeof unit, "u_nic.g_link[%u].u_link.u_sender", l);
        link_sender(&v, n, l);
    }
}

/* ---- rows ---- */

static void rows_of_link(ace_row_register_see *see_row, void *self, const char *unit,
                         const ace_link_port *p, unsigned l, const ace_tx_step *before) {
    const unsigned held = ace_link_port_held(p, l), out = p->out_count[l];
    const bool sends = p->tx_valid >> l & 1;
    for (unsigned i = 0; i < p->input_rows; i++) {
        const size_t at = ace_link_slot(l, (p->in_head[l] + i) & p->in_mask);
        see_row(self, &(ace_row_register){ .unit = unit,
                                           .name = "in_data_q",
                                           .ring = "in_rd_q",
                                           .at = i,
                                           .row = p->in_rows && i < held ? p->in_rows[at] : NULL,
                                           .may_differ = i >= p->in_count[l] });
    }
    see_row(self, &(ace_row_register){
                      .unit = unit,
                      .name = "pop_data_q",
                      .row = p->tx_credit >> l & 1 ? ace_link_port_popped_data(p, l) : NULL });
    for (unsigned i = 0; i < p->output_rows; i++) {
        const bool sent = i == p->output_rows - 1 && sends;
        const uint32_t slot = sent ? p->out_head[l] - 1 : p->out_head[l] + i;
        const uint32_t *row = NULL;
        if (p->out_rows && (sent || i < out))
            row = p->out_rows[ace_link_slot(l, slot & p->out_mask)];
        see_row(self,
                &(ace_row_register){
                    .unit = unit, .name = "out_data_q", .ring = "out_rd_q", .at = i, .row = row });
    }
    const uint32_t *shown = NULL;
    if (p->out_rows && on_tx_data(p, before, l))
        shown = p->out_rows[ace_link_slot(l, before->row[l])];
    see_row(self, &(ace_row_register){ .unit = unit, .name = "tx_data_q", .row = shown });
}

static void rows_of_guard(ace_row_register_see *see_row, void *self, const char *unit,
                          const ace_link_guard *g) {
    for (unsigned i = 0; i < rows_kept(g); i++)
        see_row(self, &(ace_row_register){
                          .unit = unit, .name = "kept_row_q", .at = i, .row = kept_row(g, i) });
}

static void row_of_receiver(ace_row_register_see *see_row, void *self, const char *unit,
                            const ace_link *k, unsigned l) {
    const ace_rx_pins *s = &k->receiver.step[k->receiver.at].pins;
    const ace_link_port *p = s->routed >> l & 1 ? k->routed : k->plain;
    const bool come = row_has_come(k, l), packet = s->valid >> l & 1;
    const uint32_t *row = ace_datapath_zero_row;
    if (come && p->in_rows) row = p->in_rows[ace_link_slot(l, p->in_end[l])];
    see_row(self, &(ace_row_register){ .unit = unit,
                                       .name = "row_data_q",
                                       .row = s->frame >> l & 1 ? row : NULL,
                                       .may_differ = (s->flipped >> l & 1) || (packet && !come) });
}

static void row_of_sender(ace_row_register_see *see_row, void *self, const char *unit,
                          const ace_cycle_core *n, unsigned l) {
    see_row(self,
            &(ace_row_register){ .unit = unit,
                                 .name = "tx_data_q",
                                 .row = n->out.tx_valid >> l & 1 ? n->out.tx_data[l] : NULL });
}

void ace_registers_link_rows(ace_row_register_see *see_row, void *self, const ace_cycle_core *n) {
    char unit[64];
    const ace_tx_step *before = step_before(&n->nic.links);
    for (unsigned l = 0; l < n->nic.links.lanes; l++) {
        snprintf(unit, sizeof unit, "u_nic.g_link[%u].u_link.u_plain", l);
        rows_of_link(see_row, self, unit, n->nic.links.plain, l, before);
        snprintf(unit, sizeof unit, "u_nic.g_link[%u].u_link.u_routed", l);
        rows_of_link(see_row, self, unit, n->nic.links.routed, l, before);
        snprintf(unit, sizeof unit, "u_nic.g_link[%u].u_link.u_guard", l);
        rows_of_guard(see_row, self, unit, n->nic.links.guard[l]);
        snprintf(unit, sizeof unit, "u_nic.g_link[%u].u_link.u_receiver", l);
        row_of_receiver(see_row, self, unit, &n->nic.links, l);
        snprintf(unit, sizeof unit, "u_nic.g_link[%u].u_link.u_sender", l);
        row_of_sender(see_row, self, unit, n, l);
    }
}
