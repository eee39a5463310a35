// SPDX-License-Identifier: Apache-2.0
//
// state_stream.h -- the state of something as bytes, for tests of what a loaded state must hold
// (ace_state.h)
#ifndef ACE_TESTS_STATE_STREAM_H
#define ACE_TESTS_STATE_STREAM_H

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

extern "C" {
#include "ace_state.h"
}

using Bytes = std::vector<uint8_t>;

// move(ace_state *) lists the state, as ...
template <class Move> Bytes SaveState(Move move) {
    Bytes bytes;
    ace_state s{};
    s.move = [](void *self, void *at, size_t n) {
        auto *from = static_cast<uint8_t *>(at);
        auto *to = static_cast<Bytes *>(self);
        to->insert(to->end(), from, from + n);
        return true;
    };
    s.self = &bytes;
    move(&s);
    EXPECT_FALSE(s.failed);
    return bytes;
}

// ... here.  What is impossible in it: a unit and a member, "" for nothing, "?" for a failure
// without a name.
template <class Move> std::string LoadState(const Bytes &bytes, Move move) {
    struct Stream {
        const Bytes &bytes;
        size_t at;
    } stream{ bytes, 0 };
    ace_state s{};
    s.loading = true;
    s.move = [](void *self, void *at, size_t n) {
        auto *from = static_cast<Stream *>(self);
        if (n > from->bytes.size() - from->at) return false;
        std::memcpy(at, from->bytes.data() + from->at, n);
        from->at += n;
        return true;
    };
    s.self = &stream;
    move(&s);
    if (s.impossible) return s.impossible;
    return s.failed || stream.at != bytes.size() ? "?" : "";
}

// A bool is given a third value, as a stream may have it.
inline void Third(bool &b) {
    const unsigned char value = 2;
    std::memcpy(&b, &value, 1);
}

#endif
