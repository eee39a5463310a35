/* SPDX-License-Identifier: Apache-2.0 */
/* ace_rtl_units.cc -- verilated classes of the units, which never leave this file */
#include "ace_rtl_units.h"

#include <algorithm>
#include <memory>
#include <new>
#include <type_traits>

#include "Vace_cycle_classes.h"
#include "Vace_fsm.h"
#include "Vace_fsm_odd.h"
#include "Vace_fsm_small.h"
#include "Vace_link_port.h"
#include "Vace_link_port_small.h"
#include "Vace_memory_interface.h"
#include "Vace_memory_interface_small.h"
#include "Vace_row_fifo.h"
#include "Vace_row_fifo_small.h"
#include "Vace_rx_dma.h"
#include "Vace_scratchpad.h"
#include "Vace_scratchpad_small.h"
#include "Vace_switch.h"
#include "Vace_switch_small.h"
#include "Vace_tx_dma.h"

namespace {

template <class In, class Out> struct Unit {
    virtual ~Unit() = default;
    virtual void eval(Out &out) const = 0;
    virtual void settle(const In &in) = 0; // what follows the inputs follows them
    virtual void tick(bool rst, const In &in) = 0;
};

// A unit without registers to reset has no such pin.
template <class M> auto set_rst(M &m, bool rst, int) -> decltype(m.rst = rst, void()) {
    m.rst = rst;
}
template <class M> void set_rst(M &, bool, ...) {}

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
        set_rst(*model, rst, 0);
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

// A number inside a pin of any width; what lies beyond the pin is 0 and goes nowhere.
uint64_t low(unsigned bits) { return bits < 64 ? (uint64_t{ 1 } << bits) - 1 : UINT64_MAX; }

template <class Pin> uint64_t get_bits(const Pin &pin, unsigned at, unsigned bits) {
    if constexpr (std::is_integral_v<Pin>) {
        return at < 8 * sizeof pin ? uint64_t{ pin } >> at & low(bits) : 0;
    } else {
        uint64_t value = 0;
        for (unsigned i = 0, n; i < bits && at + i < 8 * sizeof pin; i += n) {
            n = std::min(32 - (at + i) % 32, bits - i);
            value |= (pin[(at + i) / 32] >> (at + i) % 32 & low(n)) << i;
        }
        return value;
    }
}

template <class Pin> void set_bits(Pin &pin, unsigned at, unsigned bits, uint64_t value) {
    if constexpr (std::is_integral_v<Pin>) {
        if (at < 8 * sizeof pin)
            pin = static_cast<Pin>((uint64_t{ pin } & ~(low(bits) << at)) | (value & low(bits))
                                                                                << at);
    } else {
        for (unsigned i = 0, n; i < bits && at + i < 8 * sizeof pin; i += n) {
            n = std::min(32 - (at + i) % 32, bits - i);
            const uint64_t mask = low(n) << (at + i) % 32;
            uint32_t &word = pin[(at + i) / 32];
            word = static_cast<uint32_t>((word & ~mask) | (value >> i << (at + i) % 32 & mask));
        }
    }
}

#define DRIVE_BIT(name)                      m.name = in.name;
#define DRIVE_WORD(type, name, bits)         m.name = in.name;
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

#define DRIVE_WHEN(type, name, bits, condition)  m.name = in.name;
#define SAMPLE_WHEN(type, name, bits, condition) out.name = static_cast<type>(m.name);
#define DRIVE_LANES(type, name, bits, count, mask) \
    for (unsigned i = 0; i < (count); i++) set_bits(m.name, i *(bits), bits, in.name[i]);
#define SAMPLE_LANES(type, name, bits, count, mask) \
    for (unsigned i = 0; i < (count); i++)          \
        out.name[i] = static_cast<type>(get_bits(m.name, i * (bits), bits));
#define DRIVE_WIDE(LIST)  LIST(DRIVE_BIT, DRIVE_WORD, DRIVE_FIELD, DRIVE_WHEN, DRIVE_LANES)
#define SAMPLE_WIDE(LIST) LIST(SAMPLE_BIT, SAMPLE_WORD, SAMPLE_FIELD, SAMPLE_WHEN, SAMPLE_LANES)

} // namespace

// Default, Small, Odd: the verilated classes of sets 0, 1 and 2.  DRIVE_, SAMPLE_: the kind of
// its lists.
#define UNIT_OF(unit, UNIT_, Default, Small, Odd, DRIVE_, SAMPLE_)                       \
    template <class M> static void drive(M &m, const ace_##unit##_in &in) {              \
        DRIVE_(ACE_##UNIT_##_INPUTS)                                                     \
    }                                                                                    \
    template <class M> static void sample(M &m, ace_##unit##_out &out) {                 \
        SAMPLE_(ACE_##UNIT_##_OUTPUTS)                                                   \
    }                                                                                    \
    struct ace_rtl_##unit {                                                              \
        using In = ace_##unit##_in;                                                      \
        using Out = ace_##unit##_out;                                                    \
        std::unique_ptr<Unit<In, Out>> unit;                                             \
    };                                                                                   \
    ace_rtl_##unit *ace_rtl_##unit##_create(unsigned set, int seed) try {                \
        auto u = std::make_unique<ace_rtl_##unit>();                                     \
        using In = ace_##unit##_in;                                                      \
        using Out = ace_##unit##_out;                                                    \
        if (set == 1)                                                                    \
            u->unit = std::make_unique<Verilated_<Small, In, Out>>(seed);                \
        else if (set == 2)                                                               \
            u->unit = std::make_unique<Verilated_<Odd, In, Out>>(seed);                  \
        else                                                                             \
            u->unit = std::make_unique<Verilated_<Default, In, Out>>(seed);              \
        return u.release();                                                              \
    } catch (const std::bad_alloc &) {                                                   \
        return nullptr;                                                                  \
    }                                                                                    \
    void ace_rtl_##unit##_destroy(ace_rtl_##unit *u) { delete u; }                       \
    void ace_rtl_##unit##_tick(ace_rtl_##unit *u, bool rst, const ace_##unit##_in *in) { \
        u->unit->tick(rst, *in);                                                         \
    }
#define UNIT(unit, UNIT_, Default, Small)                                        \
    UNIT_OF(unit, UNIT_, Default, Small, Small, DRIVE, SAMPLE)                   \
    void ace_rtl_##unit##_eval(const ace_rtl_##unit *u, ace_##unit##_out *out) { \
        u->unit->eval(*out);                                                     \
    }
#define WIDE_UNIT(unit, UNIT_, Default, Small, Odd)                                \
    UNIT_OF(unit, UNIT_, Default, Small, Odd, DRIVE_WIDE, SAMPLE_WIDE)             \
    void ace_rtl_##unit##_eval(const ace_rtl_##unit *u, const ace_##unit##_in *in, \
                               ace_##unit##_out *out) {                            \
        u->unit->settle(*in);                                                      \
        u->unit->eval(*out);                                                       \
    }

UNIT(link_port, LINK_PORT, Vace_link_port, Vace_link_port_small)
UNIT(memory_interface, MEMORY_INTERFACE, Vace_memory_interface, Vace_memory_interface_small)
UNIT(tx_dma, TX_DMA, Vace_tx_dma, Vace_tx_dma)
UNIT(rx_dma, RX_DMA, Vace_rx_dma, Vace_rx_dma)
UNIT(row_fifo, ROW_FIFO, Vace_row_fifo, Vace_row_fifo_small)
UNIT(scratchpad_pins, SCRATCHPAD, Vace_scratchpad, Vace_scratchpad_small)
WIDE_UNIT(fsm_pins, FSM, Vace_fsm, Vace_fsm_small, Vace_fsm_odd)
WIDE_UNIT(switch_pins, SWITCH, Vace_switch, Vace_switch_small, Vace_switch_small)
WIDE_UNIT(cycle_classes_pins, CYCLE_CLASSES, Vace_cycle_classes, Vace_cycle_classes,
          Vace_cycle_classes)
