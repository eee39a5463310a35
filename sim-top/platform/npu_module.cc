// SPDX-License-Identifier: Apache-2.0
//
// npu_module.cc -- the driver of an NPU, which uses the registers of its node

#include "npu_module.h"

#include <string>

Npu::Npu(sc_core::sc_module_name name, const ace_command &command, unsigned times,
         unsigned outstanding, const std::vector<uint8_t> &vector, sc_core::sc_event &finished)
    : sc_module(name), registers("registers"), memory("memory"), interrupt("interrupt"),
      command_(command), times_(times), outstanding_(outstanding), vector_(vector),
      finished_(finished) {
    SC_HAS_PROCESS(Npu);
    SC_THREAD(run);
}

void Npu::run() {
    uint32_t words[8], done[3];
    unsigned begun = 0;
    debug(tlm::TLM_WRITE_COMMAND, command_.source, const_cast<uint8_t *>(vector_.data()),
          vector_.size());
    ace::registers_of_command(command_, words);
    while (completed() < times_) {
        for (; begun < times_ && begun - completed() < outstanding_; begun++)
            transfer(tlm::TLM_WRITE_COMMAND, ace::REGISTER_SOURCE, words, 8);
        transfer(tlm::TLM_READ_COMMAND, ace::REGISTER_DONE, done, 3);
        if (!(done[0] & ace::DONE_VALID)) {
            wait(interrupt.posedge_event());
            continue;
        }
        cycles_.push_back(done[1] | uint64_t(done[2]) << 32);
        transfer(tlm::TLM_WRITE_COMMAND, ace::REGISTER_DONE, done, 1);
    }
    finished_.notify(sc_core::SC_ZERO_TIME);
}

void Npu::transfer(tlm::tlm_command command, unsigned address, uint32_t *words, unsigned count) {
    tlm::tlm_generic_payload t;
    sc_core::sc_time delay;
    t.set_command(command);
    t.set_address(address);
    t.set_data_ptr(reinterpret_cast<unsigned char *>(words));
    t.set_data_length(4 * count);
    t.set_streaming_width(4 * count);
    registers->b_transport(t, delay);
    if (t.is_response_error())
        SC_REPORT_FATAL(
            "npu",
            (std::string(name()) + ": the node answered " + t.get_response_string()).c_str());
    if (delay != sc_core::SC_ZERO_TIME) wait(delay);
}

unsigned Npu::debug(tlm::tlm_command command, uint64_t address, uint8_t *bytes, size_t count) {
    tlm::tlm_generic_payload t;
    t.set_command(command);
    t.set_address(address);
    t.set_data_ptr(bytes);
    t.set_data_length(unsigned(count));
    t.set_streaming_width(unsigned(count));
    return memory->transport_dbg(t);
}

std::vector<uint8_t> Npu::result() {
    std::vector<uint8_t> bytes(command_.bytes);
    debug(tlm::TLM_READ_COMMAND, command_.destination, bytes.data(), bytes.size());
    return bytes;
}
