// SPDX-License-Identifier: Apache-2.0
//
// ace_rtl_registers.cc -- which register of the model each of the twin's is, found once

#include "ace_rtl_registers.h"
#include "ace_switch.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

constexpr unsigned kSideBits = 289;    // a row's sideband in full: code, last beat, 256 strobes
constexpr unsigned kReadSideBits = 33; // the sideband of a row read: code, last beat

struct Slot {
    std::string name;
    ace_rtl_register rtl;  // rtl.at == nullptr: the model does not have it
    ace_rtl_register ring; // ring.at == nullptr: entries count from 0
};

uint64_t read(const ace_rtl_register &r, size_t entry) {
    if (!r.at) return 0;
    const auto *at = static_cast<const unsigned char *>(r.at) + entry * r.stride;
    if (r.bits == kSideBits) {
        uint32_t words[10];
        std::memcpy(words, at, sizeof words);
        uint64_t bytes = 0;
        for (unsigned i = 0; i < 8; i++) bytes += unsigned(__builtin_popcount(words[i]));
        const uint64_t above = words[8] | uint64_t(words[9]) << 32;
        return (above >> 1 & 0xffffffff) << 32 | (above & 1) << 16 | bytes;
    }
    uint64_t value = 0;
    std::memcpy(&value, at, r.bytes < sizeof value ? r.bytes : sizeof value);
    return value;
}

void write(const ace_rtl_register &r, size_t entry, uint64_t value) {
    if (!r.at) return;
    auto *at = static_cast<unsigned char *>(r.at) + entry * r.stride;
    if (r.bits == kSideBits) {
        uint32_t words[10] = {};
        for (unsigned i = 0; i < (value & 0xffff); i++) words[i / 32] |= 1u << (i % 32);
        const uint64_t above = value >> 32 << 1 | (value >> 16 & 1);
        words[8] = uint32_t(above);
        words[9] = uint32_t(above >> 32);
        std::memcpy(at, words, sizeof words);
        return;
    }
    std::memcpy(at, &value, r.bytes < sizeof value ? r.bytes : sizeof value);
}

// Bits that a register has.
uint64_t wide(const ace_rtl_register &r) {
    return r.bits < 64 ? (uint64_t(1) << r.bits) - 1 : UINT64_MAX;
}
unsigned shown_bits(const ace_rtl_register &r) { return r.bits < 64 ? r.bits : 64; }
bool is_read_side(const ace_rtl_register &r, const char *name) {
    return r.bits == kReadSideBits && std::strstr(name, "side");
}

// Some bits of a register.
struct Bits {
    ace_rtl_register of;
    unsigned low, count;

    unsigned read() const {
        uint64_t bits = 0;
        const unsigned first = low / 8;
        std::memcpy(&bits, static_cast<const unsigned char *>(of.at) + first,
                    std::min<size_t>(sizeof bits, of.bytes - first));
        return unsigned(bits >> low % 8) & ((1u << count) - 1);
    }
};

// A pipe of the switch that writes rows: its stage in which the row is given, and the scratchpad's
// a cycle later, in which it is written.
struct Pipe {
    Bits context, valid, bank, row;
    uint8_t giver, writer;
    bool writes; // did in the cycle before
    unsigned in, at;
};

} // namespace

struct ace_registers {
    ace_core *rtl;
    const ace_core *twin;
    std::vector<Slot> slots;            // in the twin's order
    std::vector<Slot> rows;             // likewise
    ace_rtl_register memory[ACE_BANKS]; // the scratchpad's, where a bank is one
    std::vector<ace_rtl_register> kept; // all of them
    std::string memory_name[ACE_BANKS];
    Pipe pipe[2];
};

namespace {

struct Pass {
    ace_registers *both;
    std::unordered_map<std::string, ace_rtl_register> members;
    ace_register_pair_see *see;
    ace_row_pair_see *see_row;
    void *self;
    size_t next;
};

ace_rtl_register find(const Pass *p, const std::string &name) {
    const auto found = p->members.find(name);
    return found == p->members.end() ? ace_rtl_register{ nullptr, 64, 1, 8, 8, nullptr }
                                     : found->second;
}

void collect(void *self, const ace_rtl_register *r) {
    static_cast<Pass *>(self)->members.emplace(r->name, *r);
}

void bind(void *self, const ace_register *r) {
    auto *p = static_cast<Pass *>(self);
    const std::string prefix = *r->unit ? std::string(r->unit) + "." : "";
    Slot s{ prefix + r->name, find(p, prefix + r->name), {} };
    if (r->ring) s.ring = find(p, prefix + r->ring);
    if (r->low) {
        s.name += "_high";
        if (s.rtl.at) {
            s.rtl.at = static_cast<unsigned char *>(s.rtl.at) + r->low / 8;
            s.rtl.bytes -= r->low / 8;
            s.rtl.bits -= r->low;
        }
    }
    /* a slot shows 64 bits at most; no other register of so many bits is a sideband */
    if (!std::strstr(r->name, "side")) s.rtl.bits = std::min(s.rtl.bits, 64u);
    p->both->slots.push_back(std::move(s));
}

void bind_row(void *self, const ace_row_register *r) {
    auto *p = static_cast<Pass *>(self);
    const std::string prefix = *r->unit ? std::string(r->unit) + "." : "";
    Slot s{ prefix + r->name, find(p, prefix + r->name), {} };
    if (r->ring) s.ring = find(p, prefix + r->ring);
    p->both->rows.push_back(std::move(s));
}

size_t entry_of(const Slot &s, unsigned at) {
    const size_t first = s.ring.at ? read(s.ring, 0) : 0;
    return (first + at) % s.rtl.depth;
}

// A value, or a mask, as the register has it.
uint64_t own(const Slot &s, const ace_register *r, uint64_t value) {
    return is_read_side(s.rtl, r->name) ? value >> 32 << 1 | (value >> 16 & 1) : value;
}

// Rings are laid down from entry 0 on, as the twin's pointers say, which may differ.
void load(void *self, const ace_register *r) {
    auto *p = static_cast<Pass *>(self);
    const Slot &s = p->both->slots[p->next++];
    write(s.rtl, r->at % s.rtl.depth, own(s, r, r->value) & wide(s.rtl));
}

void show(void *self, const ace_register *r) {
    auto *p = static_cast<Pass *>(self);
    const Slot &s = p->both->slots[p->next];
    const size_t entry = entry_of(s, r->at);
    const ace_register_pair pair = { s.name.c_str(),
                                     s.rtl.depth > 1,
                                     unsigned(p->next++),
                                     unsigned(entry),
                                     r->at,
                                     shown_bits(s.rtl),
                                     read(s.rtl, entry),
                                     own(s, r, r->value),
                                     s.rtl.at ? own(s, r, r->mask) & wide(s.rtl) : 0,
                                     r->may_differ };
    p->see(p->self, &pair);
}

const uint32_t *row_at(const ace_rtl_register &r, size_t entry) {
    return reinterpret_cast<const uint32_t *>(static_cast<const unsigned char *>(r.at) +
                                              entry * r.stride);
}

void load_row(void *self, const ace_row_register *r) {
    auto *p = static_cast<Pass *>(self);
    const Slot &s = p->both->rows[p->next++];
    if (!s.rtl.at) return;
    uint32_t *const to = const_cast<uint32_t *>(row_at(s.rtl, entry_of(s, r->at)));
    if (r->row)
        std::memcpy(to, r->row, ACE_ROW_BYTES);
    else
        std::memset(to, 0,
                    ACE_ROW_BYTES); // a row without values is one of zeros, and fits its code
}

void show_row(void *self, const ace_row_register *r) {
    auto *p = static_cast<Pass *>(self);
    const Slot &s = p->both->rows[p->next++];
    if (!r->row || r->may_differ || !s.rtl.at) return;
    const size_t entry = entry_of(s, r->at);
    const ace_row_pair pair = { s.name.c_str(),       s.rtl.depth > 1, unsigned(entry), 0,
                                row_at(s.rtl, entry), r->row };
    if (std::memcmp(pair.rtl, pair.twin, ACE_ROW_BYTES)) p->see_row(p->self, &pair);
}

// The twin writes a row when it is taken, the RTL at the end of a pipe: a row is compared
// once the RTL has written it.
void show_written(ace_registers *b, ace_row_pair_see *see, void *self) {
    for (Pipe &p : b->pipe) {
        if (!p.valid.of.at || !b->memory[0].at) continue; // another kind of model, or sub-banks
        if (p.writes) {
            const uint32_t *twin = ace_cycle_core_scratchpad(b->twin, p.in, p.at);
            const ace_row_pair pair = { b->memory_name[p.in].c_str(),  true, p.at, p.writer,
                                        row_at(b->memory[p.in], p.at), twin };
            if (twin && std::memcmp(pair.rtl, twin, ACE_ROW_BYTES)) see(self, &pair);
        }
        p.writes = p.valid.read();
        p.writer = p.giver;
        p.giver = uint8_t(p.context.read());
        p.in = p.bank.read();
        p.at = p.row.read();
    }
}

} // namespace

extern "C" int ace_registers_create(ace_core *rtl, const ace_core *twin, ace_registers **both) try {
    auto *b = new ace_registers{ rtl, twin, {}, {}, {}, {}, {}, {} };
    Pass p{ b, {}, nullptr, nullptr, nullptr, 0 };
    ace_rtl_core_registers(rtl, collect, &p);
    ace_cycle_core_registers(twin, bind, &p);
    ace_cycle_core_rows(twin, bind_row, &p);
    for (unsigned bank = 0; bank < ACE_BANKS; bank++) {
        b->memory_name[bank] = "u_datapath.u_scratchpad.u_banks.g_bank[" + std::to_string(bank) +
                               "].u_bank.g_whole.u_ram.memory";
        b->memory[bank] = find(&p, b->memory_name[bank]);
        if (b->memory[bank].at) b->kept.push_back(b->memory[bank]);
        for (unsigned sub = 0;; sub++) {
            const ace_rtl_register part =
                find(&p, "u_datapath.u_scratchpad.u_banks.g_bank[" + std::to_string(bank) +
                             "].u_bank.g_split.g_sub[" + std::to_string(sub) + "].u_ram.memory");
            if (!part.at) break;
            b->kept.push_back(part);
        }
    }
    const ace_rtl_register valid = find(&p, "u_datapath.u_scratchpad.write_q"),
                           bank = find(&p, "u_datapath.u_scratchpad.write_bank_q"),
                           row = find(&p, "u_datapath.u_scratchpad.write_row_q");
    b->pipe[0] = { { find(&p, "u_datapath.u_switch.reduce_context_q"), 8 * (ACE_DONE_STAGE - 1),
                     8 },
                   { valid, 0, 1 },
                   { bank, 0, 2 },
                   { row, 0, 12 },
                   0,
                   0,
                   false,
                   0,
                   0 };
    b->pipe[1] = { { find(&p, "u_datapath.u_switch.store_context_q"), 8 * (ACE_STORE_STAGE - 1),
                     8 },
                   { valid, 1, 1 },
                   { bank, 2, 2 },
                   { row, 12, 12 },
                   0,
                   0,
                   false,
                   0,
                   0 };
    *both = b;
    return ACE_OK;
} catch (const std::bad_alloc &) {
    return ACE_ENOMEM;
}

extern "C" void ace_registers_destroy(ace_registers *both) { delete both; }

extern "C" void ace_registers_load(ace_registers *both) {
    Pass p{ both, {}, nullptr, nullptr, nullptr, 0 };
    ace_cycle_core_registers(both->twin, load, &p);
    p.next = 0;
    ace_cycle_core_rows(both->twin, load_row, &p); // rows of a list determine the next transfer
    // Old contents are unknown. Zeros have a correct code, so they are read without an error.
    for (const ace_rtl_register &m : both->kept) std::memset(m.at, 0, m.depth * m.stride);
    ace_rtl_core_settle(both->rtl, true);
}

extern "C" void ace_registers_each(ace_registers *both, ace_register_pair_see *see, void *self) {
    Pass p{ both, {}, see, nullptr, self, 0 };
    ace_cycle_core_registers(both->twin, show, &p);
}

extern "C" void ace_registers_rows(ace_registers *both, ace_row_pair_see *see, void *self) {
    Pass p{ both, {}, nullptr, see, self, 0 };
    ace_cycle_core_rows(both->twin, show_row, &p);
    show_written(both, see, self);
}

extern "C" void ace_registers_missing(ace_registers *both, FILE *to) {
    std::set<std::string> names;
    for (const Slot &s : both->slots)
        if (!s.rtl.at) names.insert(s.name);
    for (const std::string &n : names) std::fprintf(to, "%s\n", n.c_str());
}
