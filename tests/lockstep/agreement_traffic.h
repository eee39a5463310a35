/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agreement_traffic.h -- commands, numbers of other members and a dispatcher for ace_agreement:
 * members that are a round ahead, slow links, rounds whose result is 0
 *
 * For lockstep_agreement_test.cc and tests/mutation/mutant_agreement.cc.  Commands, numbers,
 * results and choices are held to the contract here.
 */
#ifndef ACE_TESTS_AGREEMENT_TRAFFIC_H
#define ACE_TESTS_AGREEMENT_TRAFFIC_H

#include <algorithm>

#include "ace_agreement.h"
#include "collectives.h"

namespace {

struct Mix {
    const char *name;
    unsigned offer, take; /* chances in a cycle, per mille: a command, and by the dispatcher */
    unsigned say, hear;   /* numbers that go, and that come */
    unsigned choose, end; /* a chunk is chosen, and is the last of its command */
    unsigned least;       /* numbers that come are drawn below this, and are 255 at most */
    unsigned resets;      /* per ten thousand; each draws another configuration */
    Collectives of;
};
[[maybe_unused]] void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

constexpr Mix mixes[] = {
    /* rings, chunk rows, bytes, dims, kinds, order, exact */
    { "saturated", 1000, 1000, 1000, 1000, 1000, 500, 9, 5, { { 4, 4, 4 }, 9, 9999, 3, 7, 0, 0 } },
    { "few_commands", 10, 900, 500, 500, 300, 300, 9, 10, { { 4, 3, 2 }, 9, 9999, 3, 7, 0, 0 } },
    { "many_commands", 900, 900, 300, 300, 30, 300, 256, 5, { { 2, 3, 2 }, 9, 9999, 3, 7, 0, 0 } },
    { "others_have_none",
      300,
      900,
      500,
      500,
      500,
      900,
      2,
      9,
      { { 3, 2, 2 }, 9, 9999, 3, 7, 0, 0 } },
    { "long_chunks", 100, 300, 700, 700, 9, 200, 9, 10, { { 5, 5, 5 }, 9, 9999, 3, 7, 0, 0 } },
    { "slow_numbers", 300, 900, 20, 30, 400, 300, 9, 5, { { 3, 3, 3 }, 9, 9999, 3, 7, 0, 0 } },
    { "large_rings", 30, 900, 900, 900, 300, 90, 9, 3, { { 128, 16, 4 }, 9, 9999, 3, 7, 0, 0 } },
    { "all_at_once", 1000, 3, 20, 30, 400, 300, 100000, 9, { { 3, 3, 3 }, 9, 9999, 3, 7, 0, 0 } },
    { "configurations", 300, 700, 600, 600, 300, 400, 9, 90, { { 6, 6, 6 }, 9, 9999, 3, 7, 0, 0 } },
};

/* The numbers that were received and sent in one round.  */
struct Round {
    unsigned heard = 256, said = 256; /* the least; the first along the first dimension */
};

struct Environment {
    const Mix &mix;
    const unsigned commands;
    Random dice; /* of the configurations */
    ace_config cfg{};
    bool offer = false;
    std::deque<uint16_t> waiting; /* tags, oldest first */
    unsigned held = 0;            /* by the dispatcher */
    unsigned chosen = 0;          /* since a result was used */
    bool held_back = true;
    std::array<uint64_t, ACE_DIMENSIONS> said{}, heard{};
    std::deque<Round> rounds; /* those not used yet, the oldest first */
    uint64_t used = 0;        /* rounds */
    uint64_t due = 0;         /* commands agreed on that have not come out */
    uint64_t taken = 0, given = 0, chunks = 0, wrong = 0, full = 0, blocked = 0, nothing = 0;
    uint64_t ahead = 0, empty = 0, most = 0;

    Environment(const Mix &m, unsigned n, uint64_t seed) : mix(m), commands(n), dice{ seed } {
        reset();
    }
    unsigned others(unsigned d) const { return cfg.ring[d] - 1u; }
    void configure(ace_agreement_pins_in &in) const {
        in.cfg_agreed = cfg.agreed;
        in.cfg_ring = bytes_of(cfg.ring);
        in.cfg_rank = bytes_of(cfg.rank);
        in.cfg_hub = 0;
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
            in.cfg_hub = static_cast<uint8_t>(in.cfg_hub | cfg.hub[d] << d);
    }
    void reset() {
        do {
            draw_config(mix.of, cfg, dice);
            if (!dice.below(4)) /* the last member of each ring */
                for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
                    cfg.rank[d] = static_cast<uint16_t>(cfg.ring[d] - 1);
            cfg.agreed = 0;
            for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
                cfg.hub[d] = dice.below(2) == 0;
                if (cfg.ring[d] > 1 && dice.below(4))
                    cfg.agreed = static_cast<uint8_t>(cfg.agreed | 1u << d);
            }
        } while (!cfg.agreed);
        offer = false;
        waiting.clear();
        rounds.clear();
        held = chosen = 0;
        held_back = true;
        said = {};
        heard = {};
        used = due = 0;
    }
    Round &round(uint64_t number) {
        while (used + rounds.size() <= number) rounds.emplace_back();
        return rounds[number - used];
    }
    void numbers(const ace_agreement_pins_out &out, ace_agreement_pins_in &in, Random &random) {
        const unsigned first = static_cast<unsigned>(__builtin_ctz(cfg.agreed));
        in.s_number_take = random.permille(mix.say);
        if (out.m_number_valid && in.s_number_take) {
            const unsigned d = out.m_number_link / 2, rank = cfg.rank[d];
            const uint64_t number = said[d] / others(d);
            wrong += out.m_number_link % 2 || !(cfg.agreed >> d & 1) || number < used;
            wrong += out.m_number_peer != (cfg.hub[d] ? (rank + 1) % cfg.ring[d] : 0);
            if (number >= used && d == first && said[d] % others(d) == 0)
                round(number).said = out.m_number;
            said[d]++;
        }
        in.s_number_valid = 0;
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
            /* of the next round once this one was begun here */
            const uint64_t begun = cfg.ring[d] > 1 ? (said[d] + others(d) - 1) / others(d) : 0;
            if (!(cfg.agreed >> d & 1) || heard[d] >= others(d) * (1 + begun)) continue;
            if (!random.permille(mix.hear)) continue;
            const unsigned link = 2 * d + random.below(2),
                           number = std::min(255u, random.below(mix.least));
            Round &r = round(heard[d] / others(d));
            r.heard = std::min(r.heard, number);
            ahead += heard[d] / others(d) > said[d] / others(d);
            in.s_number_valid = static_cast<uint8_t>(in.s_number_valid | 1u << link);
            in.s_number[link] = static_cast<uint8_t>(number);
            heard[d]++;
        }
    }
    void choices(const ace_agreement_pins_out &out, ace_agreement_pins_in &in, Random &random) {
        if (held_back && !out.m_hold) { /* a result is used */
            used_one();
            chosen = 0;
        }
        held_back = out.m_hold;
        in.s_rests = held == 0;
        in.s_chunk = !out.m_hold && held && random.permille(mix.choose);
        chunks += in.s_chunk;
        chosen += in.s_chunk;
        wrong += chosen > ACE_ROUND_CHUNKS;
        if (in.s_chunk && random.permille(mix.end)) held--;
    }
    void used_one() {
        while (!rounds.empty()) {
            const Round r = rounds.front();
            const unsigned result = std::min(r.heard, r.said);
            rounds.pop_front();
            used++;
            due += result;
            most = std::max<uint64_t>(most, result);
            empty += result == 0;
            /* one that leaves nothing to choose from is used without a choice */
            if (result || held || due) return;
            nothing++;
        }
        wrong++;
    }
    void drive(const ace_agreement_pins_out &out, ace_agreement_pins_in &in, Random &random) {
        choices(out, in, random);
        numbers(out, in, random);
        in.m_cmd_ready = random.permille(mix.take);
        blocked += out.m_cmd_valid && !in.m_cmd_ready;
        if (out.m_cmd_valid && in.m_cmd_ready) {
            wrong += waiting.empty() || !due || out.m_cmd_tag != waiting.front();
            if (waiting.empty() || !due) return;
            waiting.pop_front();
            due--;
            held++;
            given++;
        }
        if (!offer && random.permille(mix.offer)) {
            ace_command c;
            draw_command(mix.of, c, random);
            offer = true;
            in.s_cmd_kind = static_cast<uint8_t>(c.kind);
            in.s_cmd_type = static_cast<uint8_t>(c.type);
            in.s_cmd_op = static_cast<uint8_t>(c.op);
            in.s_cmd_scale = c.scale;
            in.s_cmd_dim_count = c.dim_count;
            in.s_cmd_dims = 0;
            for (unsigned i = 0; i < dimensions_of(mix.of); i++)
                in.s_cmd_dims = static_cast<uint8_t>(in.s_cmd_dims | c.dims[i] << 2 * i);
            in.s_cmd_source = c.source;
            in.s_cmd_destination = c.destination;
            in.s_cmd_bytes = c.bytes;
            in.s_cmd_tag = c.tag;
        }
        in.s_cmd_valid = offer;
        full += !out.s_cmd_ready;
        if (offer && out.s_cmd_ready) {
            offer = false;
            waiting.push_back(in.s_cmd_tag);
            taken++;
        }
    }
};

} // namespace

#endif
