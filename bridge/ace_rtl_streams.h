/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_rtl_streams.h -- the pins of a Verilated node stream by stream, for its waveform
 *
 * A pin of a stream's payload is defined only while the stream's valid is high.  At other times the
 * model still has a value there, such as the last one driven.  ace_rtl_streams() calls see() for
 * each pin, and `defined` is whether its value counts now:
 *
 *     see(stream, number, pin, bits, defined, read)
 *
 *   stream   "cmd", "done", "tx", "tx_grant", "rx", "rx_grant", "ar", "r", "aw", "w", "b"
 *   number   of the link, or -1
 *   defined  valid is high; always true for valid, ready and credits
 *   read     returns bit i of the pin
 *
 * The order of the calls is the same each time.
 */
#ifndef ACE_RTL_STREAMS_H
#define ACE_RTL_STREAMS_H

#include "ace_rtl_pins.h"

#include <type_traits>

template <class Pin> bool ace_rtl_bit(const Pin &pin, unsigned at) {
    return ace_rtl_get(pin, at, 1) != 0;
}

// An engine has registers where a node has command pins.
template <class Pins, class = void> struct ace_rtl_has_commands : std::false_type {};
template <class Pins>
struct ace_rtl_has_commands<Pins, std::void_t<decltype(Pins::s_cmd_valid)>> : std::true_type {};

template <class Pins, class See> void ace_rtl_command_streams(const Pins &t, See &&see) {
    const auto add = [&](const char *stream, const char *name, unsigned bits, bool defined,
                         const auto &pin) {
        see(stream, -1, name, bits, defined, [&](unsigned i) { return ace_rtl_bit(pin, i); });
    };
    const bool valid = t.s_cmd_valid;

    add("cmd", "valid", 1, true, t.s_cmd_valid);
    add("cmd", "ready", 1, true, t.s_cmd_ready);
    add("cmd", "kind", 3, valid, t.s_cmd_kind);
    add("cmd", "type", 3, valid, t.s_cmd_type);
    add("cmd", "op", 3, valid, t.s_cmd_op);
    add("cmd", "source", 48, valid, t.s_cmd_source);
    add("cmd", "destination", 48, valid, t.s_cmd_destination);
    add("cmd", "bytes", 41, valid, t.s_cmd_bytes);
    add("cmd", "tag", 16, valid, t.s_cmd_tag);
    add("done", "valid", 1, true, t.m_done_valid);
    add("done", "tag", 16, t.m_done_valid, t.m_done_tag);
}

/* The streams of the links in one direction; with rows if there is a payload. */
#define ACE_RTL_LINK_STREAMS(direction)                                                          \
    template <class Pins, class See>                                                             \
    void ace_rtl_##direction##_streams(const Pins &t, bool payload, See &&see) {                 \
        for (unsigned l = 0; l < ace_rtl_links<Pins>; l++) {                                     \
            const auto lane = [&](const char *stream, const char *name, unsigned bits,           \
                                  bool defined, const auto &pin) {                               \
                see(stream, int(l), name, bits, defined,                                         \
                    [&pin, at = bits * l](unsigned i) { return ace_rtl_bit(pin, at + i); });     \
            };                                                                                   \
            const bool valid = t.direction##_valid >> l & 1,                                     \
                       grant = t.direction##_grant_valid >> l & 1;                               \
                                                                                                 \
            lane(#direction, "valid", 1, true, t.direction##_valid);                             \
            lane(#direction, "context", 8, valid, t.direction##_context);                        \
            lane(#direction, "mark", 8, valid, t.direction##_mark);                              \
            lane(#direction, "reduce", 1, valid, t.direction##_reduce);                          \
            lane(#direction, "routed", 1, valid, t.direction##_routed);                          \
            lane(#direction, "route", 64, valid && (t.direction##_routed >> l & 1),              \
                 t.direction##_route);                                                           \
            if (payload) lane(#direction, "data", 8 * ACE_ROW_BYTES, valid, t.direction##_data); \
            lane(#direction, "credit", 1, true, t.direction##_credit);                           \
            lane(#direction, "routed_credit", 1, true, t.direction##_routed_credit);             \
            lane(#direction "_grant", "valid", 1, true, t.direction##_grant_valid);              \
            lane(#direction "_grant", "context", 8, grant, t.direction##_grant_context);         \
            lane(#direction "_grant", "mark", 8, grant, t.direction##_grant_mark);               \
            lane(#direction "_grant", "peer", 8, grant, t.direction##_grant_peer);               \
        }                                                                                        \
    }
ACE_RTL_LINK_STREAMS(tx)
ACE_RTL_LINK_STREAMS(rx)
#undef ACE_RTL_LINK_STREAMS

template <class Pins, class See>
void ace_rtl_memory_streams(const Pins &t, bool payload, See &&see) {
    const auto add = [&](const char *stream, const char *name, unsigned bits, bool defined,
                         const auto &pin) {
        see(stream, -1, name, bits, defined, [&](unsigned i) { return ace_rtl_bit(pin, i); });
    };

    add("ar", "valid", 1, true, t.m_ar_valid);
    add("ar", "ready", 1, true, t.m_ar_ready);
    add("ar", "addr", 48, t.m_ar_valid, t.m_ar_addr);
    add("ar", "len", 8, t.m_ar_valid, t.m_ar_len);
    add("r", "valid", 1, true, t.s_r_valid);
    add("r", "ready", 1, true, t.s_r_ready);
    add("r", "last", 1, t.s_r_valid, t.s_r_last);
    add("r", "resp", 2, t.s_r_valid, t.s_r_resp);
    if (payload) add("r", "data", 8 * ACE_ROW_BYTES, t.s_r_valid, t.s_r_data);
    add("aw", "valid", 1, true, t.m_aw_valid);
    add("aw", "ready", 1, true, t.m_aw_ready);
    add("aw", "addr", 48, t.m_aw_valid, t.m_aw_addr);
    add("aw", "len", 8, t.m_aw_valid, t.m_aw_len);
    add("w", "valid", 1, true, t.m_w_valid);
    add("w", "ready", 1, true, t.m_w_ready);
    add("w", "last", 1, t.m_w_valid, t.m_w_last);
    add("w", "strb", ACE_ROW_BYTES, t.m_w_valid, t.m_w_strb);
    if (payload) add("w", "data", 8 * ACE_ROW_BYTES, t.m_w_valid, t.m_w_data);
    add("b", "valid", 1, true, t.s_b_valid);
    add("b", "ready", 1, true, t.s_b_ready);
    add("b", "resp", 2, t.s_b_valid, t.s_b_resp);
}

template <class Pins, class See> void ace_rtl_streams(const Pins &t, bool payload, See &&see) {
    if constexpr (ace_rtl_has_commands<Pins>::value) ace_rtl_command_streams(t, see);
    ace_rtl_tx_streams(t, payload, see);
    ace_rtl_rx_streams(t, payload, see);
    ace_rtl_memory_streams(t, payload, see);
}

#endif
