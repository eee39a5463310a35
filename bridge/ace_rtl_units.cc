/* SPDX-License-Identifier: Apache-2.0 */
/* ace_rtl_units.cc -- verilated classes of the units, which never leave this file */
#include "ace_rtl_units.h"

#include <algorithm>
#include <memory>
#include <new>
#include <type_traits>

#include "Vace_dispatcher.h"
#include "Vace_dispatcher_small.h"
#include "Vace_link_port.h"
#include "Vace_link_port_small.h"
#include "Vace_memory_interface.h"
#include "Vace_memory_interface_small.h"
#include "Vace_rx_dma.h"
#include "Vace_scheduler.h"
#include "Vace_scheduler_small.h"
#include "Vace_tx_dma.h"

namespace {

template <class In, class Out> struct Unit {
    virtual ~Unit() = default;
    virtual void eval(Out &out) const = 0;
    virtual void settle(const In &in) = 0;
    virtual void tick(bool rst, const In &in) = 0;
};

template <class Model, class In, class Out> struct Verilated_ : Unit<In, Out> {
    VerilatedContext context; // before the model, which it outlives
    std::unique_ptr<Model> model;

    explicit Verilated_(int seed) {
        context.randReset(2);
        context.randSeed(seed);
        model = std::make_unique<Model>(&context, "unit");
        model->clk = 0;
        model->eval();
    }
    ~Verilated_() override { model->final(); }
    void eval(Out &out) const override { sample(*model, out); }
    void settle(const In &in) override {
        drive(*model, in);
        model->clk = 0;
        model->eval();
    }
    void tick(bool rst, const In &in) override {
        drive(*model, in);
        model->rst = rst;
        model->clk = 0;
        model->eval();
        model->clk = 1;
        model->eval();
    }
};

void set_strobes(uint32_t *pin, unsigned bytes) {
    for (unsigned w = 0; w < ACE_ROW_BYTES / 32; w++, bytes -= std::min(bytes, 32u))
        pin[w] = bytes >= 32 ? UINT32_MAX : (1u << bytes) - 1;
}

uint16_t get_strobes(const uint32_t *pin) {
    unsigned bytes = 0;
    while (bytes < ACE_ROW_BYTES && (pin[bytes / 32] >> bytes % 32 & 1)) bytes++;
    for (unsigned i = bytes; i < ACE_ROW_BYTES; i++)
        if (pin[i / 32] >> i % 32 & 1) return UINT16_MAX;
    return static_cast<uint16_t>(bytes);
}

#define DRIVE_BIT(name)              m.name = in.name;
#define DRIVE_WORD(type, name, bits) /* its width may be a parameter */ \
    m.name = static_cast<std::remove_reference_t<decltype(m.name)>>(in.name);
#define DRIVE_FIELD(type, name, bits, valid) m.name = in.name;
#define DRIVE_ROW(name) \
    if (in.name) std::copy_n(in.name, ACE_ROW_WORDS, &m.name[0]);
#define DRIVE_STROBE(name, valid)             set_strobes(&m.name[0], in.name);
#define SAMPLE_BIT(name)                      out.name = m.name;
#define SAMPLE_WORD(type, name, bits)         out.name = static_cast<type>(m.name);
#define SAMPLE_FIELD(type, name, bits, valid) out.name = static_cast<type>(m.name);
#define SAMPLE_ROW(name)                      out.name = &m.name[0];
#define SAMPLE_STROBE(name, valid)            out.name = get_strobes(&m.name[0]);
#define DRIVE(LIST)                           LIST(DRIVE_BIT, DRIVE_WORD, DRIVE_FIELD, DRIVE_ROW, DRIVE_STROBE)
#define SAMPLE(LIST)                          LIST(SAMPLE_BIT, SAMPLE_WORD, SAMPLE_FIELD, SAMPLE_ROW, SAMPLE_STROBE)

} // namespace

#define UNIT(unit, UNIT_, Small)                                                         \
    template <class M> static void drive(M &m, const ace_##unit##_in &in) {              \
        DRIVE(ACE_##UNIT_##_INPUTS)                                                      \
    }                                                                                    \
    template <class M> static void sample(M &m, ace_##unit##_out &out) {                 \
        SAMPLE(ACE_##UNIT_##_OUTPUTS)                                                    \
    }                                                                                    \
    struct ace_rtl_##unit {                                                              \
        using In = ace_##unit##_in;                                                      \
        using Out = ace_##unit##_out;                                                    \
        std::unique_ptr<Unit<In, Out>> unit;                                             \
    };                                                                                   \
    ace_rtl_##unit *ace_rtl_##unit##_create(bool small, int seed) try {                  \
        auto u = std::make_unique<ace_rtl_##unit>();                                     \
        using In = ace_##unit##_in;                                                      \
        using Out = ace_##unit##_out;                                                    \
        if (small)                                                                       \
            u->unit = std::make_unique<Verilated_<Small, In, Out>>(seed);                \
        else                                                                             \
            u->unit = std::make_unique<Verilated_<Vace_##unit, In, Out>>(seed);          \
        return u.release();                                                              \
    } catch (const std::bad_alloc &) {                                                   \
        return nullptr;                                                                  \
    }                                                                                    \
    void ace_rtl_##unit##_destroy(ace_rtl_##unit *u) { delete u; }                       \
    void ace_rtl_##unit##_eval(const ace_rtl_##unit *u, ace_##unit##_out *out) {         \
        u->unit->eval(*out);                                                             \
    }                                                                                    \
    void ace_rtl_##unit##_settle(ace_rtl_##unit *u, const ace_##unit##_in *in) {         \
        u->unit->settle(*in);                                                            \
    }                                                                                    \
    void ace_rtl_##unit##_tick(ace_rtl_##unit *u, bool rst, const ace_##unit##_in *in) { \
        u->unit->tick(rst, *in);                                                         \
    }

UNIT(link_port, LINK_PORT, Vace_link_port_small)
UNIT(memory_interface, MEMORY_INTERFACE, Vace_memory_interface_small)
UNIT(tx_dma, TX_DMA, Vace_tx_dma)
UNIT(rx_dma, RX_DMA, Vace_rx_dma)
UNIT(dispatcher, DISPATCHER, Vace_dispatcher_small)
UNIT(scheduler, SCHEDULER, Vace_scheduler_small)
