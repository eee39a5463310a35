/* SPDX-License-Identifier: Apache-2.0 */
/*
 * npu_module.h -- an NPU that does nothing but collectives: it writes its vector to memory, gives
 * commands to its node, and after each completion the next in the cycle that follows
 */
#ifndef NPU_MODULE_H
#define NPU_MODULE_H

#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>
#include <vector>

#include "ace_sc_node.h"
#include "npu.h"

class Npu : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<Npu, 32> registers;
    tlm_utils::simple_initiator_socket<Npu, ace::ROW_BITS> memory;
    sc_core::sc_in<bool> interrupt;

    /* Gives `command` `times` times, from cycle 0 on, `outstanding` at once; its source holds
     * `vector`.  finished: notified after the last. */
    Npu(sc_core::sc_module_name name, const ace_command &command, unsigned times,
        unsigned outstanding, const std::vector<uint8_t> &vector, sc_core::sc_event &finished);

    unsigned completed() const { return unsigned(cycles_.size()); }
    /* The cycle in which each completed. */
    const std::vector<uint64_t> &cycles() const { return cycles_; }
    /* The destination in memory, as it is. */
    std::vector<uint8_t> result();

private:
    const ace_command command_;
    const unsigned times_, outstanding_;
    const std::vector<uint8_t> vector_;
    sc_core::sc_event &finished_;
    std::vector<uint64_t> cycles_;

    void run();
    void transfer(tlm::tlm_command command, unsigned address, uint32_t *words, unsigned count);
    unsigned debug(tlm::tlm_command command, uint64_t address, uint8_t *bytes, size_t count);
};

#endif
