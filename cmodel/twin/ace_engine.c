/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_engine.c -- the twin of rtl/ace_engine.v: the control registers around a node core
 *
 * A tick reads the outputs of the control and of the node, and prepares the inputs of both from
 * the state before the edge. Then the control ticks, and after it the node. A stopped node ticks
 * only until its memory accesses end, and is then reset. The node takes its configuration in the
 * last cycle of the reset.
 */
#include "ace_engine.h"

#include <stdlib.h>
#include <string.h>

#include "ace_link_crc.h"

typedef struct cycle_engine {
    ace_engine base;
    ace_control *control;
    ace_core *node;
    bool held;             /* the node has been reset and is kept so */
    ace_control_out shown; /* of the present cycle */
    ace_pins_out out;
} cycle_engine;

static cycle_engine *self(ace_core *c) { return (cycle_engine *)c; }

static void engine_destroy(ace_core *core) {
    cycle_engine *e = self(core);
    if (e->node) e->node->class_->destroy(e->node);
    ace_control_destroy(e->control);
    free(e);
}

static void engine_reset(ace_core *core) {
    cycle_engine *e = self(core);
    ace_control_reset(e->control);
    e->node->class_->reset(e->node);
    e->held = true;
}

static bool engine_idle(const cycle_engine *e) {
    const ace_pins_out *n = e->node->class_->out(e->node);
    return e->shown.idle && (e->shown.m_core_rst ? !n->memory_busy : n->idle);
}

static const ace_pins_out *engine_out(ace_core *core) {
    cycle_engine *e = self(core);
    ace_control_eval(e->control, &e->shown);
    const ace_control_out *o = &e->shown;
    e->base.out = (ace_axil_out){ .s_axil_awready = o->s_axil_awready,
                                  .s_axil_wready = o->s_axil_wready,
                                  .s_axil_bvalid = o->s_axil_bvalid,
                                  .s_axil_bresp = o->s_axil_bresp,
                                  .s_axil_arready = o->s_axil_arready,
                                  .s_axil_rvalid = o->s_axil_rvalid,
                                  .s_axil_rdata = o->s_axil_rdata,
                                  .s_axil_rresp = o->s_axil_rresp,
                                  .irq = o->irq };
    e->base.flag_out = (ace_flag_out){ .m_flag_aw_valid = o->m_flag_aw_valid,
                                       .m_flag_aw_addr = o->m_flag_aw_addr,
                                       .m_flag_aw_len = o->m_flag_aw_len,
                                       .m_flag_aw_size = o->m_flag_aw_size,
                                       .m_flag_aw_burst = o->m_flag_aw_burst,
                                       .m_flag_aw_prot = o->m_flag_aw_prot,
                                       .m_flag_w_valid = o->m_flag_w_valid,
                                       .m_flag_w_data = o->m_flag_w_data,
                                       .m_flag_w_strb = o->m_flag_w_strb,
                                       .m_flag_w_last = o->m_flag_w_last,
                                       .s_flag_b_ready = o->s_flag_b_ready };
    e->out = *e->node->class_->out(e->node);
    e->out.cmd_ready = e->out.done_valid = e->out.mismatch = e->out.memory_busy = false;
    e->out.read_failed = e->out.write_failed = e->out.scratchpad_failed = false;
    e->out.protocol_failed = e->out.memory_lost = false;
    e->out.transfer_failed = e->out.parity_failed = false;
    e->out.link_failed = 0;
    e->out.link_state = 0;
    e->out.idle = engine_idle(e) && !ace_axil_offered(&e->base.in);
    return &e->out;
}

/* The command on the pins between ace_control and ace_node. */
static void hand_over(const ace_control_out *o, ace_pins_in *in) {
    in->cmd_valid = o->m_cmd_valid;
    if (!o->m_cmd_valid) return;
    in->cmd = (ace_command){ .kind = (ace_kind)o->m_cmd_kind,
                             .type = (ace_type)o->m_cmd_type,
                             .op = (ace_op)o->m_cmd_op,
                             .dim_count = o->m_cmd_dim_count,
                             .source = o->m_cmd_source,
                             .destination = o->m_cmd_destination,
                             .bytes = o->m_cmd_bytes,
                             .tag = o->m_cmd_tag,
                             .scale = o->m_cmd_scale };
    for (unsigned i = 0; i < ACE_DIMENSIONS; i++) in->cmd.dims[i] = o->m_cmd_dims >> 2 * i & 3;
}

static uint64_t selected(const cycle_engine *e) {
    const unsigned links = 2 * e->control->parameters.dimensions;
    const unsigned classes = (links + ACE_UNITS - ACE_LINKS) * ACE_CLASSES;
    if (e->shown.m_count_index >= classes) {
        const unsigned i = e->shown.m_count_index - classes;
        const ace_pins_out *o = e->node->class_->out(e->node);
        return i < links * ACE_LINK_COUNTS ? o->link_count[i / ACE_LINK_COUNTS][i % ACE_LINK_COUNTS]
                                           : 0;
    }
    ace_counts counts;
    e->node->class_->counts(e->node, counts);
    const unsigned unit = e->shown.m_count_index / ACE_CLASSES;
    return counts[unit < links ? unit : unit + ACE_LINKS - links]
                 [e->shown.m_count_index % ACE_CLASSES];
}

/* The links of a set whose bit of the head is 1 as it arrives, changed on the way or not. */
static unsigned arriving(const ace_rx_pins *rx, unsigned set, unsigned bit) {
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (rx->flipped >> l & 1 && rx->flip[l] == bit + 1) set ^= 1u << l;
    return set;
}

/* Long: one edge. The node's inputs are computed from the state before the edge. */
static void engine_tick(ace_core *core, const ace_pins_in *pins) {
    cycle_engine *e = self(core);
    (void)engine_out(core); /* inputs may have come since */
    const ace_control_out *o = &e->shown;
    const ace_pins_out *n = e->node->class_->out(e->node);
    const ace_axil_in *a = &e->base.in;
    const bool running = !o->m_core_rst;
    ace_pins_in in = *pins;
    hand_over(o, &in);
    in.fault_valid = o->m_fault_valid;
    in.fault = (ace_fault){ o->m_fault_bank, o->m_fault_word, o->m_fault_row, o->m_fault_mask };

    /* ---- what crosses pins in this cycle ---- */
    const bool ar = n->ar_valid && in.ar_ready, r = in.r_valid && n->r_ready;
    const bool aw = n->aw_valid && in.aw_ready, w = n->w_valid && in.w_ready;
    const bool b = in.b_valid && n->b_ready;
    const ace_control_in to = {
        .s_axil_awvalid = a->s_axil_awvalid,
        .s_axil_awaddr = a->s_axil_awaddr,
        .s_axil_awprot = a->s_axil_awprot,
        .s_axil_wvalid = a->s_axil_wvalid,
        .s_axil_wdata = a->s_axil_wdata,
        .s_axil_wstrb = a->s_axil_wstrb,
        .s_axil_bready = a->s_axil_bready,
        .s_axil_arvalid = a->s_axil_arvalid,
        .s_axil_araddr = a->s_axil_araddr,
        .s_axil_arprot = a->s_axil_arprot,
        .s_axil_rready = a->s_axil_rready,
        .m_cmd_ready = n->cmd_ready,
        .s_done_valid = n->done_valid,
        .s_done_tag = n->done_tag,
        .s_core_idle = n->idle,
        .s_moved = n->tx_valid || arriving(&in.rx, in.rx.valid, ACE_FRAME_PACKET) ||
                   n->tx_grant_valid || arriving(&in.rx, in.rx.grant_valid, ACE_FRAME_GRANT) ||
                   ar || r || aw || w || b || (in.cmd_valid && n->cmd_ready) || n->done_valid,
        .s_memory_busy = n->memory_busy,
        .s_mismatch = n->mismatch,
        .s_link_failed = n->link_failed,
        .s_link_state = n->link_state,
        .s_read_failed = n->read_failed,
        .s_read_failed_resp = n->read_failed_resp,
        .s_read_failed_addr = n->read_failed_addr,
        .s_write_failed = n->write_failed,
        .s_write_failed_resp = n->write_failed_resp,
        .s_write_failed_addr = n->write_failed_addr,
        .s_protocol_failed = n->protocol_failed,
        .s_protocol_failed_addr = n->protocol_failed_addr,
        .s_memory_lost = n->memory_lost,
        .s_scratchpad_failed = n->scratchpad_failed,
        .s_scratchpad_failed_bank = n->scratchpad_failed_bank,
        .s_scratchpad_failed_row = n->scratchpad_failed_row,
        .s_count_corrected = n->count_corrected,
        .s_count_failed = n->count_failed,
        .s_transfer_failed = n->transfer_failed,
        .s_transfer_failed_list = n->transfer_failed_list,
        .s_transfer_failed_addr = n->transfer_failed_addr,
        .s_count_refused = n->count_refused,
        .s_parity_failed = n->parity_failed,
        .s_parity_failed_at = n->parity_failed_at,
        .s_count_parity = n->count_parity,
        .s_read_error = r && in.r_resp & 2,
        .s_write_error = b && in.b_resp & 2,
        .s_count = e->control->fetch ? selected(e) : 0,
        .m_flag_aw_ready = e->base.flag_in.m_flag_aw_ready,
        .m_flag_w_ready = e->base.flag_in.m_flag_w_ready,
        .s_flag_b_valid = e->base.flag_in.s_flag_b_valid,
        .s_flag_b_resp = e->base.flag_in.s_flag_b_resp,
    };

    /* ---- the rising edge ---- */
    ace_config cfg;
    ace_control_config(e->control, &cfg);
    ace_control_tick(e->control, &to);
    in.drain = !running;
    if (running || n->memory_busy) {
        e->node->class_->tick(e->node, &in);
        e->held = false;
        return;
    }
    if (e->control->run) /* the configuration of the last cycle of reset; it has been checked */
        (void)ace_cycle_core_configure(e->node, &cfg);
    else if (!e->held && !n->memory_lost) /* which only rst may end */
        e->node->class_->reset(e->node);
    e->held = true;
}

static void engine_skip(ace_core *core, uint64_t cycles) {
    cycle_engine *e = self(core);
    if (e->control->run) e->node->class_->skip(e->node, cycles);
}

static void engine_counts(const ace_core *core, ace_counts c) {
    const cycle_engine *e = (const cycle_engine *)core;
    e->node->class_->counts(e->node, c);
}

static void engine_dump(const ace_core *core, FILE *to) {
    const cycle_engine *e = (const cycle_engine *)core;
    const ace_control *c = e->control;
    fprintf(to, "  registers: %s, %u commands outstanding, %u completions queued, error code %u\n",
            c->run ? "running" : "stopped", c->owed, c->queued, c->error_code);
    e->node->class_->dump(e->node, to);
}

static void engine_state(ace_core *core, ace_state *s) {
    cycle_engine *e = self(core);
    ace_control_state(e->control, s);
    ACE_STATE(s, e->held);
    ACE_STATE(s, e->base.in);
    ACE_STATE(s, e->base.flag_in);
    if (s->loading && !s->failed && e->control->run) { /* what follows from the configuration */
        ace_config cfg;
        ace_control_config(e->control, &cfg);
        s->failed = ace_cycle_core_configure(e->node, &cfg) != ACE_OK;
    }
    e->node->class_->state(e->node, s);
}

static const ace_core_class engine_class = {
    .rung = "cycle",
    .destroy = engine_destroy,
    .reset = engine_reset,
    .out = engine_out,
    .tick = engine_tick,
    .skip = engine_skip,
    .counts = engine_counts,
    .dump = engine_dump,
    .state = engine_state,
};

int ace_cycle_engine_create(const ace_parameters *p, unsigned completions, bool payload,
                            ace_engine **engine) {
    cycle_engine *e = calloc(1, sizeof *e);
    if (!e) return ACE_ENOMEM;
    e->base.core.class_ = &engine_class;
    ace_config cfg = { 0 };
    int err = ace_control_create(p, completions, ACE_TRIGGER_SLOTS, true, &e->control);
    if (!err) ace_control_config(e->control, &cfg);
    if (!err) err = ace_cycle_core_create(p, &cfg, payload, &e->node);
    if (err) {
        engine_destroy(&e->base.core);
        return err;
    }
    engine_reset(&e->base.core);
    (void)engine_out(&e->base.core);
    *engine = &e->base;
    return ACE_OK;
}
