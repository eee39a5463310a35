// SPDX-License-Identifier: Apache-2.0
//
// ace_rtl_node.cc -- the Verilated node as a core: pins in, pins out, one clock a tick

#include "ace_rtl_node.h"

#include "ace_rtl_registers.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <new>
#include <vector>
#include <verilated.h>
#include <verilated_fst_c.h>
#include <verilated_save.h>

template <class Model> struct Registers; // each() and settle(): cmake/registers.sh

#include "Vace_node.h"
#include "Vace_node_registers.h"
#include "ace_node_sets.h"

namespace {

constexpr unsigned kCountWords = ACE_UNITS * ACE_CLASSES * 48 / 32;

// Verilator's streams of a model's registers, to and from bytes in memory.
class Saved final : public VerilatedSerialize {
public:
    std::vector<uint8_t> bytes;
    void flush() override {
        bytes.insert(bytes.end(), m_bufp, m_cp);
        m_cp = m_bufp;
    }
};

class Restored final : public VerilatedDeserialize {
public:
    explicit Restored(const std::vector<uint8_t> &from) : bytes_(from) { m_endp = m_cp; }

private:
    const std::vector<uint8_t> &bytes_;
    size_t at_ = 0;

    // What is unread moves to the front; after the last byte nothing is asked for.
    void fill() override {
        const size_t unread = size_t(m_endp - m_cp);
        const size_t more = std::min(bufferSize() - unread, bytes_.size() - at_);
        std::memmove(m_bufp, m_cp, unread);
        std::memcpy(m_bufp + unread, bytes_.data() + at_, more);
        at_ += more;
        m_cp = m_bufp;
        m_endp = m_bufp + unread + more;
    }
};

// A register as it lies in a model: one number, words, or an array of either.
template <class T> ace_rtl_register placed(const char *name, unsigned top_bit, T &at) {
    return { name, top_bit + 1, 1, sizeof at, sizeof at, &at };
}
template <class T, std::size_t n>
ace_rtl_register placed(const char *name, unsigned top_bit, VlUnpacked<T, n> &at) {
    return { name, top_bit + 1, n, sizeof at[0], sizeof at[0], &at[0] };
}

struct RtlClass {
    ace_core_class core;
    void (*registers)(ace_core *, ace_rtl_register_see *, void *);
    void (*settle)(ace_core *);
};

// The RTL counts cycles it is run; those skipped while idle are added here.
template <class Model> struct RtlCore {
    ace_core base;
    VerilatedContext context;
    std::unique_ptr<Model> top;
    std::unique_ptr<VerilatedFstC> wave;
    const char *wave_file = nullptr;
    uint64_t from = 0, to = 0, now = 0, skipped = 0;
    bool payload = false, fresh = false;
    ace_pins_out out{};

    static RtlCore *self(ace_core *c) { return reinterpret_cast<RtlCore *>(c); }
    static const RtlCore *self(const ace_core *c) { return reinterpret_cast<const RtlCore *>(c); }

    bool tracing() const { return wave && now >= from && now < to; }

    void edge() {
        top->clk = 0;
        top->eval();
        if (tracing()) wave->dump(2 * now);
        top->clk = 1;
        top->eval();
        if (tracing()) wave->dump(2 * now + 1);
        now++;
        fresh = false;
    }

    static void reset(ace_core *core) {
        RtlCore *c = self(core);
        c->top->rst = 1;
        c->edge();
        c->top->rst = 0;
        c->now--;
        c->skipped = 0;
    }

    static void destroy(ace_core *core) {
        RtlCore *c = self(core);
        if (c->wave) c->wave->close();
        c->top->final();
        delete c;
    }

    static const uint32_t *row(const RtlCore *c, const EData *words) {
        return c->payload ? reinterpret_cast<const uint32_t *>(words) : nullptr;
    }

    static const ace_pins_out *outputs(ace_core *core) {
        RtlCore *c = self(core);
        if (c->fresh) return &c->out;
        c->fresh = true;
        Model &t = *c->top;
        ace_pins_out &o = c->out;
        o.cmd_ready = t.s_cmd_ready;
        o.done_valid = t.m_done_valid;
        o.done_tag = t.m_done_tag;
        o.tx_valid = t.tx_valid;
        o.tx_reduce = t.tx_reduce;
        o.tx_credit = t.tx_credit;
        o.tx_routed = t.tx_routed;
        o.tx_routed_credit = t.tx_routed_credit;
        o.tx_grant_valid = t.tx_grant_valid;
        o.tx_grant_context = t.tx_grant_context;
        o.tx_grant_mark = t.tx_grant_mark;
        for (unsigned l = 0; l < ACE_LINKS; l++) {
            if (!(o.tx_valid >> l & 1)) continue;
            o.tx[l].context = uint8_t(t.tx_context >> (8 * l));
            o.tx[l].mark = uint8_t(t.tx_mark >> (8 * l));
            o.tx_data[l] = row(c, &t.tx_data[l * ACE_ROW_WORDS]);
            if (o.tx_routed >> l & 1) std::memcpy(&o.tx_route[l], &t.tx_route[2 * l], 8);
        }
        o.ar_valid = t.m_ar_valid;
        o.ar_addr = t.m_ar_addr;
        o.ar_len = t.m_ar_len;
        o.r_ready = t.s_r_ready;
        o.aw_valid = t.m_aw_valid;
        o.aw_addr = t.m_aw_addr;
        o.aw_len = t.m_aw_len;
        o.w_valid = t.m_w_valid;
        o.w_last = t.m_w_last;
        o.w_data = row(c, &t.m_w_data[0]);
        o.b_ready = t.s_b_ready;
        o.w_bytes = 0;
        if (o.w_valid)
            for (unsigned i = 0; i < ACE_ROW_BYTES / 32; i++)
                o.w_bytes = uint16_t(o.w_bytes + __builtin_popcount(t.m_w_strb[i]));
        o.idle = t.idle;
        o.mismatch = t.mismatch;
        return &o;
    }

    static void put(EData *to, const uint32_t *from_row) {
        if (from_row) std::memcpy(to, from_row, ACE_ROW_BYTES);
    }

    static void tick(ace_core *core, const ace_pins_in *in) {
        RtlCore *c = self(core);
        Model &t = *c->top;
        t.s_cmd_valid = in->cmd_valid;
        if (in->cmd_valid) {
            t.s_cmd_kind = uint8_t(in->cmd.kind);
            t.s_cmd_type = uint8_t(in->cmd.type);
            t.s_cmd_dim_count = in->cmd.dim_count;
            t.s_cmd_dims = 0;
            for (unsigned i = 0; i < in->cmd.dim_count; i++)
                t.s_cmd_dims = uint8_t(t.s_cmd_dims | in->cmd.dims[i] << (2 * i));
            t.s_cmd_source = in->cmd.source;
            t.s_cmd_destination = in->cmd.destination;
            t.s_cmd_bytes = in->cmd.bytes;
            t.s_cmd_tag = in->cmd.tag;
        }
        t.rx_valid = in->rx.valid;
        t.rx_reduce = in->rx.reduce;
        t.rx_credit = in->rx.credit;
        t.rx_routed = in->rx.routed;
        t.rx_routed_credit = in->rx.routed_credit;
        t.rx_grant_valid = in->rx.grant_valid;
        if (in->rx.valid | in->rx.grant_valid) {
            uint64_t context = 0, mark = 0, grant_context = 0, grant_mark = 0;
            for (unsigned l = 0; l < ACE_LINKS; l++) {
                context |= uint64_t(in->rx.link[l].context) << (8 * l);
                mark |= uint64_t(in->rx.link[l].mark) << (8 * l);
                grant_context |= uint64_t(in->rx.link[l].grant_context) << (8 * l);
                grant_mark |= uint64_t(in->rx.link[l].grant_mark) << (8 * l);
                if (in->rx.valid >> l & 1) put(&t.rx_data[l * ACE_ROW_WORDS], in->rx_data[l]);
                if (in->rx.routed >> l & 1) std::memcpy(&t.rx_route[2 * l], &in->rx_route[l], 8);
            }
            t.rx_context = context;
            t.rx_mark = mark;
            t.rx_grant_context = grant_context;
            t.rx_grant_mark = grant_mark;
        }
        t.m_ar_ready = in->ar_ready;
        t.s_r_valid = in->r_valid;
        t.s_r_last = in->r_last;
        if (in->r_valid) put(&t.s_r_data[0], in->r_data);
        t.m_aw_ready = in->aw_ready;
        t.m_w_ready = in->w_ready;
        t.s_b_valid = in->b_valid;
        c->edge();
    }

    static void skip(ace_core *core, uint64_t cycles) {
        RtlCore *c = self(core);
        c->skipped += cycles;
        c->now += cycles;
    }

    static void counts(const ace_core *core, ace_counts to) {
        const RtlCore *c = self(core);
        for (unsigned i = 0; i < ACE_UNITS * ACE_CLASSES; i++) {
            uint64_t value = 0;
            for (unsigned b = 0; b < 48; b += 16) {
                const unsigned bit = i * 48 + b;
                value |= uint64_t(c->top->count[bit / 32] >> (bit % 32) & 0xffff) << b;
            }
            to[i / ACE_CLASSES][i % ACE_CLASSES] = value + (i % ACE_CLASSES == 3 ? c->skipped : 0);
        }
    }

    static void dump(const ace_core *core, FILE *to) {
        const ace_pins_out *o = outputs(const_cast<ace_core *>(core));
        std::fprintf(to, "  rtl: idle %d, takes commands %d, reads memory %d, writes memory %d\n",
                     o->idle, o->cmd_ready, o->ar_valid, o->w_valid);
        ace_counts counted;
        counts(core, counted);
        for (unsigned l = 0; l < ACE_LINKS; l++)
            std::fprintf(to, "  link %u: %llu cycles busy, %llu blocked\n", l,
                         (unsigned long long)counted[l][0], (unsigned long long)counted[l][2]);
    }

    static void time(ace_core *core, uint64_t cycle) {
        RtlCore *c = self(core);
        c->now = cycle;
        if (c->wave_file && !c->wave && cycle >= c->from) {
            c->wave = std::make_unique<VerilatedFstC>();
            c->top->trace(c->wave.get(), 99);
            c->wave->open(c->wave_file);
        }
        if (c->wave && cycle >= c->to) {
            c->wave->close();
            c->wave.reset();
            c->wave_file = nullptr;
        }
    }

    // The cfg_* pins are registers of the model; the waveform is of the run, not of its state.
    static void state(ace_core *core, ace_state *s) {
        RtlCore *c = self(core);
        Saved saved;
        if (!s->loading) {
            saved << *c->top;
            saved.flush();
        }
        uint64_t size = saved.bytes.size();
        ace_state_bytes(s, &size, sizeof size);
        if (s->failed) return;
        saved.bytes.resize(size_t(size));
        ace_state_bytes(s, saved.bytes.data(), saved.bytes.size());
        ace_state_bytes(s, &c->now, sizeof c->now);
        ace_state_bytes(s, &c->skipped, sizeof c->skipped);
        if (!s->loading || s->failed) return;
        Restored restored(saved.bytes);
        restored >> *c->top;
        c->context.traceEverOn(c->wave_file != nullptr); // of this run, not of the one saved
        c->fresh = false;
    }

    static void registers(ace_core *core, ace_rtl_register_see *see, void *to) {
        Registers<Model>::each(*self(core)->top,
                               [&](const char *name, unsigned top_bit, auto &member) {
                                   const ace_rtl_register r = placed(name, top_bit, member);
                                   see(to, &r);
                               });
    }

    static void settle(ace_core *core) {
        RtlCore *c = self(core);
        Registers<Model>::settle(*c->top);
        c->skipped = 0; // the idle counters have been written with the rest
        c->fresh = false;
    }

    static const ace_core_class *core_class() {
        static const RtlClass k = { { "rtl", destroy, reset, outputs, tick, skip, counts, dump,
                                      time, state },
                                    registers,
                                    settle };
        return &k.core;
    }

    static int create(const ace_config *cfg, bool payload, uint32_t seed, const char *wave,
                      uint64_t from, uint64_t to, ace_core **core) {
        auto *c = new (std::nothrow) RtlCore;
        if (!c) return ACE_ENOMEM;
        c->base.class_ = core_class();
        c->context.randReset(2);
        c->context.randSeed(int(seed * 2654435761u | 1u));
        c->context.traceEverOn(wave != nullptr);
        c->top = std::make_unique<Model>(&c->context, "node");
        c->payload = payload;
        c->wave_file = wave;
        c->from = from;
        c->to = to;
        Model &t = *c->top;
        t.cfg_fifo = cfg->order == ACE_FIFO;
        t.cfg_ring = t.cfg_rank = 0;
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
            t.cfg_ring |= uint32_t(cfg->ring[d]) << (8 * d);
            t.cfg_rank |= uint32_t(cfg->rank[d]) << (8 * d);
        }
        t.cfg_link_cost[0] = cfg->link_cost[0] | cfg->link_cost[1] << 24;
        t.cfg_link_cost[1] = cfg->link_cost[1] >> 8 | cfg->link_cost[2] << 16;
        t.cfg_link_cost[2] = cfg->link_cost[2] >> 16;
        t.cfg_chunk_rows = cfg->chunk_rows;
        t.cfg_partition_rows = 0;
        for (unsigned p = 0; p < ACE_PARTITIONS; p++)
            t.cfg_partition_rows |= uint64_t(cfg->partition_rows[p]) << (12 * p);
        t.cfg_read_cost = cfg->read_cost;
        t.cfg_write_cost = cfg->write_cost;
        t.cfg_memory_latency = cfg->memory_latency;
        t.s_cmd_valid = t.rx_valid = t.rx_credit = t.rx_grant_valid = t.s_r_valid = t.s_b_valid = 0;
        t.rx_routed = t.rx_routed_credit = 0;
        reset(&c->base);
        *core = &c->base;
        return ACE_OK;
    }
};

bool same(const ace_parameters &a, const ace_parameters &b) {
    return a.fsms == b.fsms && a.contexts == b.contexts && a.bank_rows == b.bank_rows &&
           a.link_input_rows == b.link_input_rows && a.link_output_rows == b.link_output_rows &&
           a.commands == b.commands && a.memory_bursts == b.memory_bursts &&
           a.router_input_rows == b.router_input_rows &&
           a.router_output_rows == b.router_output_rows && a.exchange_rows == b.exchange_rows &&
           a.exchange_bursts == b.exchange_bursts;
}

using Create = int (*)(const ace_config *, bool, uint32_t, const char *, uint64_t, uint64_t,
                       ace_core **);
const struct {
    const char *name;
    ace_parameters parameters;
    Create create;
} sets[] = { { "default", ACE_PARAMETERS_DEFAULT, RtlCore<Vace_node>::create },
#define X(name, ...) { #name, { __VA_ARGS__ }, RtlCore<Vace_node_##name>::create },
             ACE_NODE_SETS(X)
#undef X
};

} // namespace

extern "C" const ace_parameters *ace_rtl_parameters(unsigned set, const char **name) {
    if (set >= std::size(sets)) return nullptr;
    *name = sets[set].name;
    return &sets[set].parameters;
}

extern "C" int ace_rtl_core_create(const ace_parameters *p, const ace_config *cfg, bool payload,
                                   uint32_t seed, const char *wave, uint64_t from, uint64_t to,
                                   ace_core **core) {
    static_assert(kCountWords == 102, "the count pins are whole words");
    if (ace_parameters_check(p, cfg) != ACE_OK) return ACE_EINVAL;
    for (const auto &set : sets)
        if (same(*p, set.parameters)) return set.create(cfg, payload, seed, wave, from, to, core);
    return ACE_EINVAL;
}

extern "C" int ace_rtl_node_create(const ace_node_setup *setup, const char *wave, uint64_t from,
                                   uint64_t to, ace_node **node) {
    ace_core *core;
    const int err = ace_rtl_core_create(&setup->parameters, &setup->config,
                                        setup->memory != nullptr, 1, wave, from, to, &core);
    return err ? err : ace_driver_create(core, setup, node);
}

extern "C" void ace_rtl_core_registers(ace_core *core, ace_rtl_register_see *see, void *self) {
    reinterpret_cast<const RtlClass *>(core->class_)->registers(core, see, self);
}

extern "C" void ace_rtl_core_settle(ace_core *core) {
    reinterpret_cast<const RtlClass *>(core->class_)->settle(core);
}
