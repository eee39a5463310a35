/* SPDX-License-Identifier: Apache-2.0 */
/* ace_rtl_units.cc -- verilated classes of the units, which never leave this file */
#include "ace_rtl_units.h"

#include "ace_rtl_pins.h"
#include "ace_rtl_record.h"

#include <algorithm>
#include <memory>
#include <new>
#include <type_traits>

#include "Vace_agreement.h"
#include "Vace_agreement_four.h"
#include "Vace_agreement_small.h"
#include "Vace_axi_split.h"
#include "Vace_axi_split_small.h"
#include "Vace_control.h"
#include "Vace_control_four.h"
#include "Vace_control_small.h"
#include "Vace_cycle_classes.h"
#include "Vace_dispatcher.h"
#include "Vace_dispatcher_four.h"
#include "Vace_dispatcher_small.h"
#include "Vace_dma_jobs.h"
#include "Vace_exchange.h"
#include "Vace_exchange_four.h"
#include "Vace_exchange_small.h"
#include "Vace_fsm.h"
#include "Vace_fsm_four.h"
#include "Vace_fsm_odd.h"
#include "Vace_fsm_small.h"
#include "Vace_hub_reducer.h"
#include "Vace_hub_reducer_small.h"
#include "Vace_link.h"
#include "Vace_link_guard.h"
#include "Vace_link_guard_small.h"
#include "Vace_link_odd.h"
#include "Vace_link_port.h"
#include "Vace_link_port_small.h"
#include "Vace_link_small.h"
#include "Vace_link_sync.h"
#include "Vace_list_walk.h"
#include "Vace_list_walk_small.h"
#include "Vace_memory_arbiter.h"
#include "Vace_memory_arbiter_small.h"
#include "Vace_memory_interface.h"
#include "Vace_memory_interface_small.h"
#include "Vace_router.h"
#include "Vace_router_four.h"
#include "Vace_row_fifo.h"
#include "Vace_row_fifo_odd.h"
#include "Vace_row_fifo_small.h"
#include "Vace_rx_dma.h"
#include "Vace_rx_dma_small.h"
#include "Vace_scheduler.h"
#include "Vace_scheduler_four.h"
#include "Vace_scheduler_small.h"
#include "Vace_scratchpad.h"
#include "Vace_scratchpad_four.h"
#include "Vace_scratchpad_odd.h"
#include "Vace_scratchpad_small.h"
#include "Vace_switch.h"
#include "Vace_switch_four.h"
#include "Vace_switch_small.h"
#include "Vace_trigger.h"
#include "Vace_trigger_small.h"
#include "Vace_tx_dma.h"
#include "Vace_wire_decode.h"
#include "Vace_wire_encode.h"

namespace {

template <class In, class Out> struct Unit {
    virtual ~Unit() = default;
    virtual void eval(const In *in, Out &out) = 0;
    virtual void tick(bool rst, const In &in) = 0;
};

// A unit without registers to reset has no rst pin.
template <class M> auto set_rst(M &m, bool rst, int) -> decltype(m.rst = rst, void()) {
    m.rst = rst;
}
template <class M> void set_rst(M &, bool, ...) {}

template <class Model, class In, class Out> struct Verilated_ : Unit<In, Out> {
    VerilatedContext context; // before the model, which it outlives
    std::unique_ptr<Model> model;
    std::unique_ptr<ace_rtl_record<Model>> record;

    explicit Verilated_(int seed) {
        ace_rtl_prepare(context, seed, false);
        model = std::make_unique<Model>(&context, "unit");
        model->clk = 0;
        model->eval();
        record = std::make_unique<ace_rtl_record<Model>>(context, *model);
    }
    ~Verilated_() override { model->final(); }
    void eval(const In *in, Out &out) override {
        if (in) { // settle combinational outputs
            drive(*model, *in);
            model->clk = 0;
            model->eval();
        }
        sample(*model, out);
    }
    void tick(bool rst, const In &in) override {
        drive(*model, in);
        set_rst(*model, rst, 0);
        model->clk = 0;
        model->eval();
        record->pins();
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
#define DRIVE_FIELD(type, name, bits, valid) DRIVE_WORD(type, name, bits)
#define DRIVE_ROW(name) \
    if (in.name) std::copy_n(in.name, ACE_ROW_WORDS, &m.name[0]);
#define DRIVE_STROBE(name, valid) set_strobes(&m.name[0], in.name);
#define DRIVE_LANES(type, name, bits, count, mask) \
    for (unsigned i = 0; i < (count); i++) ace_rtl_set(m.name, i *(bits), bits, in.name[i]);
#define SAMPLE_BIT(name)                      out.name = m.name;
#define SAMPLE_WORD(type, name, bits)         out.name = static_cast<type>(m.name);
#define SAMPLE_FIELD(type, name, bits, valid) SAMPLE_WORD(type, name, bits)
#define SAMPLE_ROW(name)                      out.name = &m.name[0];
#define SAMPLE_STROBE(name, valid)            out.name = get_strobes(&m.name[0]);
#define SAMPLE_LANES(type, name, bits, count, mask) \
    for (unsigned i = 0; i < (count); i++)          \
        out.name[i] = static_cast<type>(ace_rtl_get(m.name, i * (bits), bits));

// The verilated class of each set of parameters.
template <class In, class Out, class Model, class... More>
std::unique_ptr<Unit<In, Out>> make([[maybe_unused]] unsigned set, int seed) {
    if constexpr (sizeof...(More) > 0)
        if (set > 0) return make<In, Out, More...>(set - 1, seed);
    return std::make_unique<Verilated_<Model, In, Out>>(seed);
}
#define SETS_1(module)      Vace_##module
#define SETS_2(module)      SETS_1(module), Vace_##module##_small
#define SETS_3(module)      SETS_2(module), Vace_##module##_odd
#define SETS_1_four(module) SETS_1(module), Vace_##module##_four
#define SETS_2_four(module) SETS_2(module), Vace_##module##_four
#define SETS_3_four(module) SETS_3(module), Vace_##module##_four

} // namespace

#define UNIT(module, twin, LIST, sets)                                                             \
    template <class M> static void drive(M &m, const ace_##twin##_in &in) {                        \
        ACE_##LIST##_INPUTS(DRIVE_BIT, DRIVE_WORD, DRIVE_FIELD, DRIVE_ROW, DRIVE_STROBE,           \
                            DRIVE_LANES)                                                           \
    }                                                                                              \
    template <class M> static void sample(M &m, ace_##twin##_out &out) {                           \
        ACE_##LIST##_OUTPUTS(SAMPLE_BIT, SAMPLE_WORD, SAMPLE_FIELD, SAMPLE_ROW, SAMPLE_STROBE,     \
                             SAMPLE_LANES)                                                         \
    }                                                                                              \
    struct ace_rtl_##module {                                                                      \
        std::unique_ptr<Unit<ace_##twin##_in, ace_##twin##_out>> unit;                             \
    };                                                                                             \
    ace_rtl_##module *ace_rtl_##module##_create(unsigned set, int seed) try {                      \
        return new ace_rtl_##module{ make<ace_##twin##_in, ace_##twin##_out, SETS_##sets(module)>( \
            set, seed) };                                                                          \
    } catch (const std::bad_alloc &) {                                                             \
        return nullptr;                                                                            \
    }                                                                                              \
    void ace_rtl_##module##_destroy(ace_rtl_##module *u) { delete u; }                             \
    void ace_rtl_##module##_eval(ace_rtl_##module *u, const ace_##twin##_in *in,                   \
                                 ace_##twin##_out *out) {                                          \
        u->unit->eval(in, *out);                                                                   \
    }                                                                                              \
    void ace_rtl_##module##_tick(ace_rtl_##module *u, bool rst, const ace_##twin##_in *in) {       \
        u->unit->tick(rst, *in);                                                                   \
    }

ACE_RTL_UNIT_MAP(UNIT)
