/* SPDX-License-Identifier: Apache-2.0 */
/*
 * npu_module.h -- an NPU that only runs collectives
 *
 * It writes its vector to memory and gives commands to its node. After each completion it gives the
 * next command one cycle later.
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

    /* Gives `command` `times` times, from cycle 0 on, with `outstanding` at once. The command's
     * source is filled with `vector`. finished: notified after the last completion. */
    Npu(sc_core::sc_module_name name, const ace_command &command, unsigned times,
        unsigned outstanding, const std::vector<uint8_t> &vector, sc_core::sc_event &finished);

    unsigned completed() const { return unsigned(cycles_.size()); }
    /* Returns the cycle in which each command completed. */
    const std::vector<uint64_t> &cycles() const { return cycles_; }
    /* Returns the current content of the destination in memory. */
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
