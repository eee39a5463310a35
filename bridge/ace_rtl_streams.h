/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_rtl_streams.h -- the pins of a Verilated node stream by stream, for its waveform
 *
 * A pin of a stream's payload means something only while the stream's valid is high.  In between
 * the model still has a value there: what was driven last, or what a register happens to hold.
 * ace_rtl_streams() calls see() for each pin with whether it means something now:
 *
 *     see(stream, number, pin, bits, meant, read)
 *
 *   stream   "cmd", "done", "tx", "tx_grant", "rx", "rx_grant", "ar", "r", "aw", "w", "b"
 *   number   of the link, or -1
 *   meant    valid is high; of valid, ready and their like always
 *   read     gives bit i of the pin
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
    const auto whole = [&](const char *stream, const char *name, unsigned bits, bool meant,
                           const auto &pin) {
        see(stream, -1, name, bits, meant, [&](unsigned i) { return ace_rtl_bit(pin, i); });
    };
    const bool valid = t.s_cmd_valid;

    whole("cmd", "valid", 1, true, t.s_cmd_valid);
    whole("cmd", "ready", 1, true, t.s_cmd_ready);
    whole("cmd", "kind", 3, valid, t.s_cmd_kind);
    whole("cmd", "type", 3, valid, t.s_cmd_type);
    whole("cmd", "op", 3, valid, t.s_cmd_op);
    whole("cmd", "source", 48, valid, t.s_cmd_source);
    whole("cmd", "destination", 48, valid, t.s_cmd_destination);
    whole("cmd", "bytes", 41, valid, t.s_cmd_bytes);
    whole("cmd", "tag", 16, valid, t.s_cmd_tag);
    whole("done", "valid", 1, true, t.m_done_valid);
    whole("done", "tag", 16, t.m_done_valid, t.m_done_tag);
}

/* Those of one direction; rows where they are carried. */
#define ACE_RTL_LINK_STREAMS(way)                                                                  \
    template <class Pins, class See>                                                               \
    void ace_rtl_##way##_streams(const Pins &t, bool payload, See &&see) {                         \
        for (unsigned l = 0; l < ace_rtl_links<Pins>; l++) {                                       \
            const auto lane = [&](const char *stream, const char *name, unsigned bits, bool meant, \
                                  const auto &pin) {                                               \
                see(stream, int(l), name, bits, meant,                                             \
                    [&pin, at = bits * l](unsigned i) { return ace_rtl_bit(pin, at + i); });       \
            };                                                                                     \
            const bool valid = t.way##_valid >> l & 1, grant = t.way##_grant_valid >> l & 1;       \
                                                                                                   \
            lane(#way, "valid", 1, true, t.way##_valid);                                           \
            lane(#way, "context", 8, valid, t.way##_context);                                      \
            lane(#way, "mark", 8, valid, t.way##_mark);                                            \
            lane(#way, "reduce", 1, valid, t.way##_reduce);                                        \
            lane(#way, "routed", 1, valid, t.way##_routed);                                        \
            lane(#way, "route", 64, valid && (t.way##_routed >> l & 1), t.way##_route);            \
            if (payload) lane(#way, "data", 8 * ACE_ROW_BYTES, valid, t.way##_data);               \
            lane(#way, "credit", 1, true, t.way##_credit);                                         \
            lane(#way, "routed_credit", 1, true, t.way##_routed_credit);                           \
            lane(#way "_grant", "valid", 1, true, t.way##_grant_valid);                            \
            lane(#way "_grant", "context", 8, grant, t.way##_grant_context);                       \
            lane(#way "_grant", "mark", 8, grant, t.way##_grant_mark);                             \
            lane(#way "_grant", "peer", 8, grant, t.way##_grant_peer);                             \
        }                                                                                          \
    }
ACE_RTL_LINK_STREAMS(tx)
ACE_RTL_LINK_STREAMS(rx)
#undef ACE_RTL_LINK_STREAMS

template <class Pins, class See>
void ace_rtl_memory_streams(const Pins &t, bool payload, See &&see) {
    const auto whole = [&](const char *stream, const char *name, unsigned bits, bool meant,
                           const auto &pin) {
        see(stream, -1, name, bits, meant, [&](unsigned i) { return ace_rtl_bit(pin, i); });
    };

    whole("ar", "valid", 1, true, t.m_ar_valid);
    whole("ar", "ready", 1, true, t.m_ar_ready);
    whole("ar", "addr", 48, t.m_ar_valid, t.m_ar_addr);
    whole("ar", "len", 8, t.m_ar_valid, t.m_ar_len);
    whole("r", "valid", 1, true, t.s_r_valid);
    whole("r", "ready", 1, true, t.s_r_ready);
    whole("r", "last", 1, t.s_r_valid, t.s_r_last);
    whole("r", "resp", 2, t.s_r_valid, t.s_r_resp);
    if (payload) whole("r", "data", 8 * ACE_ROW_BYTES, t.s_r_valid, t.s_r_data);
    whole("aw", "valid", 1, true, t.m_aw_valid);
    whole("aw", "ready", 1, true, t.m_aw_ready);
    whole("aw", "addr", 48, t.m_aw_valid, t.m_aw_addr);
    whole("aw", "len", 8, t.m_aw_valid, t.m_aw_len);
    whole("w", "valid", 1, true, t.m_w_valid);
    whole("w", "ready", 1, true, t.m_w_ready);
    whole("w", "last", 1, t.m_w_valid, t.m_w_last);
    whole("w", "strb", ACE_ROW_BYTES, t.m_w_valid, t.m_w_strb);
    if (payload) whole("w", "data", 8 * ACE_ROW_BYTES, t.m_w_valid, t.m_w_data);
    whole("b", "valid", 1, true, t.s_b_valid);
    whole("b", "ready", 1, true, t.s_b_ready);
    whole("b", "resp", 2, t.s_b_valid, t.s_b_resp);
}

template <class Pins, class See> void ace_rtl_streams(const Pins &t, bool payload, See &&see) {
    if constexpr (ace_rtl_has_commands<Pins>::value) ace_rtl_command_streams(t, see);
    ace_rtl_tx_streams(t, payload, see);
    ace_rtl_rx_streams(t, payload, see);
    ace_rtl_memory_streams(t, payload, see);
}

#endif
