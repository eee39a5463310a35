// SPDX-License-Identifier: Apache-2.0
//
// platform.cc -- builds the torus that acesim collective simulates from SystemC modules

#include "platform.h"

#include <algorithm>
#include <stdexcept>

#include "ace_lockstep.h"
#include "ace_reference.h"
#include "ace_rtl_node.h"

namespace {

constexpr uint64_t STUCK_CYCLES = 1000000; // without a packet or a completion

// Returns numbers of a few magnitudes and both signs in each format.
std::vector<uint8_t> random_vector(uint64_t bytes, uint64_t seed, unsigned node) {
    std::vector<uint8_t> v(bytes);
    uint64_t s = (seed * 0x2545F4914F6CDD1Du + node) * 0x9E3779B97F4A7C15u + 1;
    for (size_t i = 0; i < v.size(); i++) {
        if (i % 2 == 0) {
            s ^= s << 13;
            s ^= s >> 7;
            s ^= s << 17;
        }
        v[i] = uint8_t(i % 2 ? (s >> 40 & 0x83) | 0x3c : s >> 32);
    }
    return v;
}

ace_core *made(int error, ace_core *core) {
    if (error) throw std::runtime_error(std::string("no core: ") + ace_strerror(error));
    return core;
}

} // namespace

struct Platform::Place {
    std::vector<uint8_t> vector;
    std::unique_ptr<ace::Pins> pins;
    ace_core *pair = nullptr;
    sc_core::sc_signal<bool> interrupt;
    std::unique_ptr<ace::Node> node;
    std::unique_ptr<ace::Memory> memory;
    std::unique_ptr<Npu> npu;
};

Platform::Platform(sc_core::sc_module_name name, const Setting &setting)
    : sc_module(name), setting_(setting), clk_("clk", setting.period) {
    const machine &m = setting.options->machine;
    command_ = ace_command{};
    command_.kind = m.kind;
    command_.type = m.type;
    command_.dim_count = m.dim_count;
    std::copy_n(m.dims, ACE_DIMENSIONS, command_.dims);
    command_.destination = (m.size + 4095) / 4096 * 4096 + 4096;
    command_.bytes = m.size;
    if (setting.trace) trace_ = sc_core::sc_create_vcd_trace_file(setting.trace);
    for (unsigned i = 0; i < setting.rung.size(); i++) {
        ace_config config = setting.config;
        unsigned rest = i;
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
            config.rank[d] = uint16_t(rest % config.ring[d]);
            rest /= config.ring[d];
        }
        places_.push_back(std::make_unique<Place>());
        Place &p = *places_.back();
        const std::string number = std::to_string(i);
        p.vector = random_vector(m.size, m.seed, i);
        ace_core *core = make_core(i, config);
        p.node = std::make_unique<ace::Node>(("node" + number).c_str(), core, config,
                                             setting.period, setting.transport);
        p.memory = std::make_unique<ace::Memory>(("memory" + number).c_str());
        p.npu = std::make_unique<Npu>(("npu" + number).c_str(), command_, setting.times,
                                      setting.outstanding, p.vector, finished_);
        p.node->memory.bind(p.memory->node);
        p.npu->memory.bind(p.memory->npu);
        p.npu->registers.bind(p.node->registers);
        p.node->interrupt(p.interrupt);
        p.npu->interrupt(p.interrupt);
    }
    for (unsigned i = 0; i < places_.size(); i++) connect(i);
    SC_HAS_PROCESS(Platform);
    SC_THREAD(wait_for_all);
}

Platform::~Platform() {
    if (trace_) sc_core::sc_close_vcd_trace_file(trace_);
}

ace_core *Platform::make_core(unsigned i, const ace_config &config) {
    Place &p = *places_[i];
    const ace_parameters &parameters = setting_.options->machine.cluster.parameters;
    const Rung rung = setting_.rung[i];
    ace_core *core = nullptr, *pair = nullptr;
    if (rung == Rung::pins || rung == Rung::lockstep) {
        p.pins = std::make_unique<ace::Pins>(("pins" + std::to_string(i)).c_str(), setting_.period,
                                             config);
        p.pins->clk(clk_);
        if (trace_) p.pins->trace(trace_);
    }
    if (rung == Rung::pins) return p.pins->core();
    if (rung == Rung::rtl)
        return made(ace_rtl_core_create(&parameters, &config, true, i + 1, nullptr, &core), core);
    core = made(ace_cycle_core_create(&parameters, &config, true, &core), core);
    if (rung == Rung::cycle) return core;
    p.pair =
        made(ace_lockstep_core_create(core, p.pins->core(), parameters.dimensions, &pair), pair);
    return p.pair;
}

// Connects each link to the opposite link of the neighbour.
void Platform::connect(unsigned i) {
    const cluster &c = setting_.options->machine.cluster;
    for (unsigned l = 0; l < ACE_LINKS; l++) {
        if (c.ring[l / 2] == 1) continue;
        links_.push_back(std::make_unique<ace::Link>(
            ("link" + std::to_string(i) + "_" + std::to_string(l)).c_str(),
            setting_.period * c.link_latency[l / 2]));
        places_[i]->node->tx[l].bind(links_.back()->in);
        links_.back()->out.bind(places_[torus_neighbour(c.ring, i, l)]->node->rx[l ^ 1]);
    }
}

void Platform::wait_for_all() {
    uint64_t before = UINT64_MAX;
    for (;;) {
        uint64_t left = 0, done = 0;
        for (const auto &p : places_) {
            left += p->npu->completed() < setting_.times;
            done += p->npu->completed();
            if (p->pair && ace_lockstep_difference(p->pair)) left = 0;
        }
        if (!left) break;
        if (packets() + done == before) {
            stuck_ = std::to_string(left) + " nodes wait in cycle " +
                     std::to_string(sc_core::sc_time_stamp().value() / setting_.period.value());
            break;
        }
        before = packets() + done;
        wait(setting_.period * STUCK_CYCLES, finished_);
    }
    sc_core::sc_stop();
}

uint64_t Platform::cycles(unsigned i) const {
    uint64_t last = 0;
    for (const auto &p : places_) last = std::max(last, p->npu->cycles()[i] + 1);
    return last;
}

uint64_t Platform::packets() const {
    uint64_t sum = 0;
    for (const auto &link : links_) sum += link->packets();
    return sum;
}

uint64_t Platform::cycles_compared() const {
    uint64_t sum = 0;
    for (const auto &p : places_)
        if (p->pair) sum += p->node->cycle();
    return sum;
}

std::string Platform::wrong_value() {
    std::vector<const uint8_t *> in;
    std::vector<std::vector<uint8_t>> want;
    std::vector<uint8_t *> out;
    for (const auto &p : places_) {
        in.push_back(p->vector.data());
        want.emplace_back(command_.bytes);
    }
    for (auto &w : want) out.push_back(w.data());
    if (ace_reference_collective(&command_, &setting_.config, in.data(), out.data()) != ACE_OK)
        return "no reference";
    for (unsigned i = 0; i < places_.size(); i++) {
        const std::vector<uint8_t> got = places_[i]->npu->result();
        const size_t at =
            size_t(std::mismatch(got.begin(), got.end(), want[i].begin()).first - got.begin());
        if (at < got.size())
            return "payload of node " + std::to_string(i) + " differs from the reference at byte " +
                   std::to_string(at);
    }
    return "";
}

std::string Platform::difference() const {
    for (unsigned i = 0; i < places_.size(); i++)
        if (places_[i]->pair)
            if (const char *difference = ace_lockstep_difference(places_[i]->pair))
                return "node " + std::to_string(i) + ", " + difference;
    return "";
}

std::string Platform::failure() {
    const std::string different = difference();
    if (!different.empty()) return different;
    return stuck_.empty() ? wrong_value() : stuck_;
}
