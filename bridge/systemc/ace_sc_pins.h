/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_sc_pins.h -- rtl/ace_node.v, Verilated as an sc_module, on one sc_signal a pin
 *
 *     sc_core::sc_clock clk("clk", period);                 rises at 0, period, 2 periods ...
 *     ace::Pins pins("pins", period, config);
 *     pins.clk(clk);
 *     ace::Node node("node", pins.core(), config, period);          or pins.core() in a lockstep
 *     pair pins.trace(file);                                     before the simulation starts
 *
 * The RTL has the default parameters.  Its class Vace_node_sc has a port for each pin.  It can be
 * connected directly, without ace::Pins; its header needs Verilator's headers.
 *
 * Only the thread of the surrounding ace::Node may tick this core.  A tick takes one period of
 * simulated time, from the middle of a cycle to the middle of the next.  Inputs change in the
 * middle of a cycle, half a period before the rising edge that takes them.
 */
#ifndef ACE_SC_PINS_H
#define ACE_SC_PINS_H

#include <memory>
#include <systemc>

#include "ace_core.h"

namespace ace {

class Pins : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk;

    Pins(sc_core::sc_module_name name, sc_core::sc_time period, const ace_config &config);
    ~Pins() override;

    /* Lives as long as the pins; destroying it does nothing. */
    ace_core *core();
    /* Every pin but the rows and the counters. */
    void trace(sc_core::sc_trace_file *file) const override;

private:
    struct Rtl;
    std::unique_ptr<Rtl> rtl_;

    void rises();
};

} // namespace ace

#endif
