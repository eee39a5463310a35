/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_axil_slave.h -- AXI4-Lite, as registers see it: one write and one read at a time
 *
 * The C twin of rtl/ace_axil_slave.v, whose contract says when what is answered.
 */
#ifndef ACE_AXIL_SLAVE_H
#define ACE_AXIL_SLAVE_H

#include "ace_ports.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A beat of a channel moves when valid && ready. */
#define ACE_AXIL_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(s_axil_awvalid)                                       \
    FIELD(uint16_t, s_axil_awaddr, 12, s_axil_awvalid)        \
    FIELD(uint8_t, s_axil_awprot, 3, s_axil_awvalid)          \
    BIT(s_axil_wvalid)                                        \
    FIELD(uint32_t, s_axil_wdata, 32, s_axil_wvalid)          \
    FIELD(uint8_t, s_axil_wstrb, 4, s_axil_wvalid)            \
    BIT(s_axil_bready)                                        \
    BIT(s_axil_arvalid)                                       \
    FIELD(uint16_t, s_axil_araddr, 12, s_axil_arvalid)        \
    FIELD(uint8_t, s_axil_arprot, 3, s_axil_arvalid)          \
    BIT(s_axil_rready)

#define ACE_AXIL_SLAVE_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(s_axil_awready)                                              \
    BIT(s_axil_wready)                                               \
    BIT(s_axil_bvalid)                                               \
    FIELD(uint8_t, s_axil_bresp, 2, s_axil_bvalid)                   \
    BIT(s_axil_arready)                                              \
    BIT(s_axil_rvalid)                                               \
    FIELD(uint32_t, s_axil_rdata, 32, s_axil_rvalid)                 \
    FIELD(uint8_t, s_axil_rresp, 2, s_axil_rvalid)

typedef struct ace_axil_in {
    ACE_PORTS(ACE_AXIL_INPUTS)
} ace_axil_in;

/* PROT_MASK and PROT as the RTL has them by default: accesses must be privileged. */
enum { ACE_AXIL_PROT_MASK = 1, ACE_AXIL_PROT = 1 };

typedef struct ace_axil_slave {
    bool aw_full, w_full, b_valid, r_valid, aw_allowed;
    uint16_t aw_addr;
    uint32_t w_data, r_data;
    uint8_t w_strb, b_resp, r_resp;
} ace_axil_slave;

/* m_write_set, m_write_keep: the bits that are written, and those that stay. */
typedef struct ace_axil_bits {
    uint32_t set, keep;
} ace_axil_bits;

/* The registers' answers in a cycle. */
typedef struct ace_axil_answers {
    bool write, write_known; /* a write is carried out, and its register is known */
    bool read_known;         /* while a read is offered, as its word */
    uint32_t read_word;
} ace_axil_answers;

/* Both halves of a write have arrived and its answer has a slot: it is carried out unless
 * s_hold. */
static inline bool ace_axil_slave_write(const ace_axil_slave *s, bool s_hold) {
    return s->aw_full && s->w_full && !s->b_valid && !s_hold;
}
/* Is a byte of it written? */
static inline bool ace_axil_slave_writes(const ace_axil_slave *s) {
    return s->aw_allowed && s->w_strb != 0;
}
ace_axil_bits ace_axil_slave_m_write(const ace_axil_slave *s);
/* A read is taken in this cycle. */
static inline bool ace_axil_slave_read(const ace_axil_slave *s, const ace_axil_in *in) {
    return !s->r_valid && in->s_axil_arvalid;
}
void ace_axil_slave_tick(ace_axil_slave *s, const ace_axil_in *in, const ace_axil_answers *answers);
/* Nothing is here. */
static inline bool ace_axil_slave_idle(const ace_axil_slave *s) {
    return !s->aw_full && !s->w_full && !s->b_valid && !s->r_valid;
}

#ifdef __cplusplus
}
#endif
#endif
