// SPDX-License-Identifier: Apache-2.0
//
// platform.cc -- two nodes in SystemC: node 0 the C twin, node 1 the Verilated RTL
//
//     c++ -std=c++17 platform.cc $(pkg-config --cflags --libs acesim-systemc)

#include <cstdio>
#include <vector>

#include "ace_rtl_node.h"
#include "ace_sc_memory.h"
#include "ace_sc_node.h"
#include "pair.h"

using sc_core::sc_time;

// An NPU has a socket to the node's registers, one to its memory, and the interrupt.
struct Npu : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<Npu, 32> registers;
    tlm_utils::simple_initiator_socket<Npu, ace::ROW_BITS> memory;
    sc_core::sc_in<bool> interrupt;
    const float value;
    bool ok = false;

    Npu(sc_core::sc_module_name name, float v) : sc_module(name), value(v) {
        SC_HAS_PROCESS(Npu);
        SC_THREAD(run);
    }

    template <class Socket>
    void transfer(Socket &socket, tlm::tlm_command command, uint64_t address, void *at,
                  size_t bytes) {
        tlm::tlm_generic_payload t;
        sc_time delay;
        t.set_command(command);
        t.set_address(address);
        t.set_data_ptr(static_cast<unsigned char *>(at));
        t.set_data_length(unsigned(bytes));
        t.set_streaming_width(unsigned(bytes));
        socket->b_transport(t, delay);
        sc_assert(t.is_response_ok());
    }

    void run() {
        const ace_command command = pair_command();
        std::vector<float> vector(PAIR_BYTES / sizeof(float), value);
        uint32_t words[8];
        transfer(memory, tlm::TLM_WRITE_COMMAND, command.source, vector.data(), PAIR_BYTES);
        ace::registers_of_command(command, words);
        transfer(registers, tlm::TLM_WRITE_COMMAND, ace::REGISTER_SOURCE, words, sizeof words);
        wait(interrupt.posedge_event());
        transfer(registers, tlm::TLM_READ_COMMAND, ace::REGISTER_CYCLE, words, 8);
        std::printf("%s: %u cycles\n", name(), words[0] + 1);
        transfer(memory, tlm::TLM_READ_COMMAND, command.destination, vector.data(), PAIR_BYTES);
        ok = vector == std::vector<float>(vector.size(), 1.0F + 2.0F);
    }
};

int sc_main(int, char **) {
    const sc_time period(1, sc_core::SC_NS);
    const ace_config config[2] = { pair_config(0), pair_config(1) };
    ace_core *core[2];
    if (ace_cycle_core_create(&pair_parameters, &config[0], true, &core[0]) != ACE_OK ||
        ace_rtl_core_create(&pair_parameters, &config[1], true, 1, nullptr, &core[1]) != ACE_OK)
        return 1;
    ace::Node node0("node0", core[0], config[0], period);
    ace::Node node1("node1", core[1], config[1], period);
    ace::Memory memory0("memory0"), memory1("memory1");
    Npu npu0("npu0", 1), npu1("npu1", 2);
    sc_core::sc_signal<bool> interrupt0, interrupt1;
    node0.memory.bind(memory0.node);
    node1.memory.bind(memory1.node);
    npu0.memory.bind(memory0.npu);
    npu1.memory.bind(memory1.npu);
    npu0.registers.bind(node0.registers);
    npu1.registers.bind(node1.registers);
    node0.interrupt(interrupt0);
    node1.interrupt(interrupt1);
    npu0.interrupt(interrupt0);
    npu1.interrupt(interrupt1);
    // On a ring of two both links of a node lead to the other.
    const sc_time latency = period * PAIR_LATENCY;
    ace::Link up0("up0", latency), down0("down0", latency);
    ace::Link up1("up1", latency), down1("down1", latency);
    node0.tx[0].bind(up0.in);
    node0.tx[1].bind(down0.in);
    node1.tx[0].bind(up1.in);
    node1.tx[1].bind(down1.in);
    up0.out.bind(node1.rx[1]);
    down0.out.bind(node1.rx[0]);
    up1.out.bind(node0.rx[1]);
    down1.out.bind(node0.rx[0]);
    tlm::tlm_global_quantum::instance().set(latency);
    sc_core::sc_start(); // until nothing is left to do
    return npu0.ok && npu1.ok ? 0 : 1;
}
