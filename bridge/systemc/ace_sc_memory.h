/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_sc_memory.h -- a sparse byte memory behind TLM-2.0 sockets
 *
 * Two ports, one for the node and one for the NPU, if there is one: base protocol, any address of
 * 64 bits, any length; b_transport, nb_transport and transport_dbg.  Bytes never written read as 0.
 *
 * Requests are pipelined: each takes the latency, and none waits for another.  By nb_transport
 * they complete early, the latency in the delay.  Bandwidth and
 * latency as `acesim` has them are registers of the node (ace_config), so the default here is
 * a latency of 0: an answer in the cycle after the request.
 */
#ifndef ACE_SC_MEMORY_H
#define ACE_SC_MEMORY_H

#include <memory>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_target_socket.h>

#include "ace_sc_link.h"

namespace ace {

class Memory : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket_optional<Memory, ROW_BITS> node;
    tlm_utils::simple_target_socket_optional<Memory, ROW_BITS> npu;

    explicit Memory(sc_core::sc_module_name name, sc_core::sc_time latency = sc_core::SC_ZERO_TIME);

private:
    const sc_core::sc_time latency_;
    const std::unique_ptr<ace_memory, void (*)(ace_memory *)> bytes_;

    bool access(tlm::tlm_generic_payload &t);
    void transport(tlm::tlm_generic_payload &t, sc_core::sc_time &delay);
    tlm::tlm_sync_enum transport(tlm::tlm_generic_payload &t, tlm::tlm_phase &phase,
                                 sc_core::sc_time &delay);
    unsigned debug(tlm::tlm_generic_payload &t);
};

} // namespace ace

#endif
