/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pin_image.c -- copies pins into an image and back, and compares the outputs
 *
 * Each function copies only fields whose valid bit is set, since an image keeps the old values of
 * all others. Rows are stored as checksums. The list of outputs drives the comparison.
 */
#include "pin_image.h"

#include <string.h>
#include <zlib.h>

static uint32_t row_sum(const uint32_t *row) {
    return row ? (uint32_t)crc32(0, (const unsigned char *)row, ACE_ROW_BYTES) : 0;
}

void pin_image_outputs(pin_image *i, const ace_pins_out *o) {
    i->cmd_ready = o->cmd_ready;
    i->done_valid = o->done_valid;
    if (o->done_valid) i->done_tag = o->done_tag;
    i->tx_valid = o->tx_valid;
    i->tx_reduce = (uint8_t)((i->tx_reduce & ~o->tx_valid) | (o->tx_reduce & o->tx_valid));
    i->tx_credit = o->tx_credit;
    i->tx_routed = o->tx_routed;
    i->tx_routed_credit = o->tx_routed_credit;
    i->tx_grant_valid = o->tx_grant_valid;
    for (unsigned set = o->tx_grant_valid; set; set &= set - 1) {
        const unsigned l = (unsigned)__builtin_ctz(set);
        i->tx_grant[l][0] = o->tx_grant[l].context;
        i->tx_grant[l][1] = o->tx_grant[l].mark;
        i->tx_grant_peer[l] = o->tx_grant_peer[l];
    }
    i->tx_resend = o->tx_resend;
    i->link_failed = o->link_failed;
    if (i->frames) i->tx_frame = o->tx_frame;
    for (unsigned set = i->tx_frame; set; set &= set - 1) {
        const unsigned l = (unsigned)__builtin_ctz(set);
        i->tx_number[l] = o->tx_number[l];
        i->tx_ack[l] = o->tx_ack[l];
    }
    for (unsigned set = o->tx_valid; set; set &= set - 1) {
        const unsigned l = (unsigned)__builtin_ctz(set);
        i->tx_link[l][0] = o->tx[l].context;
        i->tx_link[l][1] = o->tx[l].mark;
        i->tx_row[l] = row_sum(o->tx_data[l]);
        i->tx_route[l] = o->tx_route[l];
    }
    i->ar_valid = o->ar_valid;
    if (o->ar_valid) {
        i->ar_addr = o->ar_addr;
        i->ar_len = o->ar_len;
    }
    i->r_ready = o->r_ready;
    i->aw_valid = o->aw_valid;
    if (o->aw_valid) {
        i->aw_addr = o->aw_addr;
        i->aw_len = o->aw_len;
    }
    i->w_valid = o->w_valid;
    if (o->w_valid) {
        i->w_last = o->w_last;
        i->w_bytes = o->w_bytes;
        i->w_row = row_sum(o->w_data);
    }
    i->b_ready = o->b_ready;
    i->idle = o->idle;
    i->mismatch = o->mismatch;
}

void pin_image_inputs(pin_image *i, const ace_pins_in *in) {
    i->cmd_valid = in->cmd_valid;
    if (in->cmd_valid) {
        const ace_command *c = &in->cmd;
        i->cmd_kind = (uint8_t)c->kind;
        i->cmd_type = (uint8_t)c->type;
        i->cmd_op = (uint8_t)c->op;
        i->cmd_scale = c->scale;
        i->cmd_dim_count = c->dim_count;
        memcpy(i->cmd_dims, c->dims, sizeof i->cmd_dims);
        i->cmd_tag = c->tag;
        i->cmd_source = c->source;
        i->cmd_destination = c->destination;
        i->cmd_bytes = c->bytes;
    }
    i->rx_valid = in->rx.valid;
    i->rx_reduce = (uint8_t)((i->rx_reduce & ~in->rx.valid) | (in->rx.reduce & in->rx.valid));
    i->rx_credit = in->rx.credit;
    i->rx_routed = in->rx.routed;
    i->rx_routed_credit = in->rx.routed_credit;
    i->rx_grant_valid = in->rx.grant_valid;
    for (unsigned set = in->rx.valid; set; set &= set - 1) {
        const unsigned l = (unsigned)__builtin_ctz(set);
        i->rx_link[l][0] = in->rx.link[l].context;
        i->rx_link[l][1] = in->rx.link[l].mark;
        i->rx_route[l] = in->rx_route[l];
    }
    for (unsigned set = in->rx.grant_valid; set; set &= set - 1) {
        const unsigned l = (unsigned)__builtin_ctz(set);
        i->rx_link[l][2] = in->rx.link[l].grant_context;
        i->rx_link[l][3] = in->rx.link[l].grant_mark;
        i->rx_grant_peer[l] = in->rx.grant_peer[l];
    }
    i->rx_resend = in->rx.resend;
    i->rx_flipped = in->rx.flipped;
    if (i->frames) i->rx_frame = in->rx.frame;
    for (unsigned set = in->rx.frame; set; set &= set - 1) {
        const unsigned l = (unsigned)__builtin_ctz(set);
        i->rx_ack[l] = in->rx.ack[l];
        if (!i->frames) continue;
        i->rx_number[l] = in->rx.number[l];
        if (in->rx.flipped >> l & 1) i->rx_flip[l] = in->rx.flip[l];
    }
    i->fault_valid = in->fault_valid;
    if (in->fault_valid) {
        i->fault_bank = in->fault.bank;
        i->fault_row = in->fault.row;
        i->fault_word = in->fault.word;
        i->fault_mask = in->fault.mask;
    }
    i->ar_ready = in->ar_ready;
    i->r_valid = in->r_valid;
    if (in->r_valid) i->r_last = in->r_last;
    i->r_row = in->r_valid && in->r_data;
    i->aw_ready = in->aw_ready;
    i->w_ready = in->w_ready;
    i->b_valid = in->b_valid;
    i->r_resp = in->r_valid ? in->r_resp : 0;
    i->b_resp = in->b_valid ? in->b_resp : 0;
}

void pin_image_pins(const pin_image *i, ace_pins_in *in) {
    in->cmd_valid = i->cmd_valid;
    in->cmd = (ace_command){ .kind = (ace_kind)i->cmd_kind,
                             .type = (ace_type)i->cmd_type,
                             .op = (ace_op)i->cmd_op,
                             .scale = i->cmd_scale,
                             .dim_count = i->cmd_dim_count,
                             .source = i->cmd_source,
                             .destination = i->cmd_destination,
                             .bytes = i->cmd_bytes,
                             .tag = i->cmd_tag };
    memcpy(in->cmd.dims, i->cmd_dims, sizeof in->cmd.dims);
    in->rx.valid = i->rx_valid;
    in->rx.reduce = i->rx_reduce & i->rx_valid;
    in->rx.credit = i->rx_credit;
    in->rx.routed = i->rx_routed;
    in->rx.routed_credit = i->rx_routed_credit;
    in->rx.grant_valid = i->rx_grant_valid;
    in->rx.frame = i->frames ? i->rx_frame
                             : i->rx_valid | i->rx_credit | i->rx_routed_credit | i->rx_grant_valid;
    in->rx.resend = i->rx_resend;
    in->rx.flipped = i->rx_flipped;
    if (i->frames) memcpy(in->rx.number, i->rx_number, sizeof in->rx.number);
    memcpy(in->rx.ack, i->rx_ack, sizeof in->rx.ack);
    memcpy(in->rx.flip, i->rx_flip, sizeof in->rx.flip);
    in->fault_valid = i->fault_valid;
    in->fault = (ace_fault){ i->fault_bank, i->fault_word, i->fault_row, i->fault_mask };
    for (unsigned l = 0; l < ACE_LINKS; l++)
        memcpy(&in->rx.link[l], i->rx_link[l], sizeof in->rx.link[l]);
    memcpy(in->rx.grant_peer, i->rx_grant_peer, sizeof in->rx.grant_peer);
    memcpy(in->rx_route, i->rx_route, sizeof in->rx_route);
    in->ar_ready = i->ar_ready;
    in->r_valid = i->r_valid;
    in->r_last = i->r_last;
    in->aw_ready = i->aw_ready;
    in->w_ready = i->w_ready;
    in->b_valid = i->b_valid;
    in->r_resp = i->r_resp;
    in->b_resp = i->b_resp;
}

/* The pins that a core drives, each with its number of elements. (clang-format 14 formats this list
 * differently each time it runs.) */
/* clang-format off */
#define OUTPUTS(X)                                                                            \
    X(cmd_ready, 1) X(done_valid, 1) X(done_tag, 1) X(tx_valid, 1) X(tx_reduce, 1)            \
    X(tx_credit, 1) X(tx_grant_valid, 1) X(tx_grant, 2 * ACE_LINKS) X(tx_grant_peer, ACE_LINKS) \
    X(tx_routed, 1) X(tx_routed_credit, 1) X(tx_route, ACE_LINKS)                             \
    X(tx_frame, 1) X(tx_resend, 1) X(tx_number, ACE_LINKS) X(tx_ack, ACE_LINKS) X(link_failed, 1) \
    X(tx_link, 2 * ACE_LINKS) X(tx_row, ACE_LINKS) X(ar_valid, 1) X(ar_addr, 1) X(ar_len, 1)  \
    X(r_ready, 1) X(aw_valid, 1) X(aw_addr, 1) X(aw_len, 1) X(w_valid, 1) X(w_last, 1)        \
    X(w_bytes, 1) X(w_row, 1) X(b_ready, 1) X(idle, 1) X(mismatch, 1)
/* clang-format on */

bool pin_image_same(const pin_image *recorded, const ace_pins_out *out, pin_difference *d) {
    static const struct {
        const char *pin;
        size_t at, size;
        unsigned count;
    } pins[] = {
#define X(pin, count) \
    { #pin, offsetof(pin_image, pin), sizeof(((pin_image *)0)->pin) / (count), count },
        OUTPUTS(X)
#undef X
    };
    pin_image found = *recorded;
    pin_image_outputs(&found, out);
    if (!memcmp(&found, recorded, sizeof found)) return true;
    for (size_t i = 0; i < sizeof pins / sizeof *pins; i++)
        for (unsigned k = 0; k < pins[i].count; k++) {
            const size_t at = pins[i].at + k * pins[i].size;
            d->found = d->recorded = 0;
            memcpy(&d->found, (const char *)&found + at, pins[i].size);
            memcpy(&d->recorded, (const char *)recorded + at, pins[i].size);
            if (d->found == d->recorded) continue;
            d->pin = pins[i].pin;
            d->at = k;
            return false;
        }
    return true;
}
