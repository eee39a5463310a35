// SPDX-License-Identifier: Apache-2.0
//
// ace_sc_memory.cc -- ace_memory as a TLM-2.0 target
//
// Both transports access the memory at once and add the latency to the delay. Byte enables and
// streaming are refused with the response that the standard names for each.

#include "ace_sc_memory.h"

#include <new>

#include "ace_memory.h"

namespace ace {

Memory::Memory(sc_core::sc_module_name name, sc_core::sc_time latency)
    : sc_module(name), node("node"), npu("npu"), latency_(latency),
      bytes_(ace_memory_create(), ace_memory_destroy) {
    if (!bytes_) throw std::bad_alloc();
    for (auto *socket : { &node, &npu }) {
        socket->register_b_transport(this, &Memory::transport);
        socket->register_nb_transport_fw(this, &Memory::transport);
        socket->register_transport_dbg(this, &Memory::debug);
    }
}

bool Memory::access(tlm::tlm_generic_payload &t) {
    const unsigned length = t.get_data_length();
    if (t.get_byte_enable_ptr()) {
        t.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        return false;
    }
    if (t.get_streaming_width() < length) {
        t.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return false;
    }
    if (t.is_read()) ace_memory_read(bytes_.get(), t.get_address(), t.get_data_ptr(), length);
    if (t.is_write() && ace_memory_write(bytes_.get(), t.get_address(), t.get_data_ptr(), length)) {
        t.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        return false;
    }
    t.set_response_status(tlm::TLM_OK_RESPONSE);
    return true;
}

void Memory::transport(tlm::tlm_generic_payload &t, sc_core::sc_time &delay) {
    access(t);
    delay += latency_;
}

tlm::tlm_sync_enum Memory::transport(tlm::tlm_generic_payload &t, tlm::tlm_phase &phase,
                                     sc_core::sc_time &delay) {
    if (phase == tlm::BEGIN_REQ) transport(t, delay);
    return tlm::TLM_COMPLETED;
}

unsigned Memory::debug(tlm::tlm_generic_payload &t) { return access(t) ? t.get_data_length() : 0; }

} // namespace ace
