/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_axil_master.h -- one AXI4-Lite access at a time, a cycle at a time
 *
 *     ace_axil_write(&m, ACE_MAP_CONTROL, 0);       or ace_axil_read(&m, ACE_MAP_STATUS)
 *     do {
 *         ace_axil_drive(&m, &engine->in);
 *         ended = ace_axil_step(&m, &engine->out);  m.data and m.resp are the answer
 *         ... the rising edge
 *     } while (!ended);
 *
 * A write takes 3 cycles, a read 2, when the slave makes nobody wait.
 */
#ifndef ACE_AXIL_MASTER_H
#define ACE_AXIL_MASTER_H

#include "ace_control.h"

typedef struct ace_axil_master {
    bool aw, w, ar; /* still to be taken */
    bool busy, writes;
    uint16_t offset;
    uint32_t data; /* to write; of a read that has ended */
    uint8_t resp;
    uint8_t prot; /* AxPROT: a driver's accesses are privileged, 1 */
} ace_axil_master;

static inline void ace_axil_write(ace_axil_master *m, uint32_t offset, uint32_t value) {
    const ace_axil_master next = { .aw = true,
                                   .w = true,
                                   .busy = true,
                                   .writes = true,
                                   .offset = (uint16_t)offset,
                                   .data = value,
                                   .prot = ACE_AXIL_PROT };

    *m = next;
}

static inline void ace_axil_read(ace_axil_master *m, uint32_t offset) {
    const ace_axil_master next = {
        .ar = true, .busy = true, .offset = (uint16_t)offset, .prot = ACE_AXIL_PROT
    };

    *m = next;
}

/* The pins of this cycle. */
static inline void ace_axil_drive(const ace_axil_master *m, ace_axil_in *in) {
    const ace_axil_in next = { .s_axil_awvalid = m->aw,
                               .s_axil_awaddr = m->offset,
                               .s_axil_awprot = m->prot,
                               .s_axil_wvalid = m->w,
                               .s_axil_wdata = m->data,
                               .s_axil_wstrb = 15,
                               .s_axil_bready = true,
                               .s_axil_arvalid = m->ar,
                               .s_axil_araddr = m->offset,
                               .s_axil_arprot = m->prot,
                               .s_axil_rready = true };

    *in = next;
}

/* Takes the slave's pins of this cycle; returns true when the access ends. */
static inline bool ace_axil_step(ace_axil_master *m, const ace_axil_out *out) {
    const bool ends = m->busy && (m->writes ? out->s_axil_bvalid : out->s_axil_rvalid);
    m->aw = m->aw && !out->s_axil_awready;
    m->w = m->w && !out->s_axil_wready;
    m->ar = m->ar && !out->s_axil_arready;
    if (!ends) return false;
    m->busy = false;
    m->resp = m->writes ? out->s_axil_bresp : out->s_axil_rresp;
    if (!m->writes) m->data = out->s_axil_rdata;
    return true;
}

#endif
