/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_sc_node.h -- an ACE node as a TLM-2.0 module
 *
 *               +--------------------+
 *   NPU ------->| registers  tx[0..5]|----> ace::Link ----> rx of a neighbour
 *       <-------| interrupt          |
 *   Memory <----| memory     rx[0..5]|<---- ace::Link <---- tx of a neighbour
 *               +--------------------+
 *
 * The caller chooses the core inside the module:
 *
 *   ace_cycle_core_create      the C twin
 *   ace_rtl_core_create        the Verilated RTL
 *   ace::Pins                  the RTL on signals
 *   ace_lockstep_core_create   a pair of cores, compared pin by pin in every cycle
 *
 * Registers (32 bits, little-endian; bursts of whole words are taken in order)
 *   0x00 SOURCE       byte address, low and high word    0x18 COMMAND    see below
 *   0x08 DESTINATION  low and high word                  0x1c TAG        a write submits
 *   0x10 BYTES        low and high word                  0x20 DONE       bit 31: a completion;
 *   0x24 CYCLE        of that completion, low and high              bits 15..0: its tag;
 *   0x2c WAITING      commands not yet taken                        a write: it was seen
 *   COMMAND: kind [3:0], type [7:4], op [11:8], dim_count [13:12], dims [19:14], 2 bits each
 *
 * A write to TAG of a command out of range is answered by TLM_GENERIC_ERROR_RESPONSE and
 * submits nothing.  `interrupt` is high while DONE has a completion.
 *
 * Memory (base protocol): one transaction for each row of an AXI burst, ACE_ROW_BYTES long, or
 * shorter where a vector ends.  All rows of a burst are requested at once, so a target may be
 * pipelined.  A row is presented to the core in the cycle after its answer, at the earliest.
 * With b_transport a target returns its latency in the delay and does not wait.
 *
 * Time
 *   Cycle k     lasts from k to k + 1 periods.  The node works in the middle of a cycle, where no
 *               other clocked process does.  A command written at the start of cycle k, its delay
 *               included, is on the pins in cycle k.  A command written later in cycle k is on the
 *               pins in cycle k + 1.
 *   Quantum     With b_transport the node runs ahead by the global quantum (0: not at all).
 *               Cycle counts do not depend on the quantum.  ace::Link ensures that a flit sent in a
 *               quantum arrives after it.  A completion ends the node's quantum, so that the NPU
 *               can react in the next cycle.  An NPU that acts at a later time of its own must
 *               write the command early, with a delay.  A command for a cycle that the node has
 *               already run is taken in the node's next cycle, with a warning.
 *               With nb_transport the node stays at the present cycle.
 *   Idle        An idle node takes no simulation effort until a flit or a command arrives.
 */
#ifndef ACE_SC_NODE_H
#define ACE_SC_NODE_H

#include <deque>
#include <memory>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>
#include <vector>

#include "ace_core.h"
#include "ace_sc_link.h"

namespace ace {

enum class Transport { blocking, non_blocking };

/* Addresses of the registers. */
enum : unsigned {
    REGISTER_SOURCE = 0x00,
    REGISTER_DESTINATION = 0x08,
    REGISTER_BYTES = 0x10,
    REGISTER_COMMAND = 0x18,
    REGISTER_TAG = 0x1c,
    REGISTER_DONE = 0x20,
    REGISTER_CYCLE = 0x24,
    REGISTER_WAITING = 0x2c,
    REGISTERS_END = 0x30
};
enum : uint32_t { DONE_VALID = 1u << 31 };

/* A command as the registers 0x00 to 0x1c have it, to be written in one burst. */
void registers_of_command(const ace_command &command, uint32_t to[8]);

class Node : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<Node, 32> registers;
    sc_core::sc_out<bool> interrupt;
    tlm_utils::simple_initiator_socket<Node, ROW_BITS> memory;
    /* Link 2d goes up dimension d, link 2d + 1 down.  Links of a ring of 1 stay unbound. */
    sc_core::sc_vector<tlm_utils::simple_initiator_socket_optional<Node, ROW_BITS, LinkProtocol>>
        tx;
    sc_core::sc_vector<
        tlm_utils::simple_target_socket_tagged_optional<Node, ROW_BITS, LinkProtocol>>
        rx;

    /* core: with payload, made with `config`; the node takes it over.  period: of the node
     * clock. */
    Node(sc_core::sc_module_name name, ace_core *core, const ace_config &config,
         sc_core::sc_time period, Transport transport = Transport::blocking);
    ~Node() override;

    const ace_core *core() const { return core_; }
    uint64_t cycle() const { return cycle_; } /* the next it will run */

private:
    struct Command {
        uint64_t cycle; /* on the pins from this cycle on */
        ace_command command;
    };
    struct Arrival {
        uint64_t cycle;
        ace_flit flit;
        uint32_t row[ACE_ROW_WORDS];
    };
    struct Read {       /* a row of a burst */
        uint64_t ready; /* cycle from which it can be presented */
        bool last;
        uint32_t row[ACE_ROW_WORDS];
    };
    struct Write { /* a burst */
        uint64_t address;
        unsigned rows, open; /* not yet written; written but not answered */
        uint64_t ready;      /* cycle from which its answer can be presented */
    };
    struct Request
        : tlm::tlm_generic_payload { /* the transaction of one row, to the memory and back */
        Read *read = nullptr;
        Write *write = nullptr;
        uint32_t row[ACE_ROW_WORDS];
    };
    struct Pool : tlm::tlm_mm_interface { /* requests that are not in use */
        std::vector<std::unique_ptr<Request>> free_;
        Request *get();
        void free(tlm::tlm_generic_payload *t) override;
    };

    ace_core *const core_;
    const ace_config config_;
    const sc_core::sc_time period_, half_;
    const Transport transport_;
    uint64_t cycle_ = 0;
    tlm_utils::tlm_quantumkeeper keeper_;
    sc_core::sc_event wake_, completed_;
    ace_pins_in in_{};

    std::deque<Command> commands_;
    std::deque<ace_completion> completions_;
    uint32_t register_[REGISTER_DONE / 4] = {};
    bool late_ = false;

    std::deque<Arrival> arrivals_[ACE_LINKS];
    Flit flit_; /* of the transaction below, one at a time */
    tlm::tlm_generic_payload packet_;

    std::deque<Read> reads_;
    bool read_taken_ = false; /* the first of reads_ was taken in this cycle */
    std::deque<Write> writes_;
    size_t written_ = 0; /* of writes_, those at the front all of whose rows are written */
    Pool pool_;
    std::deque<Request *> requests_; /* not yet begun */
    Request *begun_ = nullptr;       /* begun, and the target has not yet said END_REQ */

    sc_core::sc_time time_of(uint64_t cycle) const;
    uint64_t cycle_from(const sc_core::sc_time &when) const;
    void run();
    void one_cycle(const ace_pins_out &out);
    void catch_up();
    bool at_rest(const ace_pins_out &out) const;
    uint64_t next_input() const;
    void sleep();

    void receive();
    void forget();
    void send(const ace_pins_out &out);
    void send(unsigned link, const ace_pins_out &out);
    void arrive(unsigned link, tlm::tlm_generic_payload &t, const sc_core::sc_time &delay);
    void link_b_transport(int link, tlm::tlm_generic_payload &t, sc_core::sc_time &delay);
    tlm::tlm_sync_enum link_nb_transport(int link, tlm::tlm_generic_payload &t,
                                         tlm::tlm_phase &phase, sc_core::sc_time &delay);

    void memory_pins();
    void memory_handshakes(const ace_pins_out &out);
    void request(tlm::tlm_command command, uint64_t address, unsigned bytes, Read *read,
                 Write *write, const uint32_t *row);
    void begin_requests();
    void answered(Request *r, const sc_core::sc_time &when);
    tlm::tlm_sync_enum memory_nb_transport_bw(tlm::tlm_generic_payload &t, tlm::tlm_phase &phase,
                                              sc_core::sc_time &delay);

    void register_b_transport(tlm::tlm_generic_payload &t, sc_core::sc_time &delay);
    uint32_t read_register(unsigned address) const;
    bool write_register(unsigned address, uint32_t value, const sc_core::sc_time &when);
    bool submit(const sc_core::sc_time &when);
    void drive_interrupt();
};

} // namespace ace

#endif
