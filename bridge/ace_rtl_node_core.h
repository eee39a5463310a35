// SPDX-License-Identifier: Apache-2.0
//
// ace_rtl_node_core.h -- a Verilated node as a core: pins in, pins out, one clock a tick
//
// A template over the class that Verilator makes of one parameter set; ace_rtl_set.cc makes one of
// each set.
#ifndef ACE_RTL_NODE_CORE_H
#define ACE_RTL_NODE_CORE_H

#include "ace_core.h"
#include "ace_program.h"
#include "ace_rtl_pins.h"
#include "ace_rtl_placed.h"
#include "ace_rtl_record.h"
#include "ace_rtl_registers.h"
#include "ace_rtl_saved.h"
#include "ace_rtl_trace.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <new>
#include <verilated.h>

// The class of a core of the RTL, which ace_rtl_core_registers() and ace_rtl_core_settle() ask.
struct RtlClass {
    ace_core_class core;
    void (*registers)(ace_core *, ace_rtl_register_see *, void *);
    void (*settle)(ace_core *, bool counts);
};

namespace {

// Has a model take the clock for low, so that the next evaluation finds it rising.  False: of this
// version of Verilator it is not known how.
template <class Root> bool ace_rtl_fall(Root &root) {
#if VERILATOR_VERSION_INTEGER >= 5006000 && VERILATOR_VERSION_INTEGER < 5007000 && !VM_COVERAGE
    root.__Vtrigrprev__TOP__clk = 0;
    return true;
#else
    (void)root;
    return false;
#endif
}

// The RTL counts cycles it is run; those skipped while idle are added here.
template <class Model> struct RtlCore {
    ace_core base;
    VerilatedContext context;
    std::unique_ptr<Model> top;
    std::unique_ptr<ace_rtl_record<Model>> record;
    ace_rtl_trace<Model> trace;
    uint64_t now = 0, skipped = 0;
    bool payload = false, fresh = false, evaluated = false;
    ace_pins_out out{};

    static RtlCore *self(ace_core *c) { return reinterpret_cast<RtlCore *>(c); }
    static const RtlCore *self(const ace_core *c) { return reinterpret_cast<const RtlCore *>(c); }

    // The waveform shows a cycle from the edge that begins it: the state after that edge, and this
    // cycle's inputs.
    //
    // With the clock low nothing in the node changes. Verilator would still evaluate the logic that
    // depends on the inputs, and evaluate it again with the clock high. If no waveform shows the
    // low clock, the model is only given the low value, and evaluated once. It must have been
    // evaluated in full before.
    void edge() {
        const bool shown = trace.shows(now);
        if (shown) {
            top->eval();
            trace.high(now);
        }
        if (!evaluated || shown || record->active() || !ace_rtl_fall(*top->rootp)) {
            top->clk = 0;
            top->eval();
            record->pins();
            if (shown) trace.low(now);
        }
        top->clk = 1;
        top->eval();
        now++;
        fresh = false;
        evaluated = true;
    }

    static void reset(ace_core *core) {
        RtlCore *c = self(core);
        c->top->rst = 1;
        c->edge();
        c->top->rst = 0;
        c->now--;
        c->skipped = 0;
    }

    static void destroy(ace_core *core) {
        RtlCore *c = self(core);
        c->trace.close();
        c->top->final();
        Verilated::threadContextp(&c->context); // which a model's scopes leave
        delete c;
    }

    static const ace_pins_out *outputs(ace_core *core) {
        RtlCore *c = self(core);
        if (c->fresh) return &c->out;
        c->fresh = true;
        ace_rtl_sample(*c->top, c->payload, c->out);
        return &c->out;
    }

    static void tick(ace_core *core, const ace_pins_in *in) {
        RtlCore *c = self(core);
        ace_rtl_drive(*c->top, *in);
        c->edge();
    }

    static void skip(ace_core *core, uint64_t cycles) {
        RtlCore *c = self(core);
        c->trace.rest(c->now);
        c->skipped += cycles;
        c->now += cycles;
    }

    static void counts(const ace_core *core, ace_counts to) {
        const RtlCore *c = self(core);
        ace_rtl_counts(c->top->count, to);
        for (unsigned u = 0; u < ACE_UNITS; u++)
            if (ace_unit_is_there(u, ace_rtl_links<Model> / 2)) to[u][3] += c->skipped;
    }

    static void dump(const ace_core *core, FILE *to) {
        const ace_pins_out *o = outputs(const_cast<ace_core *>(core));
        std::fprintf(to, "  rtl: idle %d, takes commands %d, reads memory %d, writes memory %d\n",
                     o->idle, o->cmd_ready, o->ar_valid, o->w_valid);
        ace_counts counted;
        counts(core, counted);
        for (unsigned l = 0; l < ace_rtl_links<Model>; l++)
            std::fprintf(to, "  link %u: %llu cycles busy, %llu blocked\n", l,
                         (unsigned long long)counted[l][0], (unsigned long long)counted[l][2]);
    }

    static void time(ace_core *core, uint64_t cycle) {
        RtlCore *c = self(core);
        c->now = cycle;
        c->trace.time(cycle, *c->top, c->payload);
    }

    // The cfg_* pins are registers of the model; the waveform is of the run, not of its state.
    static void state(ace_core *core, ace_state *s) {
        RtlCore *c = self(core);
        const bool loaded = ace_rtl_saved("rtl", *c->top, s);
        ace_state_bytes(s, &c->now, sizeof c->now);
        ace_state_bytes(s, &c->skipped, sizeof c->skipped);
        if (!loaded || s->failed) return;
        c->context.traceEverOn(c->trace.asked()); // of this run, not of the one saved
        c->fresh = c->evaluated = false;
    }

    static void registers(ace_core *core, ace_rtl_register_see *see, void *to) {
        ace_rtl_each_register(*self(core)->top, see, to);
    }

    static void settle(ace_core *core, bool counts) {
        RtlCore *c = self(core);
        Registers<Model>::settle(*c->top);
        if (counts) c->skipped = 0;
        c->fresh = c->evaluated = false;
    }

    static const ace_core_class *core_class() {
        static const RtlClass k = { { "rtl", destroy, reset, outputs, tick, skip, counts, dump,
                                      time, state },
                                    registers,
                                    settle };
        return &k.core;
    }

    static int create(const ace_config *cfg, bool payload, uint32_t seed, const ace_rtl_wave *wave,
                      ace_core **core) try {
        ace_config filled = *cfg;
        if (ace_program_defaults(&filled) != ACE_OK) return ACE_EINVAL;
        auto c = std::make_unique<RtlCore>();
        c->base.class_ = core_class();
        ace_rtl_prepare(c->context, int(seed * 2654435761u | 1u), wave != nullptr);
        c->top = std::make_unique<Model>(&c->context, "node");
        c->record = std::make_unique<ace_rtl_record<Model>>(c->context, *c->top);
        c->payload = payload;
        c->trace.ask(wave);
        ace_rtl_configure(*c->top, filled);
        reset(&c->base);
        *core = &c.release()->base;
        return ACE_OK;
    } catch (const std::bad_alloc &) {
        return ACE_ENOMEM;
    }
};

} // namespace

#endif
