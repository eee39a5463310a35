/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_axi_split.h -- the engine's memory pins as AXI4 masters of 512 or 1024 bits
 *
 * The C twin of rtl/ace_axi_split.v: same pins, same cycle, same values.
 *
 *     ace_axi_split *a;
 *     if (ace_axi_split_create(2, 4, 4, 0, &a) != ACE_OK) ...
 *     for (;;) {
 *         ace_axi_split_eval(a, &out);     outputs of this cycle, from state only
 *         ace_axi_split_tick(a, &in);      rising edge
 *     }
 *     ace_axi_split_destroy(a);
 *
 * Rules
 *   Where       A system integrator may place it between an engine and its memories.  No node has
 *               one.
 *   Rows        Let beat = 256 / channels.  Byte x of the engine's memory is in channel
 *               x % 256 / beat, at byte x / 256 * beat + x % beat.
 *   Bits        The twin always needs the bits of rows, because channels take their parts of a row
 *               at different times.  A row that is NULL counts as the row before.
 *   Threads     One split, one thread.
 */
#ifndef ACE_AXI_SPLIT_H
#define ACE_AXI_SPLIT_H

#include "ace_axi_lane.h"
#include "ace_ports.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ACE_AXI_CHANNELS = 4 }; /* at most; fewer have the low lanes of each vector */

/* Returns a mask of the valid 64-bit words of a row, or of its words of strobes: those of the valid
 * channels.  A beat has 1 << size bytes, and each channel has the same size. */
static inline uint32_t ace_axi_split_lanes(uint32_t valid, uint32_t lanes) {
    uint64_t mask = 0;
    for (uint32_t c = 0; c < ACE_AXI_CHANNELS && (c + 1) * lanes <= 32; c++)
        if (valid >> c & 1) mask |= (((uint64_t)1 << lanes) - 1) << c * lanes;
    return (uint32_t)mask;
}
#define ACE_AXI_SPLIT_WORDS(valid, size)   ace_axi_split_lanes(valid, (1u << ((size)&7)) / 8)
#define ACE_AXI_SPLIT_STROBES(valid, size) ace_axi_split_lanes(valid, (1u << ((size)&7)) / 64)

#define ACE_AXI_SPLIT_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)      \
    LANES(uint16_t, cfg_window, 16, ACE_AXI_CHANNELS, ACE_EVERY_LANE)   \
    WORD(uint8_t, cfg_cache, 4)                                         \
    WORD(uint8_t, cfg_qos, 4)                                           \
    BIT(s_ar_valid)                                                     \
    FIELD(uint64_t, s_ar_addr, 48, s_ar_valid)                          \
    FIELD(uint8_t, s_ar_len, 8, s_ar_valid)                             \
    FIELD(uint8_t, s_ar_prot, 3, s_ar_valid)                            \
    BIT(m_r_ready)                                                      \
    BIT(s_aw_valid)                                                     \
    FIELD(uint64_t, s_aw_addr, 48, s_aw_valid)                          \
    FIELD(uint8_t, s_aw_len, 8, s_aw_valid)                             \
    FIELD(uint8_t, s_aw_prot, 3, s_aw_valid)                            \
    BIT(s_w_valid)                                                      \
    ROW(s_w_data)                                                       \
    STROBE(s_w_strb, s_w_valid)                                         \
    FIELD(bool, s_w_last, 1, s_w_valid)                                 \
    BIT(m_b_ready)                                                      \
    WORD(uint8_t, m_axi_arready, 4)                                     \
    WORD(uint8_t, m_axi_rvalid, 4)                                      \
    WORD(uint16_t, m_axi_rid, 16)                                       \
    LANES(uint64_t, m_axi_rdata, 64, ACE_ROW_WORDS / 2, ACE_EVERY_LANE) \
    LANES(uint8_t, m_axi_rresp, 2, ACE_AXI_CHANNELS, m_axi_rvalid)      \
    WORD(uint8_t, m_axi_rlast, 4)                                       \
    WORD(uint8_t, m_axi_awready, 4)                                     \
    WORD(uint8_t, m_axi_wready, 4)                                      \
    WORD(uint8_t, m_axi_bvalid, 4)                                      \
    WORD(uint16_t, m_axi_bid, 16)                                       \
    LANES(uint8_t, m_axi_bresp, 2, ACE_AXI_CHANNELS, m_axi_bvalid)

#define ACE_AXI_SPLIT_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)    \
    BIT(s_ar_ready)                                                    \
    BIT(m_r_valid)                                                     \
    ROW(m_r_data)                                                      \
    FIELD(bool, m_r_last, 1, m_r_valid)                                \
    FIELD(uint8_t, m_r_resp, 2, m_r_valid)                             \
    BIT(s_aw_ready)                                                    \
    BIT(s_w_ready)                                                     \
    BIT(m_b_valid)                                                     \
    FIELD(uint8_t, m_b_resp, 2, m_b_valid)                             \
    WORD(uint8_t, m_axi_arvalid, 4)                                    \
    WORD(uint16_t, m_axi_arid, 16)                                     \
    LANES(uint64_t, m_axi_araddr, 64, ACE_AXI_CHANNELS, m_axi_arvalid) \
    LANES(uint8_t, m_axi_arlen, 8, ACE_AXI_CHANNELS, m_axi_arvalid)    \
    WORD(uint16_t, m_axi_arsize, 12)                                   \
    WORD(uint8_t, m_axi_arburst, 8)                                    \
    WORD(uint8_t, m_axi_arlock, 4)                                     \
    LANES(uint8_t, m_axi_arcache, 4, ACE_AXI_CHANNELS, m_axi_arvalid)  \
    LANES(uint8_t, m_axi_arprot, 3, ACE_AXI_CHANNELS, m_axi_arvalid)   \
    LANES(uint8_t, m_axi_arqos, 4, ACE_AXI_CHANNELS, m_axi_arvalid)    \
    WORD(uint8_t, m_axi_rready, 4)                                     \
    WORD(uint8_t, m_axi_awvalid, 4)                                    \
    WORD(uint16_t, m_axi_awid, 16)                                     \
    LANES(uint64_t, m_axi_awaddr, 64, ACE_AXI_CHANNELS, m_axi_awvalid) \
    LANES(uint8_t, m_axi_awlen, 8, ACE_AXI_CHANNELS, m_axi_awvalid)    \
    WORD(uint16_t, m_axi_awsize, 12)                                   \
    WORD(uint8_t, m_axi_awburst, 8)                                    \
    WORD(uint8_t, m_axi_awlock, 4)                                     \
    LANES(uint8_t, m_axi_awcache, 4, ACE_AXI_CHANNELS, m_axi_awvalid)  \
    LANES(uint8_t, m_axi_awprot, 3, ACE_AXI_CHANNELS, m_axi_awvalid)   \
    LANES(uint8_t, m_axi_awqos, 4, ACE_AXI_CHANNELS, m_axi_awvalid)    \
    WORD(uint8_t, m_axi_wvalid, 4)                                     \
    LANES(uint64_t, m_axi_wdata, 64, ACE_ROW_WORDS / 2,                \
          ACE_AXI_SPLIT_WORDS(m_axi_wvalid, m_axi_awsize))             \
    LANES(uint64_t, m_axi_wstrb, 64, ACE_ROW_BYTES / 64,               \
          ACE_AXI_SPLIT_STROBES(m_axi_wvalid, m_axi_awsize))           \
    LANES(bool, m_axi_wlast, 1, ACE_AXI_CHANNELS, m_axi_wvalid)        \
    WORD(uint8_t, m_axi_bready, 4)                                     \
    BIT(idle)

typedef struct ace_axi_split_in {
    ACE_PORTS(ACE_AXI_SPLIT_INPUTS)
} ace_axi_split_in;
typedef struct ace_axi_split_out {
    ACE_PORTS(ACE_AXI_SPLIT_OUTPUTS)
} ace_axi_split_out;

typedef struct ace_axi_split {
    uint32_t channels, rows, id_width, id;
    bool ar_ready, aw_ready, w_ready, r_valid, b_valid;    /* the engine's side */
    uint8_t ar_valid, aw_valid, w_valid, r_ready, b_ready; /* a bit a channel */
    ace_axi_lane ar[ACE_AXI_CHANNELS], r[ACE_AXI_CHANNELS], aw[ACE_AXI_CHANNELS],
        w[ACE_AXI_CHANNELS], b[ACE_AXI_CHANNELS];
    ace_row row;     /* m_r_data */
    ace_row written; /* s_w_data as it last was */
} ace_axi_split;

/* In its reset state.  channels: 2 or 4; rows: 4, 8 or 16; id_width: 1..4; id: of as many bits.
 * ACE_OK, ACE_EINVAL or ACE_ENOMEM. */
int ace_axi_split_create(unsigned channels, unsigned rows, unsigned id_width, unsigned id,
                         ace_axi_split **split);
void ace_axi_split_destroy(ace_axi_split *a); /* NULL is allowed */
void ace_axi_split_reset(ace_axi_split *a);   /* a rising edge with rst high */
void ace_axi_split_state(ace_axi_split *a, ace_state *s);
void ace_axi_split_eval(const ace_axi_split *a, ace_axi_split_out *out);
void ace_axi_split_tick(ace_axi_split *a, const ace_axi_split_in *in);
/* Nothing changes without input. */
bool ace_axi_split_idle(const ace_axi_split *a);
static inline void ace_axi_split_skip(ace_axi_split *a, uint64_t cycles) {
    (void)a;
    (void)cycles;
}

#ifdef __cplusplus
}
#endif
#endif
