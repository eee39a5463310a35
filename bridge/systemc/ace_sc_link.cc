// SPDX-License-Identifier: Apache-2.0
//
// ace_sc_link.cc -- a link adds its latency to a flit's time; nothing waits in it

#include "ace_sc_link.h"

#include <string>

namespace ace {

tlm::tlm_extension_base *Flit::clone() const { return new Flit(*this); }

void Flit::copy_from(const tlm_extension_base &from) { *this = static_cast<const Flit &>(from); }

Link::Link(sc_core::sc_module_name name, sc_core::sc_time latency)
    : sc_module(name), in("in"), out("out"), latency_(latency) {
    in.register_b_transport(this, &Link::transport);
    in.register_nb_transport_fw(this, &Link::transport);
}

// A node runs ahead of the others by a quantum at most: what they send in that time must not
// arrive within it.
void Link::start_of_simulation() {
    const sc_core::sc_time quantum = tlm::tlm_global_quantum::instance().get();
    if (quantum > latency_)
        SC_REPORT_FATAL("ace", (std::string(name()) + ": found a global quantum of " +
                                quantum.to_string() + ", expected at most the link's latency of " +
                                latency_.to_string())
                                   .c_str());
}

void Link::transport(tlm::tlm_generic_payload &t, sc_core::sc_time &delay) {
    sc_core::sc_time arrival = delay + latency_;
    packets_ += t.is_write();
    out->b_transport(t, arrival);
}

tlm::tlm_sync_enum Link::transport(tlm::tlm_generic_payload &t, tlm::tlm_phase &phase,
                                   sc_core::sc_time &delay) {
    sc_core::sc_time arrival = delay + latency_;
    packets_ += t.is_write();
    return out->nb_transport_fw(t, phase, arrival);
}

} // namespace ace
