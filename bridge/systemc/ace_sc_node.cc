// SPDX-License-Identifier: Apache-2.0
//
// ace_sc_node.cc -- a core between TLM-2.0 sockets, cycle by cycle
//
// The handshakes on the pins follow cmodel/node/ace_node_driver.c, so a fabric of these modules
// takes as many cycles as acesim counts.

#include "ace_sc_node.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "ace_command.h"
#include "ace_plan.h"

namespace ace {

namespace {

constexpr uint64_t NEVER = UINT64_MAX;

} // namespace

void registers_of_command(const ace_command &c, uint32_t to[8]) {
    to[0] = uint32_t(c.source);
    to[1] = uint32_t(c.source >> 32);
    to[2] = uint32_t(c.destination);
    to[3] = uint32_t(c.destination >> 32);
    to[4] = uint32_t(c.bytes);
    to[5] = uint32_t(c.bytes >> 32);
    to[6] = uint32_t(c.kind) | uint32_t(c.type) << 4 | uint32_t(c.op) << 8 |
            uint32_t(c.dim_count) << 12;
    for (unsigned i = 0; i < c.dim_count; i++) to[6] |= uint32_t(c.dims[i]) << (16 + 2 * i);
    to[7] = c.tag;
}

Node::Node(sc_core::sc_module_name name, ace_core *core, const ace_config &config,
           sc_core::sc_time period, Transport transport)
    : sc_module(name), registers("registers"), interrupt("interrupt"), memory("memory"),
      tx("tx", ACE_LINKS), rx("rx", ACE_LINKS), core_(core), config_(config), period_(period),
      half_(sc_core::sc_time::from_value(period.value() / 2)), transport_(transport) {
    registers.register_b_transport(this, &Node::register_b_transport);
    memory.register_nb_transport_bw(this, &Node::memory_nb_transport_bw);
    for (int l = 0; l < ACE_LINKS; l++) {
        rx[l].register_b_transport(this, &Node::link_b_transport, l);
        rx[l].register_nb_transport_fw(this, &Node::link_nb_transport, l);
    }
    packet_.set_extension(&flit_);
    SC_HAS_PROCESS(Node);
    SC_THREAD(run);
    set_stack_size(1 << 20); // a Verilated core runs on it
    SC_METHOD(drive_interrupt);
    sensitive << completed_;
}

Node::~Node() {
    packet_.clear_extension(&flit_);
    core_->class_->destroy(core_);
}

// ---- time ------------------------------------------------------------------------

sc_core::sc_time Node::time_of(uint64_t cycle) const {
    return sc_core::sc_time::from_value(period_.value() * cycle + half_.value());
}

// The first cycle whose middle is at `when` or later.
uint64_t Node::cycle_from(const sc_core::sc_time &when) const {
    return ((when - half_).value() + period_.value() - 1) / period_.value();
}

void Node::run() {
    wait(half_);
    keeper_.reset();
    for (;;) {
        const ace_pins_out *out = core_->class_->out(core_);
        if (at_rest(*out) && next_input() > cycle_) {
            sleep();
            continue;
        }
        if (core_->class_->time) core_->class_->time(core_, cycle_);
        const bool completes = out->done_valid;
        if (completes) catch_up();
        one_cycle(*out);
        keeper_.set(time_of(cycle_) - sc_core::sc_time_stamp());
        if (completes || transport_ == Transport::non_blocking || keeper_.need_sync())
            keeper_.sync();
    }
}

// The simulation's time becomes this cycle's.
void Node::catch_up() {
    keeper_.set(time_of(cycle_) - sc_core::sc_time_stamp());
    keeper_.sync();
}

void Node::one_cycle(const ace_pins_out &out) {
    receive();
    memory_pins();
    in_.cmd_valid = !commands_.empty() && commands_.front().cycle <= cycle_;
    if (in_.cmd_valid) in_.cmd = commands_.front().command;
    send(out);
    memory_handshakes(out);
    if (in_.cmd_valid && out.cmd_ready) commands_.pop_front();
    if (out.done_valid) {
        completions_.push_back({ cycle_, out.done_tag });
        completed_.notify(sc_core::SC_ZERO_TIME);
    }
    if (out.scratchpad_failed)
        SC_REPORT_FATAL("ace",
                        (std::string(name()) + ": " + ace_strerror(ACE_ESCRATCHPAD)).c_str());
    if (out.transfer_failed)
        SC_REPORT_FATAL("ace", (std::string(name()) + ": " + ace_strerror(ACE_ETRANSFER)).c_str());
    if (out.parity_failed)
        SC_REPORT_FATAL("ace", (std::string(name()) + ": " + ace_strerror(ACE_EPARITY)).c_str());
    if (out.link_failed)
        SC_REPORT_FATAL("ace", (std::string(name()) + ": " + ace_strerror(ACE_ELINK)).c_str());
    if (out.mismatch)
        SC_REPORT_FATAL("ace", (std::string(name()) + ": " + ace_strerror(ACE_ENODE)).c_str());
    core_->class_->tick(core_, &in_); // with ace::Pins, a tick takes simulated time
    forget();
    cycle_++;
}

// Nothing changes without a command or a flit.
bool Node::at_rest(const ace_pins_out &out) const {
    return out.idle && reads_.empty() && writes_.empty();
}

uint64_t Node::next_input() const {
    uint64_t next = commands_.empty() ? NEVER : commands_.front().cycle;
    for (const auto &link : arrivals_)
        if (!link.empty()) next = std::min(next, link.front().cycle);
    return next;
}

// Until the cycle of the next input, which is known or comes.
void Node::sleep() {
    for (;;) {
        const uint64_t next = next_input();
        const sc_core::sc_time now = sc_core::sc_time_stamp();
        if (next == NEVER) {
            wait(wake_);
        } else if (time_of(next) > now) {
            wait(time_of(next) - now, wake_);
        } else {
            break;
        }
    }
    const uint64_t next = std::max(cycle_, cycle_from(sc_core::sc_time_stamp()));
    wait(time_of(next) - sc_core::sc_time_stamp());
    core_->class_->skip(core_, next - cycle_);
    cycle_ = next;
    keeper_.reset();
}

// ---- links -----------------------------------------------------------------------

void Node::receive() {
    ace_rx_pins &rx_pins = in_.rx;
    rx_pins = {};
    for (unsigned l = 0; l < ACE_LINKS; l++) {
        in_.rx_data[l] = nullptr;
        if (arrivals_[l].empty() || arrivals_[l].front().cycle != cycle_) continue;
        const Arrival &a = arrivals_[l].front();
        rx_pins.valid |= uint8_t(a.flit.data << l);
        rx_pins.reduce |= uint8_t(a.flit.reduce << l);
        rx_pins.credit |= uint8_t(a.flit.credit << l);
        rx_pins.routed |= uint8_t(a.flit.routed << l);
        rx_pins.routed_credit |= uint8_t(a.flit.routed_credit << l);
        rx_pins.grant_valid |= uint8_t(a.flit.grant << l);
        rx_pins.frame |= uint8_t(1u << l);
        rx_pins.resend |= uint8_t(a.flit.resend << l);
        rx_pins.number[l] = a.flit.number;
        rx_pins.ack[l] = a.flit.ack;
        rx_pins.flipped |= uint8_t((a.flit.flip != 0) << l);
        rx_pins.flip[l] = a.flit.flip;
        rx_pins.link[l] = { a.flit.context, a.flit.mark, a.flit.grant_context, a.flit.grant_mark };
        rx_pins.grant_peer[l] = a.flit.grant_peer;
        if (!a.flit.data) continue;
        in_.rx_data[l] = a.row;
        in_.rx_route[l] = a.flit.route;
    }
}

// Drops the arrivals and the read row that the core's tick has copied.
void Node::forget() {
    for (auto &link : arrivals_)
        if (!link.empty() && link.front().cycle == cycle_) link.pop_front();
    if (read_taken_) reads_.pop_front();
}

void Node::send(const ace_pins_out &out) {
    for (unsigned set = out.tx_frame; set; set &= set - 1) send(unsigned(__builtin_ctz(set)), out);
}

void Node::send(unsigned l, const ace_pins_out &out) {
    ace_flit &f = flit_.sidebands;
    f = {};
    f.data = out.tx_valid >> l & 1;
    f.reduce = out.tx_reduce >> l & 1;
    f.credit = out.tx_credit >> l & 1;
    f.routed = out.tx_routed >> l & 1;
    f.routed_credit = out.tx_routed_credit >> l & 1;
    f.grant = out.tx_grant_valid >> l & 1;
    f.context = out.tx[l].context;
    f.mark = out.tx[l].mark;
    f.frame = true;
    f.resend = out.tx_resend >> l & 1;
    f.number = out.tx_number[l];
    f.ack = out.tx_ack[l];
    f.grant_context = out.tx_grant[l].context;
    f.grant_mark = out.tx_grant[l].mark;
    f.grant_peer = out.tx_grant_peer[l];
    f.route = out.tx_route[l];
    packet_.set_command(f.data ? tlm::TLM_WRITE_COMMAND : tlm::TLM_IGNORE_COMMAND);
    // A write does not change its data, which TLM-2.0 has as a pointer to bytes that may change.
    packet_.set_data_ptr(
        f.data ? reinterpret_cast<unsigned char *>(const_cast<uint32_t *>(out.tx_data[l]))
               : nullptr);
    packet_.set_data_length(f.data ? ACE_ROW_BYTES : 0);
    packet_.set_streaming_width(ACE_ROW_BYTES);
    packet_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    if (tx[l].size() == 0)
        SC_REPORT_FATAL("ace", (std::string(tx[l].name()) +
                                ": found a flit to send, expected the socket to be bound")
                                   .c_str());
    sc_core::sc_time delay = time_of(cycle_) - sc_core::sc_time_stamp();
    if (transport_ == Transport::blocking) {
        tx[l]->b_transport(packet_, delay);
    } else {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        if (tx[l]->nb_transport_fw(packet_, phase, delay) != tlm::TLM_COMPLETED)
            SC_REPORT_FATAL("ace", (std::string(tx[l].name()) +
                                    ": found a flit not completed, expected TLM_COMPLETED")
                                       .c_str());
    }
}

void Node::arrive(unsigned l, tlm::tlm_generic_payload &t, const sc_core::sc_time &delay) {
    const Flit *flit = t.get_extension<Flit>();
    if (!flit || (flit->sidebands.data &&
                  (!t.is_write() || t.get_data_length() != unsigned(ACE_ROW_BYTES)))) {
        t.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
        return;
    }
    const uint64_t cycle = (sc_core::sc_time_stamp() + delay).value() / period_.value();
    if (cycle < cycle_ || (!arrivals_[l].empty() && arrivals_[l].back().cycle >= cycle)) {
        SC_REPORT_FATAL("ace", (std::string(rx[l].name()) + ": found a flit for cycle " +
                                std::to_string(cycle) + ", expected a later one")
                                   .c_str());
        return;
    }
    arrivals_[l].emplace_back();
    Arrival &a = arrivals_[l].back();
    a.cycle = cycle;
    a.flit = flit->sidebands;
    if (a.flit.data) std::memcpy(a.row, t.get_data_ptr(), ACE_ROW_BYTES);
    t.set_response_status(tlm::TLM_OK_RESPONSE);
    wake_.notify(sc_core::SC_ZERO_TIME);
}

void Node::link_b_transport(int link, tlm::tlm_generic_payload &t, sc_core::sc_time &delay) {
    arrive(unsigned(link), t, delay);
}

tlm::tlm_sync_enum Node::link_nb_transport(int link, tlm::tlm_generic_payload &t, tlm::tlm_phase &,
                                           sc_core::sc_time &delay) {
    arrive(unsigned(link), t, delay);
    return tlm::TLM_COMPLETED;
}

// ---- memory ----------------------------------------------------------------------

// From the memory's state, before this cycle's handshakes change it.
void Node::memory_pins() {
    in_.ar_ready = in_.aw_ready = true;
    in_.w_ready = written_ < writes_.size();
    in_.b_valid = written_ > 0 && !writes_.front().open && writes_.front().ready <= cycle_;
    in_.r_valid = !reads_.empty() && reads_.front().ready <= cycle_;
    in_.r_last = in_.r_valid && reads_.front().last;
    in_.r_data = in_.r_valid ? reads_.front().row : nullptr;
}

void Node::memory_handshakes(const ace_pins_out &out) {
    if (in_.b_valid && out.b_ready) {
        writes_.pop_front();
        written_--;
    }
    if (in_.w_ready && out.w_valid) {
        Write &w = writes_[written_];
        const uint64_t address = w.address;
        w.address += ACE_ROW_BYTES;
        w.rows--;
        w.ready = std::max(w.ready, cycle_ + 1);
        if (!w.rows) written_++;
        if (out.w_last != !w.rows)
            SC_REPORT_FATAL("ace", (std::string(name()) + ": " + ace_strerror(ACE_EPROTO)).c_str());
        if (out.w_bytes)
            request(tlm::TLM_WRITE_COMMAND, address, out.w_bytes, nullptr, &w, out.w_data);
    }
    read_taken_ = in_.r_valid && out.r_ready;
    if (out.ar_valid && in_.ar_ready)
        for (unsigned i = 0; i <= out.ar_len; i++) {
            reads_.emplace_back();
            Read &r = reads_.back();
            r.last = i == out.ar_len;
            request(tlm::TLM_READ_COMMAND, out.ar_addr + uint64_t(i) * ACE_ROW_BYTES, ACE_ROW_BYTES,
                    &r, nullptr, nullptr);
        }
    if (out.aw_valid && in_.aw_ready) writes_.push_back({ out.aw_addr, out.aw_len + 1u, 0, 0 });
    begin_requests();
}

void Node::request(tlm::tlm_command command, uint64_t address, unsigned bytes, Read *read,
                   Write *write, const uint32_t *row) {
    Request *r = pool_.get();
    r->read = read;
    r->write = write;
    if (read) read->ready = NEVER;
    if (write) write->open++;
    if (row) std::memcpy(r->row, row, bytes);
    r->set_command(command);
    r->set_address(address);
    r->set_data_ptr(reinterpret_cast<unsigned char *>(read ? read->row : r->row));
    r->set_data_length(bytes);
    r->set_streaming_width(bytes);
    r->set_byte_enable_ptr(nullptr);
    r->set_dmi_allowed(false);
    r->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    requests_.push_back(r);
}

void Node::begin_requests() {
    while (!requests_.empty() && !begun_) {
        Request *r = requests_.front();
        sc_core::sc_time delay = time_of(cycle_) - sc_core::sc_time_stamp();
        requests_.pop_front();
        if (transport_ == Transport::blocking) {
            const sc_core::sc_time before = sc_core::sc_time_stamp();
            memory->b_transport(*r, delay);
            if (sc_core::sc_time_stamp() != before)
                SC_REPORT_FATAL("ace", (std::string(memory.name()) +
                                        ": found a target that waits in b_transport, expected "
                                        "its latency in the delay, or Transport::non_blocking")
                                           .c_str());
            answered(r, before + delay);
            continue;
        }
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        begun_ = r;
        switch (memory->nb_transport_fw(*r, phase, delay)) {
        case tlm::TLM_ACCEPTED: break;
        case tlm::TLM_UPDATED:
            begun_ = nullptr;
            if (phase == tlm::BEGIN_RESP) {
                answered(r, sc_core::sc_time_stamp() + delay);
                phase = tlm::END_RESP;
                memory->nb_transport_fw(*r, phase, delay);
            }
            break;
        case tlm::TLM_COMPLETED:
            begun_ = nullptr;
            answered(r, sc_core::sc_time_stamp() + delay);
            break;
        }
    }
}

tlm::tlm_sync_enum Node::memory_nb_transport_bw(tlm::tlm_generic_payload &t, tlm::tlm_phase &phase,
                                                sc_core::sc_time &delay) {
    if (&t == begun_) begun_ = nullptr; // END_REQ, or BEGIN_RESP, which implies it
    if (phase == tlm::BEGIN_RESP) {
        answered(static_cast<Request *>(&t), sc_core::sc_time_stamp() + delay);
        return tlm::TLM_COMPLETED;
    }
    return tlm::TLM_ACCEPTED;
}

void Node::answered(Request *r, const sc_core::sc_time &when) {
    const uint64_t ready = cycle_from(when + sc_core::sc_time::from_value(1));
    if (r->is_response_error())
        SC_REPORT_ERROR("ace",
                        (std::string(memory.name()) + ": address " +
                         std::to_string(r->get_address()) + " answered " + r->get_response_string())
                            .c_str());
    if (r->read) {
        r->read->ready = ready;
    } else {
        r->write->open--;
        r->write->ready = std::max(r->write->ready, ready);
    }
    r->release();
}

Node::Request *Node::Pool::get() {
    if (free_.empty()) free_.push_back(std::make_unique<Request>());
    Request *r = free_.back().release();
    free_.pop_back();
    r->set_mm(this);
    r->acquire();
    return r;
}

void Node::Pool::free(tlm::tlm_generic_payload *t) {
    t->reset();
    free_.emplace_back(static_cast<Request *>(t));
}

// ---- registers -------------------------------------------------------------------

void Node::register_b_transport(tlm::tlm_generic_payload &t, sc_core::sc_time &delay) {
    const uint64_t address = t.get_address();
    const unsigned length = t.get_data_length();
    if (address % 4 || address >= REGISTERS_END || length > REGISTERS_END - address) {
        t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return;
    }
    if (!length || length % 4 || t.get_streaming_width() < length) {
        t.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return;
    }
    if (t.get_byte_enable_ptr()) {
        t.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        return;
    }
    bool ok = true;
    for (unsigned i = 0; i < length && ok; i += 4) {
        uint32_t word;
        if (t.is_read()) {
            word = read_register(unsigned(address) + i);
            std::memcpy(t.get_data_ptr() + i, &word, 4);
        } else if (t.is_write()) {
            std::memcpy(&word, t.get_data_ptr() + i, 4);
            ok = write_register(unsigned(address) + i, word, sc_core::sc_time_stamp() + delay);
        }
    }
    t.set_response_status(ok ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE);
}

uint32_t Node::read_register(unsigned address) const {
    const ace_completion none{}, &done = completions_.empty() ? none : completions_.front();
    switch (address) {
    case REGISTER_DONE: return completions_.empty() ? 0 : DONE_VALID | done.tag;
    case REGISTER_CYCLE: return uint32_t(done.cycle);
    case REGISTER_CYCLE + 4: return uint32_t(done.cycle >> 32);
    case REGISTER_WAITING: return uint32_t(commands_.size());
    default: return register_[address / 4];
    }
}

bool Node::write_register(unsigned address, uint32_t value, const sc_core::sc_time &when) {
    if (address < REGISTER_DONE) register_[address / 4] = value;
    if (address == REGISTER_TAG) return submit(when);
    if (address == REGISTER_DONE && !completions_.empty()) {
        completions_.pop_front();
        completed_.notify(sc_core::SC_ZERO_TIME);
    }
    return true; // what is read-only stays
}

bool Node::submit(const sc_core::sc_time &when) {
    const auto wide = [this](unsigned at) {
        return register_[at / 4] | uint64_t(register_[at / 4 + 1]) << 32;
    };
    const uint32_t word = register_[REGISTER_COMMAND / 4];
    Command c{};
    c.command.kind = ace_kind(word & 15);
    c.command.type = ace_type(word >> 4 & 15);
    c.command.op = ace_op(word >> 8 & 15);
    c.command.dim_count = word >> 12 & 7;
    for (unsigned i = 0; i < ACE_DIMENSIONS; i++) c.command.dims[i] = word >> (16 + 2 * i) & 3;
    c.command.source = wide(REGISTER_SOURCE);
    c.command.destination = wide(REGISTER_DESTINATION);
    c.command.bytes = wide(REGISTER_BYTES);
    c.command.tag = uint16_t(register_[REGISTER_TAG / 4]);
    if (ace_composed(&c.command) || ace_command_check(&c.command, &config_) != ACE_OK) return false;
    c.command.scale = ace_plan_scale(&c.command, &config_);
    c.cycle = (when.value() + period_.value() - 1) / period_.value();
    if (c.cycle < cycle_ && !late_) {
        late_ = true;
        SC_REPORT_WARNING("ace", (std::string(name()) + ": a command for cycle " +
                                  std::to_string(c.cycle) + " is taken in cycle " +
                                  std::to_string(cycle_) +
                                  ", to which the node has run ahead; write it earlier with a "
                                  "delay, or with a shorter global quantum")
                                     .c_str());
    }
    if (!commands_.empty()) c.cycle = std::max(c.cycle, commands_.back().cycle);
    commands_.push_back(c);
    wake_.notify(sc_core::SC_ZERO_TIME);
    return true;
}

void Node::drive_interrupt() { interrupt.write(!completions_.empty()); }

} // namespace ace
