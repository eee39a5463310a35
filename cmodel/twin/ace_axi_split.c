/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_axi_split.c -- the twin of rtl/ace_axi_split.v: a row split over 2 or 4 channels
 *
 * Each channel has a lane for each of its five streams, which absorbs differences between the
 * channels. A row goes on when all channels have their part. A tick first decides from the state
 * before the edge what moves and which ready signals follow. Then it moves the lanes, gathers a
 * row that is complete, and sets the valid and ready registers.
 */
#include "ace_axi_split.h"

#include <stdlib.h>

int ace_axi_split_create(unsigned channels, unsigned rows, unsigned id_width, unsigned id,
                         ace_axi_split **split) {
    if ((channels != 2 && channels != 4) || (rows != 4 && rows != 8 && rows != ACE_AXI_ROWS_MAX) ||
        id_width < 1 || id_width > 4 || id >> id_width)
        return ACE_EINVAL;
    ace_axi_split *a = calloc(1, sizeof *a);
    if (!a) return ACE_ENOMEM;
    a->channels = channels;
    a->rows = rows;
    a->id_width = id_width;
    a->id = id;
    *split = a;
    return ACE_OK;
}

void ace_axi_split_destroy(ace_axi_split *a) { free(a); }

void ace_axi_split_reset(ace_axi_split *a) {
    a->ar_ready = a->aw_ready = a->w_ready = a->r_valid = a->b_valid = false;
    a->ar_valid = a->aw_valid = a->w_valid = a->r_ready = a->b_ready = 0;
    for (unsigned c = 0; c < ACE_AXI_CHANNELS; c++) {
        ace_axi_lane_reset(&a->ar[c]);
        ace_axi_lane_reset(&a->r[c]);
        ace_axi_lane_reset(&a->aw[c]);
        ace_axi_lane_reset(&a->w[c]);
        ace_axi_lane_reset(&a->b[c]);
    }
}

void ace_axi_split_state(ace_axi_split *a, ace_state *s) {
    const uint32_t channels = a->channels, rows = a->rows, id_width = a->id_width, id = a->id;

    ACE_STATE(s, *a);
    ace_state_must(
        s, a->channels == channels && a->rows == rows && a->id_width == id_width && a->id == id,
        "ace_axi_split.channels");
    ACE_STATE_BOOLS(s, "ace_axi_split.ready", &a->ar_ready, &a->aw_ready, &a->w_ready, &a->r_valid,
                    &a->b_valid);
    ace_state_must(
        s, ((a->ar_valid | a->aw_valid | a->w_valid | a->r_ready | a->b_ready) >> channels) == 0,
        "ace_axi_split.valid");
    for (unsigned c = 0; c < ACE_AXI_CHANNELS && ace_state_loaded(s); c++) {
        ace_axi_lane_check(&a->ar[c], rows, s);
        ace_axi_lane_check(&a->r[c], rows, s);
        ace_axi_lane_check(&a->aw[c], rows, s);
        ace_axi_lane_check(&a->w[c], rows, s);
        ace_axi_lane_check(&a->b[c], rows, s);
    }
}

/* A bit for each channel whose lane has some. */
static uint8_t some(const ace_axi_split *a, const ace_axi_lane lanes[]) {
    unsigned set = 0;
    for (unsigned c = 0; c < a->channels; c++) set |= (unsigned)ace_axi_lane_some(&lanes[c]) << c;
    return (uint8_t)set;
}
/* And whose lane has room; ready: a bit a channel. */
static uint8_t room(const ace_axi_split *a, const ace_axi_lane lanes[], unsigned ready) {
    unsigned set = 0;
    for (unsigned c = 0; c < a->channels; c++)
        set |= (unsigned)ace_axi_lane_room(&lanes[c], a->rows, ready >> c & 1) << c;
    return (uint8_t)set;
}
static uint8_t all(const ace_axi_split *a) { return (uint8_t)((1u << a->channels) - 1); }
static bool room_in_all(const ace_axi_split *a, const ace_axi_lane lanes[], bool ready) {
    return room(a, lanes, ready ? all(a) : 0) == all(a);
}

/* The worst response of the channels.  Bit 1 is an error, and bit 0 then means DECERR.  EXOKAY says
 * that an answer is wrong: no burst gets it, ids are one, and last bits come together. */
static uint8_t joined(const ace_axi_split *a, const ace_axi_lane lanes[]) {
    unsigned resp = 0;
    bool odd = false;
    for (unsigned c = 0; c < a->channels; c++) {
        const ace_axi_beat *beat = &lanes[c].data;
        odd |= beat->resp == ACE_EXOKAY || beat->id != a->id || beat->last != lanes[0].data.last;
        if (beat->resp & 2) resp |= beat->resp;
    }
    return odd ? ACE_EXOKAY : (uint8_t)resp;
}

/* `bits` bits a channel, the same for each. */
static unsigned repeat(const ace_axi_split *a, unsigned value, unsigned bits) {
    unsigned all_of = 0;
    for (unsigned c = 0; c < a->channels; c++) all_of |= value << c * bits;
    return all_of;
}

/* Returns the number of 64-bit words of a channel's beat. */
static unsigned channel_words(const ace_axi_split *a) { return ACE_ROW_BYTES / 8 / a->channels; }

bool ace_axi_split_idle(const ace_axi_split *a) {
    return !(some(a, a->ar) | some(a, a->aw) | some(a, a->w) | some(a, a->r) | some(a, a->b)) &&
           !(a->ar_valid | a->aw_valid | a->w_valid) && !a->r_valid && !a->b_valid && a->ar_ready &&
           a->aw_ready && a->w_ready && a->r_ready == all(a) && a->b_ready == all(a);
}

static void eval_addresses(const ace_axi_split *a, ace_axi_split_out *out) {
    const uint16_t id = (uint16_t)repeat(a, a->id, a->id_width);
    const uint16_t size = (uint16_t)repeat(a, a->channels == 2 ? 7 : 6, 3);

    out->m_axi_arvalid = a->ar_valid;
    out->m_axi_awvalid = a->aw_valid;
    out->m_axi_arid = out->m_axi_awid = id;
    out->m_axi_arsize = out->m_axi_awsize = size;
    out->m_axi_arburst = out->m_axi_awburst = (uint8_t)repeat(a, 1, 2);
    for (unsigned c = 0; c < a->channels; c++) {
        const ace_axi_beat *ar = &a->ar[c].data, *aw = &a->aw[c].data;
        out->m_axi_araddr[c] = ar->addr;
        out->m_axi_arlen[c] = ar->len;
        out->m_axi_arcache[c] = ar->cache;
        out->m_axi_arprot[c] = ar->prot;
        out->m_axi_arqos[c] = ar->qos;
        out->m_axi_awaddr[c] = aw->addr;
        out->m_axi_awlen[c] = aw->len;
        out->m_axi_awcache[c] = aw->cache;
        out->m_axi_awprot[c] = aw->prot;
        out->m_axi_awqos[c] = aw->qos;
    }
}

void ace_axi_split_eval(const ace_axi_split *a, ace_axi_split_out *out) {
    *out = (ace_axi_split_out){ .s_ar_ready = a->ar_ready,
                                .m_r_valid = a->r_valid,
                                .m_r_data = a->r_valid ? a->row : NULL,
                                .m_r_last = a->r[0].data.last,
                                .m_r_resp = joined(a, a->r),
                                .s_aw_ready = a->aw_ready,
                                .s_w_ready = a->w_ready,
                                .m_b_valid = a->b_valid,
                                .m_b_resp = joined(a, a->b),
                                .m_axi_rready = a->r_ready,
                                .m_axi_wvalid = a->w_valid,
                                .m_axi_bready = a->b_ready,
                                .idle = ace_axi_split_idle(a) };
    eval_addresses(a, out);
    for (unsigned c = 0; c < a->channels; c++) {
        const ace_axi_beat *w = &a->w[c].data;
        memcpy(&out->m_axi_wdata[c * channel_words(a)], w->data,
               channel_words(a) * sizeof *w->data);
        memcpy(&out->m_axi_wstrb[c * channel_words(a) / 8], w->strb, channel_words(a));
        out->m_axi_wlast[c] = w->last;
    }
}

/* A burst of rows at `addr` as one of channel c. */
static ace_axi_beat address(const ace_axi_split *a, const ace_axi_split_in *in, unsigned c,
                            uint64_t addr, uint8_t len, uint8_t prot) {
    const uint64_t row = addr / ACE_ROW_BYTES;
    return (ace_axi_beat){ .addr = (uint64_t)in->cfg_window[c] << 48 |
                                   row * (ACE_ROW_BYTES / a->channels),
                           .len = len,
                           .prot = prot,
                           .cache = in->cfg_cache,
                           .qos = in->cfg_qos };
}

/* The strobes of channel c, of a row whose low `bytes` are written. */
static void strobes(const ace_axi_split *a, unsigned c, unsigned bytes, uint64_t strb[]) {
    const unsigned first = c * channel_words(a) * 8;
    for (unsigned w = 0; w < channel_words(a) / 8; w++) {
        const unsigned at = first + w * 64, here = bytes > at ? bytes - at : 0;
        strb[w] = here >= 64 ? UINT64_MAX : ((uint64_t)1 << here) - 1;
    }
}

/* A beat of channel c of the row that is written, and one that is read. */
static ace_axi_beat written(const ace_axi_split *a, const ace_axi_split_in *in, unsigned c) {
    ace_axi_beat beat = { .last = in->s_w_last };
    for (unsigned w = 0; w < channel_words(a); w++) {
        const uint32_t *low = &a->written[2 * (c * channel_words(a) + w)];
        beat.data[w] = (uint64_t)low[1] << 32 | low[0];
    }
    strobes(a, c, in->s_w_strb, beat.strb);
    return beat;
}
/* The ID of channel c. */
static uint8_t id_of(const ace_axi_split *a, unsigned ids, unsigned c) {
    return (uint8_t)(ids >> c * a->id_width & ((1u << a->id_width) - 1));
}
static ace_axi_beat read_of(const ace_axi_split *a, const ace_axi_split_in *in, unsigned c) {
    ace_axi_beat beat = { .last = in->m_axi_rlast >> c & 1,
                          .resp = in->m_axi_rresp[c],
                          .id = id_of(a, in->m_axi_rid, c) };
    memcpy(beat.data, &in->m_axi_rdata[c * channel_words(a)], channel_words(a) * sizeof *beat.data);
    return beat;
}

/* The parts of a row become m_r_data. */
static void gather(ace_axi_split *a) {
    for (unsigned c = 0; c < a->channels; c++)
        for (unsigned w = 0; w < channel_words(a); w++) {
            uint32_t *low = &a->row[2 * (c * channel_words(a) + w)];
            low[0] = (uint32_t)a->r[c].data.data[w];
            low[1] = (uint32_t)(a->r[c].data.data[w] >> 32);
        }
}

void ace_axi_split_tick(ace_axi_split *a, const ace_axi_split_in *in) {
    const bool s_ar = in->s_ar_valid && a->ar_ready, s_aw = in->s_aw_valid && a->aw_ready;
    const bool s_w = in->s_w_valid && a->w_ready;
    const bool r_load = some(a, a->r) == all(a) && (!a->r_valid || in->m_r_ready);
    const bool b_load = some(a, a->b) == all(a) && (!a->b_valid || in->m_b_ready);
    const unsigned ar_load = some(a, a->ar) & (~a->ar_valid | in->m_axi_arready);
    const unsigned aw_load = some(a, a->aw) & (~a->aw_valid | in->m_axi_awready);
    const unsigned w_load = some(a, a->w) & (~a->w_valid | in->m_axi_wready);
    const unsigned r = in->m_axi_rvalid & a->r_ready, b = in->m_axi_bvalid & a->b_ready;
    const bool ar_ready = room_in_all(a, a->ar, a->ar_ready);
    const bool aw_ready = room_in_all(a, a->aw, a->aw_ready);
    const bool w_ready = room_in_all(a, a->w, a->w_ready);
    const uint8_t r_ready = room(a, a->r, a->r_ready), b_ready = room(a, a->b, a->b_ready);

    ace_row_copy(a->written, in->s_w_data);
    for (unsigned c = 0; c < a->channels; c++) {
        const ace_axi_beat ar = address(a, in, c, in->s_ar_addr, in->s_ar_len, in->s_ar_prot);
        const ace_axi_beat aw = address(a, in, c, in->s_aw_addr, in->s_aw_len, in->s_aw_prot);
        const ace_axi_beat row = written(a, in, c), part = read_of(a, in, c);
        const ace_axi_beat answer = { .resp = in->m_axi_bresp[c],
                                      .id = id_of(a, in->m_axi_bid, c) };
        ace_axi_lane_tick(&a->ar[c], a->rows, s_ar ? &ar : NULL, ar_load >> c & 1);
        ace_axi_lane_tick(&a->r[c], a->rows, r >> c & 1 ? &part : NULL, r_load);
        ace_axi_lane_tick(&a->aw[c], a->rows, s_aw ? &aw : NULL, aw_load >> c & 1);
        ace_axi_lane_tick(&a->w[c], a->rows, s_w ? &row : NULL, w_load >> c & 1);
        ace_axi_lane_tick(&a->b[c], a->rows, b >> c & 1 ? &answer : NULL, b_load);
    }
    if (r_load) gather(a);
    a->ar_valid = (uint8_t)(ar_load | (a->ar_valid & ~in->m_axi_arready));
    a->aw_valid = (uint8_t)(aw_load | (a->aw_valid & ~in->m_axi_awready));
    a->w_valid = (uint8_t)(w_load | (a->w_valid & ~in->m_axi_wready));
    a->r_valid = r_load || (a->r_valid && !in->m_r_ready);
    a->b_valid = b_load || (a->b_valid && !in->m_b_ready);
    a->ar_ready = ar_ready;
    a->aw_ready = aw_ready;
    a->w_ready = w_ready;
    a->r_ready = r_ready;
    a->b_ready = b_ready;
}
