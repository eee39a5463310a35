// SPDX-License-Identifier: Apache-2.0
//
// ace_sc_pins.cc -- connects Verilator's SystemC module to signals, and wraps them as a core
//
// ace_node_pin_names.h is made from the ports of rtl/ace_node.v:
//
//     #define ACE_NODE_PIN_NAMES(IN, OUT) IN(rst) ... OUT(count)      all but clk
//
// Signals have the types that Verilator gave the ports, so a pin that is added to the RTL has
// its signal, its connection and its trace without being named here.

#include "ace_sc_pins.h"

#include <array>
#include <string>

#include "Vace_node_sc.h"
#include "ace_node_pin_names.h"
#include "ace_program.h"
#include "ace_rtl_pins.h"

namespace ace {

namespace {

// Written by the node's thread, and in the reset by the pins.
template <class T> using Signal = sc_core::sc_signal<T, sc_core::SC_MANY_WRITERS>;

// A port's type of value, and the plain one of a pin's image: a number or 32-bit words.
template <class T> struct Value {
    typedef T image;
    static void load(image &to, const T &from) { to = from; }
    static const T &signal(const image &from) { return from; }
    static void trace(sc_core::sc_trace_file *file, const Signal<T> &s) {
        sc_core::sc_trace(file, s, s.name());
    }
};
template <int W> struct Value<sc_dt::sc_bv<W>> {
    typedef std::array<uint32_t, (W + 31) / 32> image;
    static void load(image &to, const sc_dt::sc_bv<W> &from) {
        for (size_t i = 0; i < to.size(); i++) to[i] = from.get_word(int(i));
    }
    static sc_dt::sc_bv<W> signal(const image &from) {
        sc_dt::sc_bv<W> to;
        for (size_t i = 0; i < from.size(); i++) to.set_word(int(i), from[i]);
        return to;
    }
    static void trace(sc_core::sc_trace_file *, const Signal<sc_dt::sc_bv<W>> &) {}
};
#define VALUE(name) std::remove_reference_t<decltype(Vace_node_sc::name)>::data_type

struct Signals {
#define SIGNAL(name) Signal<VALUE(name)> name{ #name };
    ACE_NODE_PIN_NAMES(SIGNAL, SIGNAL)
#undef SIGNAL
};

struct Image {
#define MEMBER(name) Value<VALUE(name)>::image name{};
    ACE_NODE_PIN_NAMES(MEMBER, MEMBER)
#undef MEMBER
};

} // namespace

struct Pins::Rtl {
    ace_core base; /* first: the core is this */
    Pins &pins;
    const sc_core::sc_time period;
    Vace_node_sc model{ "rtl" };
    Signals signals;
    Image image;
    ace_pins_out out{};
    uint64_t cycle = 0, edges = 0; /* a rising edge ends each cycle, and one is the reset's */

    Rtl(Pins &p, sc_core::sc_time t) : base{ core_class() }, pins(p), period(t) {
#define CONNECT(name) model.name(signals.name);
        ACE_NODE_PIN_NAMES(CONNECT, CONNECT)
#undef CONNECT
    }

    static Rtl *self(ace_core *core) { return reinterpret_cast<Rtl *>(core); }

    void drive(const ace_pins_in &in) {
        ace_rtl_drive(image, in);
        write();
    }

    void write() {
#define WRITE(name) signals.name.write(Value<VALUE(name)>::signal(image.name));
#define NOTHING(name)
        ACE_NODE_PIN_NAMES(WRITE, NOTHING)
#undef WRITE
    }

    static const ace_pins_out *outputs(ace_core *core) {
        Rtl *r = self(core);
#define READ(name) Value<VALUE(name)>::load(r->image.name, r->signals.name.read());
        ACE_NODE_PIN_NAMES(NOTHING, READ)
#undef READ
        ace_rtl_sample(r->image, true, r->out);
        return &r->out;
    }

    static void tick(ace_core *core, const ace_pins_in *in) {
        Rtl *r = self(core);
        r->drive(*in);
        sc_core::wait(r->period);
        r->drive(ace_pins_in{}); // the node may sleep from here on
        r->count_cycles(1);
    }

    // The clock has risen as often as cycles have gone by, or this is no core.
    void count_cycles(uint64_t cycles) {
        cycle += cycles;
        if (edges != cycle + 1)
            SC_REPORT_FATAL("ace", (std::string(pins.name()) + ": found " + std::to_string(edges) +
                                    " rising edges of clk by cycle " + std::to_string(cycle) +
                                    ", expected one a period from time 0")
                                       .c_str());
    }

    static void skip(ace_core *core, uint64_t cycles) { self(core)->count_cycles(cycles); }

    static void reset(ace_core *core) {
        Rtl *r = self(core);
        const ace_pins_in none{};
        r->image.rst = true;
        tick(core, &none);
        r->image.rst = false;
        r->write();
    }

    static void counts(const ace_core *core, ace_counts to) {
        const auto &pin = self(const_cast<ace_core *>(core))->signals.count;
        Value<VALUE(count)>::image words;
        Value<VALUE(count)>::load(words, pin.read());
        ace_rtl_counts(words, to);
    }

    static void dump(const ace_core *core, FILE *to) {
        const ace_pins_out *o = outputs(const_cast<ace_core *>(core));
        std::fprintf(to, "  pins: idle %d, takes commands %d, reads memory %d, writes memory %d\n",
                     o->idle, o->cmd_ready, o->ar_valid, o->w_valid);
    }

    static const ace_core_class *core_class() {
        static const ace_core_class k = {
            "pins", [](ace_core *) {}, reset, outputs, tick, skip, counts, dump, nullptr, nullptr
        };
        return &k;
    }
};

Pins::Pins(sc_core::sc_module_name name, sc_core::sc_time period, const ace_config &config)
    : sc_module(name), clk("clk") {
    Verilated::randReset(2); // registers hold noise before the reset
    Verilated::threadContextp()->threads(
        1); // SystemC has one thread, so Verilator must not start others
    rtl_ = std::make_unique<Rtl>(*this, period);
    rtl_->model.clk(clk);
    ace_config filled = config;
    ace_program_defaults(&filled);
    ace_rtl_configure(rtl_->image, filled);
    rtl_->image.rst = true;
    rtl_->write();
    SC_HAS_PROCESS(Pins);
    SC_METHOD(rises);
    sensitive << clk.pos();
    dont_initialize();
}

Pins::~Pins() { rtl_->model.final(); }

// The first edge is the reset's.
void Pins::rises() {
    if (rtl_->edges++ == 0) {
        rtl_->image.rst = false;
        rtl_->signals.rst.write(false);
    }
}

ace_core *Pins::core() { return &rtl_->base; }

void Pins::trace(sc_core::sc_trace_file *file) const {
    sc_core::sc_trace(file, clk, clk.name());
#define TRACE(pin) Value<VALUE(pin)>::trace(file, rtl_->signals.pin);
    ACE_NODE_PIN_NAMES(TRACE, TRACE)
#undef TRACE
}

} // namespace ace
