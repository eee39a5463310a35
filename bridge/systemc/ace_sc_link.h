/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_sc_link.h -- links between nodes in TLM-2.0
 *
 *     node a  tx[l] --> in  ace::Link  out --> rx[l ^ 1]  node b
 *
 * The link protocol, the same by b_transport and by nb_transport_fw
 *   Flit        One transaction carries one flit, which crosses a link in one cycle: a packet, a
 *               credit and a grant, or some of these.  The sidebands are in the extension
 *               ace::Flit.
 *   Packet      TLM_WRITE of ACE_ROW_BYTES at address 0.  Without one: TLM_IGNORE_COMMAND.
 *   Time        sc_time_stamp() + delay is the middle of the cycle the flit is in, at either
 *               end.  A sender's flits follow each other in time.
 *   Completion  A flit is taken at once: nb_transport_fw is called with BEGIN_REQ and returns
 *               TLM_COMPLETED; the backward path is not used.  Credits are what hold a sender.
 *   Ownership   The transaction is the sender's again when the call returns.
 *
 * A flit without its extension means nothing, so the protocol is not the base protocol and
 * its sockets bind only to each other.
 */
#ifndef ACE_SC_LINK_H
#define ACE_SC_LINK_H

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "ace_node.h"

namespace ace {

struct LinkProtocol {
    typedef tlm::tlm_generic_payload tlm_payload_type;
    typedef tlm::tlm_phase tlm_phase_type;
};

enum { ROW_BITS = ACE_ROW_BYTES * 8 };

/* The sidebands of a flit; sidebands.cycle is not used, time is the transaction's. */
struct Flit : tlm::tlm_extension<Flit> {
    ace_flit sidebands{};

    tlm_extension_base *clone() const override;
    void copy_from(const tlm_extension_base &from) override;
};

/* One direction of a link: a delay. */
class Link : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<Link, ROW_BITS, LinkProtocol> in;
    tlm_utils::simple_initiator_socket<Link, ROW_BITS, LinkProtocol> out;

    /* latency: a whole number of node clocks, at least 1.  A simulation with a global quantum
     * above it is refused when it starts. */
    Link(sc_core::sc_module_name name, sc_core::sc_time latency);

    uint64_t packets() const { return packets_; } /* sent so far, ACE_ROW_BYTES each */

private:
    const sc_core::sc_time latency_;
    uint64_t packets_ = 0;

    void start_of_simulation() override;
    void transport(tlm::tlm_generic_payload &t, sc_core::sc_time &delay);
    tlm::tlm_sync_enum transport(tlm::tlm_generic_payload &t, tlm::tlm_phase &phase,
                                 sc_core::sc_time &delay);
};

} // namespace ace

#endif
