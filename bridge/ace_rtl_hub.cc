// SPDX-License-Identifier: Apache-2.0
//
// ace_rtl_hub.cc -- the verilated reducer of a switch, whose class never leaves this file
#include "ace_rtl_hub.h"

#include <cstring>
#include <memory>
#include <new>

#include "Vace_hub_reducer.h"
#include "ace_rtl_pins.h"
#include "ace_rtl_placed.h"
#include "ace_rtl_record.h"
#include "ace_rtl_saved.h"

#include "Vace_hub_reducer_registers.h"

struct ace_rtl_hub {
    VerilatedContext context; // before the model, which it outlives
    std::unique_ptr<Vace_hub_reducer> model;
    std::unique_ptr<ace_rtl_record<Vace_hub_reducer>> record;
    bool payload = false;
    uint64_t starved = 0,
             idle = 0; // cycles that it was not run, as the RTL would have counted them
};

static void edge(ace_rtl_hub *hub) {
    Vace_hub_reducer &m = *hub->model;
    m.clk = 0;
    m.eval();
    hub->record->pins();
    m.clk = 1;
    m.eval();
}

bool ace_rtl_hub_is_there(void) { return true; }

int ace_rtl_hub_create(uint32_t members, bool payload, ace_rtl_hub **to) try {
    auto hub = std::make_unique<ace_rtl_hub>();
    ace_rtl_prepare(hub->context, 1, false);
    hub->model = std::make_unique<Vace_hub_reducer>(&hub->context, "hub");
    hub->record = std::make_unique<ace_rtl_record<Vace_hub_reducer>>(hub->context, *hub->model);
    hub->payload = payload;
    Vace_hub_reducer &m = *hub->model;
    m.cfg_members = static_cast<decltype(+m.cfg_members)>(members);
    m.s_valid = 0;
    m.s_hold = 0;
    std::memset(&m.s_data[0], 0, sizeof m.s_data); // without payload rows are, and stay, zero
    m.rst = 1;
    m.clk = 1;
    m.eval();
    edge(hub.get());
    m.rst = 0;
    *to = hub.release();
    return ACE_OK;
} catch (const std::bad_alloc &) {
    return ACE_ENOMEM;
}

void ace_rtl_hub_destroy(ace_rtl_hub *hub) {
    if (hub) hub->model->final();
    delete hub;
}

// Outputs follow from the state, which the last edge has left.
void ace_rtl_hub_eval(ace_rtl_hub *hub, ace_hub_reducer_out *out) {
    const Vace_hub_reducer &m = *hub->model;
    out->s_ready = m.s_ready;
    out->m_valid = m.m_valid;
    out->m_context = m.m_context;
    out->m_mark = m.m_mark;
    out->m_data = hub->payload ? &m.m_data[0] : nullptr;
    out->m_mismatch = m.m_mismatch;
    out->m_refused = m.m_refused;
    out->m_wrong = m.m_wrong;
    out->idle = m.idle;
    for (unsigned i = 0; i < ACE_COUNT_LANES; i++) out->count[i] = ace_rtl_get(m.count, 48 * i, 48);
    out->count[ACE_COUNT_STARVED] += hub->starved;
    out->count[ACE_COUNT_IDLE] += hub->idle;
}

void ace_rtl_hub_cycle(ace_rtl_hub *hub, const ace_hub_arrivals *a, bool hold) {
    Vace_hub_reducer &m = *hub->model;
    m.s_valid = static_cast<decltype(+m.s_valid)>(a->valid);
    m.s_hold = hold;
    for (uint64_t set = a->valid; set; set &= set - 1) {
        const unsigned p = unsigned(__builtin_ctzll(set));
        ace_rtl_set(m.s_context, 8 * p, 8, a->header[p].context);
        ace_rtl_set(m.s_mark, 8 * p, 8, a->header[p].mark);
        ace_rtl_set(m.s_how, 6 * p, 6, a->header[p].how);
        ace_rtl_set(m.s_header_code, 4 * p, 4, a->header[p].code);
        ace_rtl_set(m.s_code, 32 * p, 32, a->code[p]);
        if (a->row[p]) ace_row_copy(&m.s_data[size_t(p) * ACE_ROW_WORDS], a->row[p]);
    }
    edge(hub);
}

void ace_rtl_hub_skip(ace_rtl_hub *hub, uint64_t cycles, bool starved) {
    (starved ? hub->starved : hub->idle) += cycles;
}

void ace_rtl_hub_registers(ace_rtl_hub *hub, ace_rtl_register_see *see, void *self) {
    ace_rtl_each_register(*hub->model, see, self);
}

void ace_rtl_hub_settle(ace_rtl_hub *hub) { Registers<Vace_hub_reducer>::settle(*hub->model); }

void ace_rtl_hub_state(ace_rtl_hub *hub, ace_state *s) {
    if (ace_rtl_saved("hub", *hub->model, s))
        hub->context.traceEverOn(ace_rtl_records_pins()); // of this run, not of the one saved
    ace_state_bytes(s, &hub->starved, sizeof hub->starved);
    ace_state_bytes(s, &hub->idle, sizeof hub->idle);
}
