// SPDX-License-Identifier: Apache-2.0
//
// The SystemC modules one by one: registers, memories that take their time, late commands, and
// what is refused.  tests/program/engine/systemc.sh has the cycles of whole fabrics.
//
// There is one SystemC kernel in a process, and it runs once: ctest gives each test its own, by
// hand it takes --gtest_filter.

#include <deque>
#include <gtest/gtest.h>
#include <utility>

#include "ace_plan.h"
#include "ace_sc_memory.h"
#include "ace_sc_node.h"

using sc_core::SC_NS;
using sc_core::sc_time;

int sc_main(int, char **) { return 0; } // libsystemc asks for one

namespace {

const sc_time PERIOD(1, SC_NS);
constexpr unsigned BYTES = 8192;

// A node without links copies its input: it needs memory and registers only.
ace_config lone_config(bool linked = false) {
    const ace_parameters parameters = ACE_PARAMETERS_DEFAULT;
    ace_config c{};
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        c.ring[d] = linked && d == 0 ? 2 : 1;
        c.link_cost[d] = 2 * ACE_COST_ONE;
    }
    c.chunk_rows = 256;
    c.read_cost = c.write_cost = 2 * ACE_COST_ONE;
    c.memory_latency = 200;
    EXPECT_EQ(ACE_OK, ace_plan_partitions(&parameters, &c));
    return c;
}

ace_core *lone_core(bool linked = false) {
    const ace_parameters parameters = ACE_PARAMETERS_DEFAULT;
    const ace_config c = lone_config(linked);
    ace_core *core = nullptr;
    EXPECT_EQ(ACE_OK, ace_cycle_core_create(&parameters, &c, true, &core));
    return core;
}

ace_command copy_command(uint16_t tag) {
    ace_command c{};
    c.destination = 1 << 20;
    c.bytes = BYTES;
    c.tag = tag;
    return c;
}

// A node, its registers' initiator, and a memory's, of whatever kind.
struct Bench : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<Bench, 32> registers{ "registers" };
    ace::Node node;
    sc_core::sc_signal<bool> interrupt;

    Bench(sc_core::sc_module_name name, ace::Transport transport = ace::Transport::blocking,
          bool linked = false)
        : sc_module(name), node("node", lone_core(linked), lone_config(linked), PERIOD, transport) {
        registers.bind(node.registers);
        node.interrupt(interrupt);
    }

    tlm::tlm_response_status transfer(tlm::tlm_command command, uint64_t address, uint32_t *words,
                                      unsigned bytes, sc_time delay = sc_core::SC_ZERO_TIME,
                                      bool enables = false) {
        tlm::tlm_generic_payload t;
        unsigned char all = 0xff;
        t.set_command(command);
        t.set_address(address);
        t.set_data_ptr(reinterpret_cast<unsigned char *>(words));
        t.set_data_length(bytes);
        t.set_streaming_width(bytes);
        if (enables) {
            t.set_byte_enable_ptr(&all);
            t.set_byte_enable_length(1);
        }
        registers->b_transport(t, delay);
        return t.get_response_status();
    }

    tlm::tlm_response_status submit(const ace_command &c, sc_time delay = sc_core::SC_ZERO_TIME) {
        uint32_t words[8];
        ace::registers_of_command(c, words);
        return transfer(tlm::TLM_WRITE_COMMAND, ace::REGISTER_SOURCE, words, sizeof words, delay);
    }

    uint32_t read(unsigned address) {
        uint32_t word = 0;
        EXPECT_EQ(tlm::TLM_OK_RESPONSE, transfer(tlm::TLM_READ_COMMAND, address, &word, 4));
        return word;
    }

    uint64_t done_in() {
        EXPECT_TRUE(interrupt.read());
        EXPECT_TRUE(read(ace::REGISTER_DONE) & ace::DONE_VALID);
        return read(ace::REGISTER_CYCLE) | uint64_t(read(ace::REGISTER_CYCLE + 4)) << 32;
    }
};

TEST(Systemc, RegistersTakeCommandsAndRefuseOthers) {
    Bench b("bench");
    ace::Memory memory("memory");
    b.node.memory.bind(memory.node);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const auto read = tlm::TLM_READ_COMMAND, write = tlm::TLM_WRITE_COMMAND;
    uint32_t words[16] = {};

    EXPECT_EQ(tlm::TLM_ADDRESS_ERROR_RESPONSE, b.transfer(read, ace::REGISTERS_END, words, 4));
    EXPECT_EQ(tlm::TLM_ADDRESS_ERROR_RESPONSE, b.transfer(read, 2, words, 4));
    EXPECT_EQ(tlm::TLM_ADDRESS_ERROR_RESPONSE, b.transfer(read, 0x28, words, 12));
    EXPECT_EQ(tlm::TLM_BURST_ERROR_RESPONSE, b.transfer(read, 0, words, 6));
    EXPECT_EQ(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE,
              b.transfer(write, 0, words, 4, sc_core::SC_ZERO_TIME, true));

    ace_command c = copy_command(7);
    c.source = 100; // not a multiple of 4096
    EXPECT_EQ(tlm::TLM_GENERIC_ERROR_RESPONSE, b.submit(c));
    c = copy_command(7);
    c.bytes = 0;
    EXPECT_EQ(tlm::TLM_GENERIC_ERROR_RESPONSE, b.submit(c));
    c = copy_command(7);
    c.kind = ACE_ALL_TO_ALL;
    c.destination = 4096; // inside of the source, which an all-to-all still reads
    EXPECT_EQ(tlm::TLM_GENERIC_ERROR_RESPONSE, b.submit(c));
    c.kind = ACE_SCATTER; // made of lists, which a driver would write to memory
    c.destination = 1 << 20;
    EXPECT_EQ(tlm::TLM_GENERIC_ERROR_RESPONSE, b.submit(c));
    EXPECT_EQ(0u, b.read(ace::REGISTER_WAITING));

    c = copy_command(0x1234);
    c.dim_count = 2;
    c.dims[0] = 2;
    EXPECT_EQ(tlm::TLM_OK_RESPONSE, b.submit(c));
    EXPECT_EQ(1u, b.read(ace::REGISTER_WAITING));
    EXPECT_EQ(uint32_t(BYTES), b.read(ace::REGISTER_BYTES));
    EXPECT_EQ(2u << 12 | 2u << 16, b.read(ace::REGISTER_COMMAND));
    EXPECT_EQ(0u, b.read(ace::REGISTER_DONE));
    sc_core::sc_start();
    EXPECT_EQ(0u, b.read(ace::REGISTER_WAITING));
    EXPECT_EQ(ace::DONE_VALID | 0x1234, b.read(ace::REGISTER_DONE));
    EXPECT_GT(b.node.cycle(), b.done_in());
    EXPECT_LE(b.node.cycle(),
              b.done_in() + 4); // the cycles in which what runs in steps comes to rest
    EXPECT_EQ(tlm::TLM_OK_RESPONSE, b.transfer(write, ace::REGISTER_DONE, words, 4));
    sc_core::sc_start();
    EXPECT_EQ(0u, b.read(ace::REGISTER_DONE));
    EXPECT_FALSE(b.interrupt.read());
}

// Register accesses by nb_transport: the answer comes on the backward path.
TEST(Systemc, RegistersAnswerNonBlocking) {
    struct Initiator : sc_core::sc_module {
        tlm_utils::simple_initiator_socket<Initiator, 32> socket{ "socket" };
        bool answered = false;
        explicit Initiator(sc_core::sc_module_name name) : sc_module(name) {
            socket.register_nb_transport_bw(this, &Initiator::bw);
        }
        tlm::tlm_sync_enum bw(tlm::tlm_generic_payload &, tlm::tlm_phase &phase, sc_time &) {
            answered = answered || phase == tlm::BEGIN_RESP;
            return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
        }
    } npu("npu");
    struct Manager : tlm::tlm_mm_interface {
        void free(tlm::tlm_generic_payload *) override {}
    } manager;
    ace::Node node("node", lone_core(), lone_config(), PERIOD);
    ace::Memory memory("memory");
    sc_core::sc_signal<bool> interrupt;
    npu.socket.bind(node.registers);
    node.memory.bind(memory.node);
    node.interrupt(interrupt);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);

    uint32_t words[8];
    ace::registers_of_command(copy_command(9), words);
    tlm::tlm_generic_payload t(&manager);
    t.acquire();
    t.set_command(tlm::TLM_WRITE_COMMAND);
    t.set_address(ace::REGISTER_SOURCE);
    t.set_data_ptr(reinterpret_cast<unsigned char *>(words));
    t.set_data_length(sizeof words);
    t.set_streaming_width(sizeof words);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay(5, SC_NS);
    npu.socket->nb_transport_fw(t, phase, delay);
    sc_core::sc_start();
    EXPECT_TRUE(npu.answered);
    EXPECT_EQ(tlm::TLM_OK_RESPONSE, t.get_response_status());
    EXPECT_TRUE(interrupt.read());
    t.release();
}

// A target of the base protocol that accepts, ends the request later, and answers later still.
struct SlowMemory : sc_core::sc_module {
    tlm_utils::simple_target_socket_optional<SlowMemory, ace::ROW_BITS> socket{ "socket" };
    const sc_time latency;
    std::deque<std::pair<sc_time, tlm::tlm_generic_payload *>> held;
    sc_core::sc_event more;

    SlowMemory(sc_core::sc_module_name name, sc_time l) : sc_module(name), latency(l) {
        socket.register_nb_transport_fw(this, &SlowMemory::fw);
        SC_HAS_PROCESS(SlowMemory);
        SC_THREAD(end_requests);
        SC_THREAD(respond);
    }
    sc_core::sc_event begun;
    tlm::tlm_generic_payload *request = nullptr;

    tlm::tlm_sync_enum fw(tlm::tlm_generic_payload &t, tlm::tlm_phase &phase, sc_time &) {
        if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
        EXPECT_EQ(nullptr, request) << "a request before the last one's END_REQ";
        request = &t;
        t.acquire();
        held.push_back({ sc_core::sc_time_stamp() + latency, &t });
        begun.notify(sc_core::SC_ZERO_TIME);
        more.notify(sc_core::SC_ZERO_TIME);
        return tlm::TLM_ACCEPTED;
    }
    void end_requests() {
        for (;;) {
            wait(begun);
            tlm::tlm_phase phase = tlm::END_REQ;
            sc_time none;
            tlm::tlm_generic_payload *t = request;
            request = nullptr;
            socket->nb_transport_bw(*t, phase, none);
        }
    }
    void respond() {
        for (;;) {
            while (held.empty()) wait(more);
            const auto [when, t] = held.front();
            held.pop_front();
            wait(when - sc_core::sc_time_stamp());
            tlm::tlm_phase phase = tlm::BEGIN_RESP;
            sc_time none;
            t->set_response_status(tlm::TLM_OK_RESPONSE);
            EXPECT_EQ(tlm::TLM_COMPLETED, socket->nb_transport_bw(*t, phase, none));
            t->release();
        }
    }
};

// One chunk is loaded, then stored, by pipelined memories.  A longer latency delays the load by as
// much.  It delays the end of the store only beyond 200 cycles, the time that the memory interface
// waits for an answer anyway.
TEST(Systemc, MemoryLatencyDelaysLoadsAndLateAnswersOfStores) {
    struct Copy {
        Bench bench;
        ace::Memory quick;
        SlowMemory slow;
        Copy(const char *name, ace::Transport transport, unsigned latency, bool accepts)
            : bench(name, transport), quick("quick", latency * PERIOD),
              slow("slow", latency * PERIOD) {
            if (accepts)
                bench.node.memory.bind(slow.socket);
            else
                bench.node.memory.bind(quick.node);
        }
    };
    const auto blocking = ace::Transport::blocking, other = ace::Transport::non_blocking;
    Copy none("none", blocking, 0, false), b50("b50", blocking, 50, false),
        n50("n50", other, 50, false), a50("a50", other, 50, true),
        b300("b300", blocking, 300, false), b400("b400", blocking, 400, false),
        n400("n400", other, 400, false), a400("a400", other, 400, true);
    tlm::tlm_global_quantum::instance().set(1000 * PERIOD);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (Copy *c : { &none, &b50, &n50, &a50, &b300, &b400, &n400, &a400 })
        EXPECT_EQ(tlm::TLM_OK_RESPONSE, c->bench.submit(copy_command(0)));
    sc_core::sc_start();
    for (Copy *c : { &b50, &n50, &a50 }) EXPECT_EQ(none.bench.done_in() + 50, c->bench.done_in());
    for (Copy *c : { &b400, &n400, &a400 })
        EXPECT_EQ(b300.bench.done_in() + 2 * 100, c->bench.done_in());
}

// A delay says beforehand when a command comes: then no quantum matters.  Without it, a node that
// has run ahead says that it is late.
TEST(Systemc, CommandsForThePastAreTold) {
    Bench ahead("ahead"), told("told");
    ace::Memory memory("memory"), memory2("memory2");
    ahead.node.memory.bind(memory.node);
    told.node.memory.bind(memory2.node);
    tlm::tlm_global_quantum::instance().set(500 * PERIOD);
    sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_CACHE_REPORT);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    ahead.submit(copy_command(1));
    told.submit(copy_command(1));
    told.submit(copy_command(2), 100 * PERIOD);
    sc_core::sc_start(100 * PERIOD);
    EXPECT_EQ(0, sc_core::sc_report_handler::get_count(sc_core::SC_WARNING));
    ahead.submit(copy_command(2));
    EXPECT_EQ(1, sc_core::sc_report_handler::get_count(sc_core::SC_WARNING));
    sc_core::sc_start();
    EXPECT_LE(told.done_in(), ahead.done_in());
}

TEST(Systemc, LinksRefuseAQuantumAboveTheirLatency) {
    Bench a("a", ace::Transport::blocking, true), b("b", ace::Transport::blocking, true);
    ace::Memory memory_a("memory_a"), memory_b("memory_b");
    ace::Link link("link", 90 * PERIOD);
    a.node.memory.bind(memory_a.node);
    b.node.memory.bind(memory_b.node);
    a.node.tx[0].bind(link.in);
    link.out.bind(b.node.rx[1]);
    tlm::tlm_global_quantum::instance().set(91 * PERIOD);
    sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
    try {
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        FAIL() << "the quantum was taken";
    } catch (const sc_core::sc_report &r) {
        EXPECT_STREQ("link: found a global quantum of 91 ns, expected at most the link's latency "
                     "of 90 ns",
                     r.get_msg());
    }
}

TEST(Systemc, FlitsNeedTheirSidebands) {
    Bench b("bench", ace::Transport::blocking, true);
    ace::Memory memory("memory");
    b.node.memory.bind(memory.node);
    struct Sender : sc_core::sc_module {
        tlm_utils::simple_initiator_socket<Sender, ace::ROW_BITS, ace::LinkProtocol> tx{ "tx" };
        explicit Sender(sc_core::sc_module_name name) : sc_module(name) {}
    } sender("sender");
    auto &tx = sender.tx;
    tx.bind(b.node.rx[0]);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    tlm::tlm_generic_payload t;
    sc_time delay = 90.5 * PERIOD;
    t.set_command(tlm::TLM_IGNORE_COMMAND);
    tx->b_transport(t, delay);
    EXPECT_EQ(tlm::TLM_COMMAND_ERROR_RESPONSE, t.get_response_status());

    ace::Flit flit;
    flit.sidebands.credit = true;
    t.set_extension(&flit);
    tx->b_transport(t, delay);
    EXPECT_EQ(tlm::TLM_OK_RESPONSE, t.get_response_status());
    flit.sidebands.data = true; // a packet is a write of a row
    tx->b_transport(t, delay);
    EXPECT_EQ(tlm::TLM_COMMAND_ERROR_RESPONSE, t.get_response_status());
    t.clear_extension(&flit);
}

} // namespace
