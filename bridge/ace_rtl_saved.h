// SPDX-License-Identifier: Apache-2.0
//
// ace_rtl_saved.h -- the state of a Verilated model that was made SAVABLE, to and from an ace_state
//
//     ace_rtl_saved<Vace_node>("rtl", *model, s);     false: it was saved, or did not load
//
// Only a model of the same code can read the bytes of a model.  A head precedes them, with a digest
// of that code, the number of bytes, and a checksum.  Loading compares all three.
#ifndef ACE_RTL_SAVED_H
#define ACE_RTL_SAVED_H

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>
#include <verilated.h>
#include <verilated_save.h>

#include "ace_state.h"

template <class Model> struct Build; // digest, of the model's code: cmake/registers.sh

namespace {

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

    // Moves the unread bytes to the front and appends more.  Verilator never reads past the end.
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

// The head of a saved state: it identifies the model whose bytes follow.
struct SavedHead {
    char what[8], build[24];
    uint64_t bytes, sum;
};

// FNV-1a.
inline uint64_t saved_sum(const std::vector<uint8_t> &bytes) {
    uint64_t sum = 0xcbf29ce484222325;
    for (const uint8_t byte : bytes) sum = (sum ^ byte) * 0x100000001b3;
    return sum;
}

// what: seven letters at most.  True: the model has been loaded.
template <class Model> bool ace_rtl_saved(const char *what, Model &model, ace_state *s) {
    Saved saved;
    saved << model;
    saved.flush();
    SavedHead own{ "", "", saved.bytes.size(), saved_sum(saved.bytes) };
    std::strncpy(own.what, what, sizeof own.what - 1);
    std::strncpy(own.build, Build<Model>::digest, sizeof own.build - 1);
    SavedHead found = own;
    ace_state_bytes(s, &found, sizeof found);
    ace_state_must(s, !std::memcmp(found.what, own.what, sizeof own.what), "rtl.what");
    ace_state_must(s, !std::memcmp(found.build, own.build, sizeof own.build), "rtl.build");
    ace_state_must(s, found.bytes == own.bytes, "rtl.bytes");
    // The first word is Verilator's own check, which ends the program where it fails.
    uint64_t check, checked;
    std::memcpy(&check, saved.bytes.data(), sizeof check);
    ace_state_bytes(s, saved.bytes.data(), saved.bytes.size());
    std::memcpy(&checked, saved.bytes.data(), sizeof checked);
    ace_state_must(s, checked == check, "rtl.check");
    ace_state_must(s, saved_sum(saved.bytes) == found.sum, "rtl.sum");
    if (!s->loading || s->failed) return false;
    Restored restored(saved.bytes);
    restored >> model;
    return true;
}

} // namespace

#endif
