/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_axil_slave.c -- the twin of rtl/ace_axil_slave.v: one edge of the AXI4-Lite handshakes
 *
 * A tick first latches the answer to a read. Then it takes the address and the data of a write,
 * which may come in either order. Last it sets the response and the valid flags. The caller
 * provides the answers of the registers.
 */
#include "ace_axil_slave.h"

static uint32_t bits(uint8_t bytes) {
    uint32_t mask = 0;
    for (unsigned b = 0; b < 4; b++)
        if (bytes >> b & 1) mask |= 0xffu << 8 * b;
    return mask;
}

ace_axil_bits ace_axil_slave_m_write(const ace_axil_slave *s) {
    return (ace_axil_bits){ s->w_data, ~bits(s->w_strb) };
}

static bool allowed(uint8_t prot) { return !((prot ^ ACE_AXIL_PROT) & ACE_AXIL_PROT_MASK); }

void ace_axil_slave_tick(ace_axil_slave *s, const ace_axil_in *in,
                         const ace_axil_answers *answers) {
    if (ace_axil_slave_read(s, in)) {
        const bool reads = allowed(in->s_axil_arprot);
        s->r_data = reads ? answers->read_word : 0;
        s->r_resp = reads && answers->read_known ? ACE_OKAY : ACE_SLVERR;
    }
    const bool writes = s->aw_allowed;
    if (!s->aw_full) {
        s->aw_addr = in->s_axil_awaddr;
        s->aw_allowed = allowed(in->s_axil_awprot);
    }
    if (!s->w_full) {
        s->w_data = in->s_axil_wdata & bits(in->s_axil_wstrb);
        s->w_strb = in->s_axil_wstrb;
    }
    const bool write = answers->write;
    s->aw_full = !write && (s->aw_full || in->s_axil_awvalid);
    s->w_full = !write && (s->w_full || in->s_axil_wvalid);
    if (write) s->b_resp = writes && answers->write_known ? ACE_OKAY : ACE_SLVERR;
    s->b_valid = write || (s->b_valid && !in->s_axil_bready);
    s->r_valid = s->r_valid ? !in->s_axil_rready : in->s_axil_arvalid;
}
