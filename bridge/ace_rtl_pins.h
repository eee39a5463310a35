/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_rtl_pins.h -- the pins of rtl/ace_node.v as Verilator has them, to and from ace_core.h
 *
 * Pins is a Verilated class, or whatever else has a member of the same name for each pin: a
 * number, or an array of 32-bit words with word 0 low.
 */
#ifndef ACE_RTL_PINS_H
#define ACE_RTL_PINS_H

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "ace_core.h"
#include "ace_link_crc.h"

// A number inside a pin of any width; what lies beyond the pin is 0 and goes nowhere.
inline uint64_t ace_rtl_low(unsigned bits) {
    return bits < 64 ? (uint64_t{ 1 } << bits) - 1 : UINT64_MAX;
}

template <class Pin> uint64_t ace_rtl_get(const Pin &pin, unsigned at, unsigned bits) {
    if constexpr (std::is_integral_v<Pin>) {
        return at < 8 * sizeof pin ? uint64_t{ pin } >> at & ace_rtl_low(bits) : 0;
    } else {
        uint64_t value = 0;
        for (unsigned i = 0, n; i < bits && at + i < 8 * sizeof pin; i += n) {
            n = std::min(32 - (at + i) % 32, bits - i);
            value |= (pin[(at + i) / 32] >> (at + i) % 32 & ace_rtl_low(n)) << i;
        }
        return value;
    }
}

template <class Pin> void ace_rtl_set(Pin &pin, unsigned at, unsigned bits, uint64_t value) {
    if constexpr (std::is_integral_v<Pin>) {
        if (at < 8 * sizeof pin)
            pin = static_cast<Pin>((uint64_t{ pin } & ~(ace_rtl_low(bits) << at)) |
                                   (value & ace_rtl_low(bits)) << at);
    } else {
        for (unsigned i = 0, n; i < bits && at + i < 8 * sizeof pin; i += n) {
            n = std::min(32 - (at + i) % 32, bits - i);
            const uint64_t mask = ace_rtl_low(n) << (at + i) % 32;
            uint32_t &word = pin[(at + i) / 32];
            word = static_cast<uint32_t>((word & ~mask) | (value >> i << (at + i) % 32 & mask));
        }
    }
}

// How many links the pins are of: they may be fewer than ACE_LINKS.
template <class Pins> constexpr unsigned ace_rtl_links = sizeof(Pins::rx_crc) / 4;

/* The cfg_* pins, and no input. */
template <class Pins> void ace_rtl_configure(Pins &t, const ace_config &cfg) {
    t.cfg_fifo = cfg.order == ACE_FIFO;
    t.cfg_agreed = cfg.agreed;
    t.cfg_class_tag = cfg.class_tag;
    t.cfg_class_weight = uint8_t(cfg.class_weight[0] | cfg.class_weight[1] << 4);
    t.cfg_window = cfg.chunk_window;
    t.cfg_share = cfg.routed_rows;
    t.cfg_wire = cfg.wire_format;
    t.cfg_ring = t.cfg_rank = 0;
    t.cfg_hub = 0;
    constexpr unsigned dimensions = ace_rtl_links<Pins> / 2;
    for (unsigned d = 0; d < dimensions; d++) {
        t.cfg_ring |= uint32_t(cfg.ring[d]) << (8 * d);
        t.cfg_rank |= uint32_t(cfg.rank[d]) << (8 * d);
        t.cfg_hub = uint8_t(t.cfg_hub | cfg.hub[d] << d);
        ace_rtl_set(t.cfg_link_cost, 24 * d, 24, cfg.link_cost[d]);
    }
    t.cfg_chunk_rows = cfg.chunk_rows;
    for (unsigned p = 0; p < dimensions + 2; p++)
        ace_rtl_set(t.cfg_partition_rows, 12 * p, 12, cfg.partition_rows[p]);
    t.cfg_read_cost = cfg.read_cost;
    t.cfg_write_cost = cfg.write_cost;
    t.cfg_memory_latency = cfg.memory_latency;
    t.cfg_retry = cfg.retry;
    t.cfg_epoch = cfg.epoch;
    t.cfg_silence = cfg.silence;
    t.cfg_epoch_links = uint8_t(cfg.epoch_links & ((1u << 2 * dimensions) - 1));
    t.cfg_window_first = t.cfg_window_last = 0;
    for (unsigned w = 0; w < ACE_WINDOWS; w++) {
        t.cfg_window_first |= uint64_t{ cfg.window_first[w] } << (32 * w);
        t.cfg_window_last |= uint64_t{ ace_window_last(&cfg, w) } << (32 * w);
    }
    std::memcpy(&t.cfg_program[0], cfg.program, sizeof cfg.program);
    t.s_cmd_valid = t.rx_valid = t.rx_credit = t.rx_grant_valid = t.s_r_valid = t.s_b_valid = 0;
    t.rx_routed = t.rx_routed_credit = t.rx_frame = t.rx_resend = 0;
    t.s_fault_valid = t.drain = 0;
    std::memset(&t.rx_data[0], 0, sizeof t.rx_data); // as they stay in timing-only runs
}

inline void ace_rtl_put(uint32_t *to, const uint32_t *row) {
    if (row) std::memcpy(to, row, ACE_ROW_BYTES);
}

/* Drives the command pins of a cycle. Pins without a valid value keep their old value. */
template <class Pins> void ace_rtl_drive_command(Pins &t, const ace_pins_in &in) {
    t.s_cmd_valid = in.cmd_valid;
    if (in.cmd_valid) {
        t.s_cmd_kind = uint8_t(in.cmd.kind);
        t.s_cmd_type = uint8_t(in.cmd.type);
        t.s_cmd_op = uint8_t(in.cmd.op);
        t.s_cmd_scale = in.cmd.scale;
        t.s_cmd_dim_count = in.cmd.dim_count;
        t.s_cmd_dims = 0;
        for (unsigned i = 0; i < in.cmd.dim_count; i++)
            t.s_cmd_dims = uint8_t(t.s_cmd_dims | in.cmd.dims[i] << (2 * i));
        t.s_cmd_source = in.cmd.source;
        t.s_cmd_destination = in.cmd.destination;
        t.s_cmd_bytes = in.cmd.bytes;
        t.s_cmd_tag = in.cmd.tag;
    }
}

/* Flips one bit of what link l receives. If the row is on other pins than the driven ones, a bit of
 * the CRC is flipped instead. */
template <class Pins> void ace_rtl_flip(Pins &t, unsigned l, unsigned bit, bool payload) {
    const uint8_t link = uint8_t(1u << l);
    const uint64_t byte = uint64_t(1) << (8 * l + bit % 8);
    const auto flip_bit = [l](auto &pin, unsigned width, unsigned at) {
        pin[(width * l + at) / 32] ^= 1u << (width * l + at) % 32;
    };
    if (bit >= ACE_BIT_ROW && payload)
        flip_bit(t.rx_data, 8 * ACE_ROW_BYTES, bit - ACE_BIT_ROW);
    else if (bit >= ACE_BIT_ROW || (bit >= ACE_BIT_CRC && bit < ACE_BIT_ROUTE))
        flip_bit(t.rx_crc, 32, (bit - ACE_BIT_CRC) % 32);
    else if (bit >= ACE_BIT_ROUTE)
        flip_bit(t.rx_route, 64, bit - ACE_BIT_ROUTE);
    else if (bit >= ACE_BIT_ACK)
        flip_bit(t.rx_ack, 16, bit - ACE_BIT_ACK);
    else if (bit >= ACE_BIT_NUMBER)
        flip_bit(t.rx_number, 16, bit - ACE_BIT_NUMBER);
    else
        switch (bit < 8 ? bit : 8 + bit / 8) {
        case ACE_FRAME_PACKET: t.rx_valid ^= link; break;
        case ACE_FRAME_REDUCE: t.rx_reduce ^= link; break;
        case ACE_FRAME_CREDIT: t.rx_credit ^= link; break;
        case ACE_FRAME_GRANT: t.rx_grant_valid ^= link; break;
        case ACE_FRAME_ROUTED: t.rx_routed ^= link; break;
        case ACE_FRAME_ROUTED_CREDIT: t.rx_routed_credit ^= link; break;
        case ACE_FRAME_RESEND: t.rx_resend ^= link; break;
        case 9: t.rx_context ^= byte; break;
        case 10: t.rx_mark ^= byte; break;
        case 11: t.rx_grant_context ^= byte; break;
        case 12: t.rx_grant_mark ^= byte; break;
        case 13: t.rx_grant_peer ^= byte; break;
        }
}

/* Drives the frames on rx. A CRC covers all wires, so the wires of missing parts are driven to
 * 0. */
template <class Pins> void ace_rtl_drive_frames(Pins &t, const ace_pins_in &in) {
    uint64_t context = 0, mark = 0, grant_context = 0, grant_mark = 0, grant_peer = 0;
    t.rx_valid = in.rx.valid;
    t.rx_reduce = uint8_t(in.rx.reduce & in.rx.valid);
    t.rx_credit = in.rx.credit;
    t.rx_routed = in.rx.routed;
    t.rx_routed_credit = in.rx.routed_credit;
    t.rx_frame = in.rx.frame;
    t.rx_resend = in.rx.resend;
    t.rx_grant_valid = in.rx.grant_valid;
    for (unsigned set = in.rx.frame; set; set &= set - 1) {
        const unsigned l = unsigned(__builtin_ctz(set));
        const ace_rx_pins &rx = in.rx;
        const uint8_t sets[] = { rx.valid,  rx.reduce,        rx.credit, rx.grant_valid,
                                 rx.routed, rx.routed_credit, 0,         rx.resend };
        const uint8_t bytes[] = { rx.link[l].context, rx.link[l].mark, rx.link[l].grant_context,
                                  rx.link[l].grant_mark, rx.grant_peer[l] };
        ace_frame f{};
        for (unsigned i = 0; i < 8; i++) f.head |= uint64_t(sets[i] >> l & 1) << i;
        for (unsigned i = 0; i < sizeof bytes; i++) f.head |= uint64_t(bytes[i]) << (8 * i + 8);
        f.head = ace_frame_clean(f.head);
        context |= (f.head >> 8 & 255) << (8 * l);
        mark |= (f.head >> 16 & 255) << (8 * l);
        grant_context |= (f.head >> 24 & 255) << (8 * l);
        grant_mark |= (f.head >> 32 & 255) << (8 * l);
        grant_peer |= (f.head >> 40 & 255) << (8 * l);
        f.number = rx.number[l];
        f.ack = rx.ack[l];
        if (f.head & 1) {
            f.route = in.rx_route[l];
            f.row = in.rx_data[l];
            ace_rtl_put(&t.rx_data[l * ACE_ROW_WORDS], f.row);
        } else {
            std::memset(&t.rx_data[l * ACE_ROW_WORDS], 0, ACE_ROW_BYTES);
        }
        std::memcpy(&t.rx_route[2 * l], &f.route, 8);
        std::memcpy(reinterpret_cast<char *>(&t.rx_number[0]) + 2 * l, &f.number, 2);
        std::memcpy(reinterpret_cast<char *>(&t.rx_ack[0]) + 2 * l, &f.ack, 2);
        t.rx_crc[l] = ace_frame_crc(&f);
    }
    if (in.rx.frame) {
        t.rx_context = context;
        t.rx_mark = mark;
        t.rx_grant_context = grant_context;
        t.rx_grant_mark = grant_mark;
        t.rx_grant_peer = grant_peer;
    }
    for (unsigned set = in.rx.flipped & in.rx.frame; set; set &= set - 1) {
        const unsigned l = unsigned(__builtin_ctz(set));
        ace_rtl_flip(t, l, in.rx.flip[l] - 1u, in.rx_data[l] != nullptr);
    }
}

/* Drives the pins of links and memory. Pins without a valid value keep their old value. */
template <class Pins> void ace_rtl_drive_streams(Pins &t, const ace_pins_in &in) {
    ace_rtl_drive_frames(t, in);
    t.m_ar_ready = in.ar_ready;
    t.s_r_valid = in.r_valid;
    t.s_r_last = in.r_last;
    t.s_r_resp = in.r_resp;
    if (in.r_valid) ace_rtl_put(&t.s_r_data[0], in.r_data);
    t.m_aw_ready = in.aw_ready;
    t.m_w_ready = in.w_ready;
    t.s_b_valid = in.b_valid;
    t.s_b_resp = in.b_resp;
}

/* The inputs of a cycle. */
template <class Pins> void ace_rtl_drive(Pins &t, const ace_pins_in &in) {
    ace_rtl_drive_command(t, in);
    ace_rtl_drive_streams(t, in);
    t.drain = in.drain;
    t.s_fault_valid = in.fault_valid;
    if (in.fault_valid) {
        t.s_fault_bank = in.fault.bank;
        t.s_fault_row = in.fault.row;
        t.s_fault_word = in.fault.word;
        t.s_fault_mask = in.fault.mask;
    }
}

/* The outputs of links and memory in a cycle; rows point into the pins, or are NULL without
 * payload. */
template <class Pins> void ace_rtl_sample_streams(Pins &t, bool payload, ace_pins_out &o) {
    const auto row = [payload](const uint32_t *words) { return payload ? words : nullptr; };

    o.tx_valid = t.tx_valid;
    o.tx_reduce = t.tx_reduce;
    o.tx_credit = t.tx_credit;
    o.tx_routed = t.tx_routed;
    o.tx_routed_credit = t.tx_routed_credit;
    o.tx_grant_valid = t.tx_grant_valid;
    o.tx_frame = t.tx_frame;
    o.tx_resend = t.tx_resend;
    constexpr unsigned links = ace_rtl_links<Pins>;
    std::memcpy(o.tx_number, &t.tx_number[0], 2 * links);
    std::memcpy(o.tx_ack, &t.tx_ack[0], 2 * links);
    std::memcpy(o.tx_crc, &t.tx_crc[0], 4 * links);
    o.has_crc = payload;
    for (unsigned l = 0; l < links; l++) {
        if (o.tx_grant_valid >> l & 1) {
            o.tx_grant[l].context = uint8_t(t.tx_grant_context >> (8 * l));
            o.tx_grant[l].mark = uint8_t(t.tx_grant_mark >> (8 * l));
            o.tx_grant_peer[l] = uint8_t(t.tx_grant_peer >> (8 * l));
        }
        if (!(o.tx_valid >> l & 1)) continue;
        o.tx[l].context = uint8_t(t.tx_context >> (8 * l));
        o.tx[l].mark = uint8_t(t.tx_mark >> (8 * l));
        o.tx_data[l] = row(&t.tx_data[l * ACE_ROW_WORDS]);
        std::memcpy(&o.tx_route[l], &t.tx_route[2 * l], 8);
    }
    o.ar_valid = t.m_ar_valid;
    o.ar_addr = t.m_ar_addr;
    o.ar_len = t.m_ar_len;
    o.r_ready = t.s_r_ready;
    o.aw_valid = t.m_aw_valid;
    o.aw_addr = t.m_aw_addr;
    o.aw_len = t.m_aw_len;
    o.w_valid = t.m_w_valid;
    o.w_last = t.m_w_last;
    o.w_data = row(&t.m_w_data[0]);
    o.b_ready = t.s_b_ready;
    o.w_bytes = 0;
    if (o.w_valid)
        for (unsigned i = 0; i < ACE_ROW_BYTES / 32; i++)
            o.w_bytes = uint16_t(o.w_bytes + __builtin_popcount(t.m_w_strb[i]));
    o.idle = t.idle;
}

/* The outputs of a cycle. */
template <class Pins> void ace_rtl_sample(Pins &t, bool payload, ace_pins_out &o) {
    ace_rtl_sample_streams(t, payload, o);
    o.cmd_ready = t.s_cmd_ready;
    o.done_valid = t.m_done_valid;
    o.done_tag = t.m_done_tag;
    o.mismatch = t.mismatch;
    o.memory_busy = t.memory_busy;
    o.read_failed = t.read_failed;
    o.read_failed_resp = t.read_failed_resp;
    o.read_failed_addr = t.read_failed_addr;
    o.write_failed = t.write_failed;
    o.write_failed_resp = t.write_failed_resp;
    o.write_failed_addr = t.write_failed_addr;
    o.protocol_failed = t.protocol_failed;
    o.protocol_failed_addr = t.protocol_failed_addr;
    o.memory_lost = t.memory_lost;
    o.scratchpad_failed = t.scratchpad_failed;
    o.scratchpad_failed_bank = t.scratchpad_failed_bank;
    o.scratchpad_failed_row = t.scratchpad_failed_row;
    o.count_corrected = t.count_corrected;
    o.count_failed = t.count_failed;
    o.transfer_failed = t.transfer_failed;
    o.transfer_failed_list = t.transfer_failed_list;
    o.transfer_failed_addr = t.transfer_failed_addr;
    o.count_refused = t.count_refused;
    o.parity_failed = t.parity_failed;
    o.parity_failed_at = t.parity_failed_at;
    o.count_parity = t.count_parity;
    o.link_failed = t.link_failed;
    o.link_state = t.link_state;
    std::memcpy(o.link_count, &t.link_count[0], ace_rtl_links<Pins> * sizeof *o.link_count);
}

/* The count pins. */
template <class Words> void ace_rtl_counts(const Words &count, ace_counts to) {
    constexpr unsigned units = sizeof count * 8 / 48 / ACE_CLASSES;
    constexpr unsigned dimensions = (units - (ACE_UNITS - ACE_LINKS)) / 2;
    unsigned at = 0;
    for (unsigned u = 0; u < ACE_UNITS; u++)
        for (unsigned c = 0; c < ACE_CLASSES; c++)
            to[u][c] = ace_unit_is_there(u, dimensions) ? ace_rtl_get(count, 48 * at++, 48) : 0;
}

#endif
