// SPDX-License-Identifier: Apache-2.0
//
// ace_rtl_engine_core.h -- a Verilated engine: pins in, pins out, one clock a tick
//
// A template over the class that Verilator makes of one parameter set; ace_rtl_set.cc makes one of
// each set that has an engine.
#ifndef ACE_RTL_ENGINE_CORE_H
#define ACE_RTL_ENGINE_CORE_H

#include "ace_engine.h"
#include "ace_rtl_pins.h"
#include "ace_rtl_record.h"

#include <cstring>
#include <memory>
#include <new>
#include <verilated.h>

#include "ace_rtl_trace.h"

namespace {

template <class Model> struct RtlEngine {
    ace_engine base{};
    VerilatedContext context; // before the model, which it outlives
    std::unique_ptr<Model> top;
    std::unique_ptr<ace_rtl_record<Model>> record;
    ace_rtl_trace<Model> trace;
    uint64_t now = 0;
    bool payload = false;
    ace_pins_out out{};

    static RtlEngine *self(ace_core *c) { return reinterpret_cast<RtlEngine *>(c); }

    // A cycle is shown from the edge that begins it: what that left, and this cycle's inputs.
    void edge() {
        const bool shown = trace.shows(now);
        if (shown) {
            top->eval();
            trace.high(now);
        }
        top->clk = 0;
        top->eval();
        record->pins();
        if (shown) trace.low(now);
        top->clk = 1;
        top->eval();
        now++;
    }

    static void reset(ace_core *core) {
        RtlEngine *e = self(core);
        e->top->rst = 1;
        e->edge();
        e->top->rst = 0;
        e->now--;
    }

    static void destroy(ace_core *core) {
        RtlEngine *e = self(core);
        e->trace.close();
        e->top->final();
        Verilated::threadContextp(&e->context); // which a model's scopes leave
        delete e;
    }

#define SAMPLE(name) o.name = t.name
    static void sample_flag(const Model &t, ace_flag_out &o) {
        SAMPLE(m_flag_aw_valid);
        SAMPLE(m_flag_aw_addr);
        SAMPLE(m_flag_aw_len);
        SAMPLE(m_flag_aw_size);
        SAMPLE(m_flag_aw_burst);
        SAMPLE(m_flag_aw_prot);
        SAMPLE(m_flag_w_valid);
        SAMPLE(m_flag_w_data);
        SAMPLE(m_flag_w_strb);
        SAMPLE(m_flag_w_last);
        SAMPLE(s_flag_b_ready);
    }
    static const ace_pins_out *outputs(ace_core *core) {
        RtlEngine *e = self(core);
        Model &t = *e->top;
        ace_axil_out &o = e->base.out;
        SAMPLE(s_axil_awready);
        SAMPLE(s_axil_wready);
        SAMPLE(s_axil_bvalid);
        SAMPLE(s_axil_bresp);
        SAMPLE(s_axil_arready);
        SAMPLE(s_axil_rvalid);
        SAMPLE(s_axil_rdata);
        SAMPLE(s_axil_rresp);
        SAMPLE(irq);
        sample_flag(t, e->base.flag_out);
        ace_rtl_sample_streams(t, e->payload, e->out);
        std::memcpy(e->out.link_count, &t.link_count[0],
                    ace_rtl_links<Model> * sizeof *e->out.link_count);
        e->out.idle = t.idle && !ace_axil_offered(&e->base.in);
        return &e->out;
    }
#undef SAMPLE

#define DRIVE(name) t.name = a.name
    static void tick(ace_core *core, const ace_pins_in *in) {
        RtlEngine *e = self(core);
        Model &t = *e->top;
        const ace_axil_in &a = e->base.in;
        DRIVE(s_axil_awvalid);
        DRIVE(s_axil_awaddr);
        DRIVE(s_axil_awprot);
        DRIVE(s_axil_wvalid);
        DRIVE(s_axil_wdata);
        DRIVE(s_axil_wstrb);
        DRIVE(s_axil_bready);
        DRIVE(s_axil_arvalid);
        DRIVE(s_axil_araddr);
        DRIVE(s_axil_arprot);
        DRIVE(s_axil_rready);
        const ace_flag_in &f = e->base.flag_in;
        t.m_flag_aw_ready = f.m_flag_aw_ready;
        t.m_flag_w_ready = f.m_flag_w_ready;
        t.s_flag_b_valid = f.s_flag_b_valid;
        t.s_flag_b_resp = f.s_flag_b_resp;
        ace_rtl_drive_streams(t, *in);
        e->edge();
    }
#undef DRIVE

    // Software reads counters in registers, so idle cycles are run and not just added.
    static void skip(ace_core *core, uint64_t cycles) {
        const ace_pins_in quiet{};
        for (; cycles > 0; cycles--) tick(core, &quiet);
    }

    static void counts(const ace_core *core, ace_counts to) {
        ace_rtl_counts(reinterpret_cast<const RtlEngine *>(core)->top->count, to);
    }

    static void dump(const ace_core *core, FILE *to) {
        const auto *e = reinterpret_cast<const RtlEngine *>(core);
        std::fprintf(to, "  rtl: idle %d, interrupt %d, reads memory %d, writes memory %d\n",
                     e->top->idle, e->top->irq, e->top->m_ar_valid, e->top->m_w_valid);
    }

    static void time(ace_core *core, uint64_t cycle) {
        RtlEngine *e = self(core);
        e->now = cycle;
        e->trace.time(cycle, *e->top, e->payload);
    }

    static void state(ace_core *, ace_state *s) { s->failed = true; }

    static int create(bool payload, uint32_t seed, const ace_rtl_wave *wave,
                      ace_engine **engine) try {
        static const ace_core_class core_class = { "rtl", destroy, reset, outputs, tick,
                                                   skip,  counts,  dump,  time,    state };
        auto e = std::make_unique<RtlEngine>();
        e->base.core.class_ = &core_class;
        ace_rtl_prepare(e->context, int(seed * 2654435761u | 1u), wave != nullptr);
        e->top = std::make_unique<Model>(&e->context, "engine");
        e->record = std::make_unique<ace_rtl_record<Model>>(e->context, *e->top);
        e->payload = payload;
        e->trace.ask(wave);
        const ace_pins_in quiet{};
        std::memset(&e->top->rx_data[0], 0, sizeof e->top->rx_data);
        ace_rtl_drive_streams(*e->top, quiet);
        reset(&e->base.core);
        outputs(&e->base.core);
        *engine = &e.release()->base;
        return ACE_OK;
    } catch (const std::bad_alloc &) {
        return ACE_ENOMEM;
    }
};

} // namespace

#endif
