/* SPDX-License-Identifier: Apache-2.0 */
/*
 * platform.h -- a torus of ACE nodes in SystemC, each with its NPU and its memory
 *
 *     NPU -- node -- memory        x nodes, and an ace::Link for each direction of each link
 */
#ifndef PLATFORM_H
#define PLATFORM_H

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "ace_sc_memory.h"
#include "ace_sc_node.h"
#include "ace_sc_pins.h"
#include "npu_module.h"

extern "C" {
#include "exit_status.h"
#include "fold.h"
#include "report.h"
#include "run_cost.h"
#include "values.h"
}

/* The model of a node's core. `lockstep` runs the twin and the RTL on its pins, and compares
 * them. */
enum class Rung : uint8_t { cycle, rtl, pins, lockstep };

struct Setting {
    const setup *options;    /* options of acesim collective */
    ace_config config;       /* of rank 0 */
    std::vector<Rung> rung;  /* of each node */
    sc_core::sc_time period; /* of the node clock */
    ace::Transport transport;
    unsigned times;       /* collectives */
    unsigned outstanding; /* that an NPU has issued and that have not completed */
    const char *trace;    /* VCD file without its suffix, for every node on pins; or NULL */
};

class Platform : public sc_core::sc_module {
public:
    Platform(sc_core::sc_module_name name, const Setting &setting);
    ~Platform() override;

    /* Returns where a node in lockstep first differs, or an empty text. */
    std::string difference() const;
    /* Returns what went wrong in the simulation, or an empty text. */
    std::string failure();
    /* Returns the cycles until all nodes have completed collective `i`. */
    uint64_t cycles(unsigned i) const;
    uint64_t packets() const;         /* of all links */
    uint64_t cycles_compared() const; /* of nodes in lockstep, until all had completed */

private:
    struct Place;

    const Setting setting_;
    ace_command command_;
    sc_core::sc_clock clk_;
    std::vector<std::unique_ptr<Place>> places_;
    std::vector<std::unique_ptr<ace::Link>> links_;
    sc_core::sc_event finished_;
    sc_core::sc_trace_file *trace_ = nullptr;
    std::string stuck_;

    ace_core *make_core(unsigned node, const ace_config &config);
    void connect(unsigned node);
    void wait_for_all();
    std::string wrong_value();
};

#endif
