// SPDX-License-Identifier: Apache-2.0
//
// rtl/ace_engine.v and cmodel/twin/ace_engine.c: equal on every pin in every cycle; and what
// software sees through the registers, on either rung: collectives, refusals, error responses,
// the watchdog, interrupts.

#include "ace_node_faults.h"
#include "ace_reference.h"
#include "engines.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "ace_host_core.h"
#include "ace_memory_interface.h"
#include "ace_program.h"
#include "ace_random.h"
#include "soak.h"

namespace {

class Engine : public testing::TestWithParam<bool> {};

TEST_P(Engine, TellsWhatItIs) {
    Engines e(GetParam(), 2, 1);
    ace_host *h = e.host(1);
    ace_parameters told = e.parameters;
    told.sub_banks = 1; // which no software can see
    EXPECT_EQ(0, std::memcmp(&h->built, &told, sizeof told));
    EXPECT_EQ(e.completions, h->completions);
    EXPECT_EQ(unsigned{ ACE_LIST } + 1, h->kinds);
    EXPECT_EQ(unsigned{ ACE_TYPES }, h->types);
    EXPECT_EQ(unsigned{ ACE_OPS }, h->ops);
}

/* Every register holds after reset what the list says; the built-in numbers apart. */
TEST_P(Engine, RegistersAsListed) {
    enum access { ro, rw, cfg, w1c, w1s, wo };
    const struct {
        const char *name;
        uint32_t offset;
        access how;
        uint32_t reset, mask;
    } list[] = {
#define X(name, offset, access, reset, mask) { #name, offset, access, reset, mask },
        ACE_MAP_LIST(X)
#undef X
    };
    Engines e(GetParam(), 2, 1);
    ace_host *h = e.host(0);
    const auto get = [&](uint32_t offset, uint32_t *value) {
        return h->bus.read32(h->bus.self, offset, value);
    };
    const auto put = [&](uint32_t offset, uint32_t value) {
        return h->bus.write32(h->bus.self, offset, value);
    };
    uint32_t offsets = 0;
    for (const auto &r : list) {
        uint32_t value = 0;
        const int refused = r.how == wo ? ACE_EPROTO : ACE_OK;
        EXPECT_EQ(refused, get(r.offset, &value)) << r.name;
        if (std::strncmp(r.name, "BUILT", 5)) EXPECT_EQ(r.reset, value) << r.name;
        for (uint32_t odd = 1; odd < 4; odd++) {
            EXPECT_EQ(ACE_EPROTO, get(r.offset + odd, &value)) << r.name;
            EXPECT_EQ(ACE_EPROTO, put(r.offset + odd, 0)) << r.name;
        }
        for (; offsets < r.offset; offsets += 4) {
            EXPECT_EQ(ACE_EPROTO, get(offsets, &value)) << std::hex << offsets;
            EXPECT_EQ(ACE_EPROTO, put(offsets, 0)) << std::hex << offsets;
        }
        offsets += 4;
        if (r.how == ro) EXPECT_EQ(ACE_EPROTO, put(r.offset, 0)) << r.name;
        if ((r.how != rw && r.how != cfg) || r.offset == ACE_MAP_CONTROL) continue;
        EXPECT_EQ(ACE_OK, put(r.offset, UINT32_MAX)) << r.name;
        EXPECT_EQ(ACE_OK, get(r.offset, &value)) << r.name;
        EXPECT_EQ(r.mask, value) << r.name;
        EXPECT_EQ(ACE_OK, put(r.offset, r.reset)) << r.name;
    }
    /* the list's last register is the first word of the programs */
    ASSERT_EQ(offsets, ACE_MAP_PROGRAM + 4u);
    for (uint32_t i = 0; i < ACE_PROGRAM_WORDS; i++)
        EXPECT_EQ(ACE_OK, put(ACE_MAP_PROGRAM + 4 * i, i * 2654435761u)) << i;
    for (uint32_t i = 0; i < ACE_PROGRAM_WORDS; i++) {
        uint32_t value = 0;
        EXPECT_EQ(ACE_OK, get(ACE_MAP_PROGRAM + 4 * i, &value)) << i;
        EXPECT_EQ(i * 2654435761u, value) << i;
    }
    for (offsets += 4 * (ACE_PROGRAM_WORDS - 1); offsets < 4096; offsets += 4) {
        uint32_t value;
        EXPECT_EQ(ACE_EPROTO, get(offsets, &value)) << std::hex << offsets;
    }
    const ace_config c = e.config_of(0);
    ASSERT_EQ(ACE_OK, ace_host_start(h, &c, 0));
    for (const auto &r : list)
        if (r.how == cfg) EXPECT_EQ(ACE_EPROTO, put(r.offset, 0)) << r.name << " while it runs";
}

TEST_P(Engine, RefusesConfigurations) {
    Engines e(GetParam(), 2, 1);
    const struct {
        const char *what;
        void (*spoil)(ace_config &);
    } spoilt[] = {
        { "ring 0", [](ace_config &c) { c.ring[2] = 0; } },
        { "ring 129", [](ace_config &c) { c.ring[1] = 129; } },
        { "rank beyond the ring", [](ace_config &c) { c.rank[0] = 2; } },
        { "no rows in a chunk", [](ace_config &c) { c.chunk_rows = 0; } },
        { "too many", [](ace_config &c) { c.chunk_rows = 1025; } },
        { "partitions", [](ace_config &c) { c.partition_rows[4] = 65; } }, /* 4 * 48 + 65 > 256 */
        { "link cost", [](ace_config &c) { c.link_cost[0] = 255; } },
        { "read cost", [](ace_config &c) { c.read_cost = 255; } },
        { "write cost", [](ace_config &c) { c.write_cost = 255; } },
        { "latency", [](ace_config &c) { c.memory_latency = 1; } },
    };
    ace_host_error error;
    for (const auto &s : spoilt) {
        ace_config c = e.config_of(0);
        s.spoil(c);
        EXPECT_EQ(ACE_EINVAL, ace_host_start(e.host(0), &c, 0)) << s.what;
        ASSERT_EQ(ACE_OK, ace_host_error_read(e.host(0), &error));
        EXPECT_EQ(ACE_CODE_BAD_CONFIGURATION, error.code) << s.what;
    }
    ace_config c = e.config_of(0);
    c.partition_rows[4] = 64; /* all rows there are */
    EXPECT_EQ(ACE_OK, ace_host_start(e.host(0), &c, 0));
}

/* Commands with one field out of range come back with a code and an interrupt, and nothing
 * reaches the engine.  Long: a table of them. */
TEST_P(Engine, RefusesCommands) {
    Engines e(GetParam(), 2, 1);
    ace_host *h = e.host(0);
    const ace_command good = command(ACE_ALL_REDUCE, e, 4096, 0);
    ace_host_completion done;
    ace_host_error error;

    /* stopped: a doorbell is refused; submit looks first */
    EXPECT_EQ(ACE_EBUSY, ace_host_submit(h, &good));
    EXPECT_EQ(ACE_OK, h->bus.write32(h->bus.self, ACE_MAP_COMMAND_DOORBELL, 77));
    EXPECT_EQ(ACE_OK, ace_host_poll(h, &done));
    EXPECT_EQ(77u, done.tag);
    EXPECT_EQ(ACE_CODE_STOPPED, done.code);

    e.start(0);
    constexpr uint64_t END = (1ull << 48) - (128 << 10), FAR = (1ull << 48) - (512 << 20);
    const struct {
        ace_code code;
        void (*spoil)(ace_command &);
    } spoilt[] = {
        { ACE_CODE_BAD_KIND, [](ace_command &c) { c.kind = static_cast<ace_kind>(7); } },
        { ACE_CODE_BAD_TYPE, [](ace_command &c) { c.type = static_cast<ace_type>(7); } },
        { ACE_CODE_BAD_OP, [](ace_command &c) { c.op = static_cast<ace_op>(7); } },
        { ACE_CODE_BAD_DIMENSIONS, [](ace_command &c) { c.dims[0] = 3; } },
        { ACE_CODE_BAD_DIMENSIONS,
          [](ace_command &c) {
              c.dim_count = 2;
              c.dims[1] = c.dims[0];
          } },
        { ACE_CODE_BAD_DIMENSIONS,
          [](ace_command &c) {
              c.dim_count = 3;
              c.dims[1] = 2;
              c.dims[2] = 2;
          } },
        { ACE_CODE_BAD_DIMENSIONS,
          [](ace_command &c) {
              c.dim_count = 3;
              c.dims[1] = 1;
              c.dims[2] = 0;
          } },
        { ACE_CODE_BAD_ALIGNMENT, [](ace_command &c) { c.source += 256; } },
        { ACE_CODE_BAD_ALIGNMENT, [](ace_command &c) { c.destination += 2048; } },
        { ACE_CODE_BAD_SIZE, [](ace_command &c) { c.bytes = 0; } },
        { ACE_CODE_BAD_SIZE, [](ace_command &c) { c.bytes = (1ull << 40) + 1; } },
        { ACE_CODE_BAD_RANGE, [](ace_command &c) { c.source = END - 4096 + 4096; } },
        { ACE_CODE_BAD_RANGE, [](ace_command &c) { c.destination = 1ull << 48; } },
        { ACE_CODE_BAD_RANGE, [](ace_command &c) { c.source = 0ull - 4096; } }, /* the end wraps */
        { ACE_CODE_BAD_RANGE,
          [](ace_command &c) {
              c.kind = ACE_ALL_TO_ALL;
              c.source = FAR;
          } },
        { ACE_CODE_OVERLAP,
          [](ace_command &c) {
              c.kind = ACE_ALL_TO_ALL;
              c.bytes = 4097;
              c.destination = c.source + 4096;
          } },
    };
    uint16_t tag = 100;
    for (const auto &s : spoilt) {
        ace_command c = good;
        c.tag = tag++;
        s.spoil(c);
        ASSERT_EQ(ACE_OK, ace_host_submit(h, &c));
        EXPECT_EQ(ACE_OK, ace_host_wait(h, 100, &done));
        EXPECT_EQ(c.tag, done.tag);
        EXPECT_EQ(s.code, done.code)
            << ace_code_text(s.code) << ", found " << ace_code_text(done.code);
        ASSERT_EQ(ACE_OK, ace_host_error_read(h, &error));
        EXPECT_TRUE(error.valid);
        EXPECT_EQ(error.code == ACE_CODE_STOPPED ? 77 : c.tag, error.tag); /* the first is kept */
    }
    uint32_t taken = 1, refused = 0;
    EXPECT_EQ(ACE_OK, h->bus.read32(h->bus.self, ACE_MAP_COUNT_TAKEN, &taken));
    EXPECT_EQ(ACE_OK, h->bus.read32(h->bus.self, ACE_MAP_COUNT_REFUSED, &refused));
    EXPECT_EQ(0u, taken);
    EXPECT_EQ(1 + std::size(spoilt), refused);
    EXPECT_EQ(0u, e.engine(0)->core.class_->out(&e.engine(0)->core)->ar_valid);
}

/* With a format on the wire each combination of kind, type and operation is done or refused. */
TEST_P(Engine, RefusesWhatTheWireCannotCarry) {
    for (const ace_wire_format format : { ACE_WIRE_NONE, ACE_WIRE_BF16, ACE_WIRE_MXFP8 }) {
        Engines e(GetParam(), 1, 1);
        e.config.wire_format = static_cast<uint8_t>(format);
        e.start(0);
        for (int kind = ACE_ALL_REDUCE; kind <= ACE_ALL_TO_ALL; kind++)
            for (int type = 0; type < ACE_TYPES; type++)
                for (int op = 0; op < ACE_OPS; op++) {
                    ace_command c = command(static_cast<ace_kind>(kind), e, 512, 9);
                    c.type = static_cast<ace_type>(type);
                    c.op = static_cast<ace_op>(op);
                    const bool reduces = kind == ACE_ALL_REDUCE || kind == ACE_REDUCE_SCATTER;
                    const bool rounds = op == ACE_SUM || op == ACE_MINIMUM || op == ACE_MAXIMUM;
                    const bool carried = format == ACE_WIRE_NONE || kind == ACE_ALL_TO_ALL ||
                                         (type == ACE_FP32 && (rounds || !reduces));
                    ASSERT_EQ(ACE_OK, ace_host_submit(e.host(0), &c));
                    const ace_host_completion done = wait(e, 0);
                    EXPECT_EQ(carried ? ACE_CODE_NONE : ACE_CODE_BAD_FORMAT, done.code)
                        << ace_code_text(done.code) << ": kind " << kind << " type " << type
                        << " operation " << op << " format " << format;
                    if (carried) continue;
                    ace_host_error error;
                    char text[120];
                    ASSERT_EQ(ACE_OK, ace_host_error_read(e.host(0), &error));
                    ace_host_error_text(&error, text, sizeof text);
                    EXPECT_EQ(0u, std::string(text).find("command 9 refused: ")) << text;
                }
    }
}

/* A list of these items in the memory of a node, and the command for it. */
ace_command list_of(Engines &e, unsigned node, std::vector<ace_list_item> items, uint16_t tag) {
    constexpr uint64_t LIST = 64 << 20;
    items.resize((items.size() + ACE_LIST_ROW_ITEMS - 1) / ACE_LIST_ROW_ITEMS * ACE_LIST_ROW_ITEMS);
    for (size_t i = 0; i < items.size(); i++) {
        uint32_t words[ACE_LIST_ITEM_BYTES / 4];
        ace_list_item_write(&items[i], words);
        EXPECT_EQ(ACE_OK, ace_memory_write(e.memory(node), LIST + i * ACE_LIST_ITEM_BYTES, words,
                                           sizeof words));
    }
    ace_command c{};
    c.kind = ACE_LIST;
    c.source = LIST;
    c.bytes = items.size() * ACE_LIST_ITEM_BYTES;
    c.tag = tag;
    return c;
}

/* A send to the next node: rows of SOURCE to an address there. */
ace_list_item send_to(uint64_t address, uint64_t bytes) {
    ace_list_item i{};
    i.what = ACE_LIST_SEND;
    i.key = ACE_LIST_KEYS_FIRST;
    i.hops = static_cast<uint32_t>(ace_route_hops(0, false, 1));
    i.source = SOURCE / ACE_ROW_BYTES;
    i.target = static_cast<uint32_t>(address / ACE_ROW_BYTES);
    i.bytes = bytes;
    return i;
}

std::vector<uint8_t> memory_of(Engines &e, unsigned node, uint64_t address, uint64_t bytes) {
    std::vector<uint8_t> got(bytes);
    ace_memory_read(e.memory(node), address, got.data(), bytes);
    return got;
}

/* What a neighbour sends elsewhere than into the window is not written: counted, an interrupt, and
 * the first address in ERROR.  Commands go on all the same.  Windows are a row longer at either end
 * than what is refused, or a row shorter. */
TEST_P(Engine, RefusesRowsOutsideTheWindow) {
    constexpr uint64_t BYTES = 5 * ACE_ROW_BYTES;
    const uint32_t first = DESTINATION / ACE_ROW_BYTES, last = first + 4;
    const struct {
        const char *what;
        uint32_t first, last, refused;
    } windows[] = {
        { "all of it", first, last, 0 },        { "but the first row", first + 1, last, 1 },
        { "but the last", first, last - 1, 1 }, { "elsewhere", first + 5, UINT32_MAX, 5 },
        { "nothing at all", 1, 0, 5 },
    };
    Engines e(GetParam(), 2, 1);
    const ace_command ring = command(ACE_ALL_TO_ALL, e, 4096, 3);
    ace_host *h = e.host(1);
    for (const auto &w : windows) {
        e.config.window_first[ACE_WINDOW_LIST] = w.first;
        e.config.window_after[ACE_WINDOW_LIST] = UINT32_MAX - w.last;
        e.start(0);
        const Vectors v(e, command(ACE_ALL_TO_ALL, e, BYTES, 0), 17);
        const ace_command c = list_of(e, 0, { send_to(DESTINATION, BYTES) }, 7);
        ASSERT_EQ(ACE_OK, ace_host_submit(e.host(0), &c));
        EXPECT_EQ(ACE_CODE_NONE, wait(e, 0).code) << w.what;
        e.run(2000);
        std::vector<uint8_t> want = v.untouched[1];
        for (uint32_t row = 0; row < 5; row++)
            if (first + row >= w.first && first + row <= w.last)
                std::copy_n(&v.before[0][row * ACE_ROW_BYTES], ACE_ROW_BYTES,
                            &want[row * ACE_ROW_BYTES]);
        EXPECT_EQ(want, memory_of(e, 1, DESTINATION, BYTES)) << w.what;
        uint32_t count = 99;
        ace_host_error error;
        ace_host_completion done;
        EXPECT_EQ(ACE_OK, h->bus.read32(h->bus.self, ACE_MAP_COUNT_REMOTE, &count));
        EXPECT_EQ(w.refused, count) << w.what;
        ASSERT_EQ(ACE_OK, ace_host_error_read(h, &error));
        EXPECT_EQ(w.refused != 0, error.valid) << w.what;
        if (w.refused) {
            EXPECT_EQ(ACE_CODE_BAD_REMOTE, error.code) << w.what;
            const bool at_end = w.refused == 1 && w.first == first;
            EXPECT_EQ(DESTINATION + (at_end ? 4 * ACE_ROW_BYTES : 0), error.address) << w.what;
            EXPECT_EQ(ACE_EFAILED, ace_host_wait(h, PATIENCE, &done)) << w.what; /* once */
        }
        /* the other window is another's: an all-to-all goes on */
        for (unsigned i = 0; i < e.nodes; i++) ASSERT_EQ(ACE_OK, ace_host_submit(e.host(i), &ring));
        for (unsigned i = 0; i < e.nodes; i++) EXPECT_EQ(ACE_CODE_NONE, wait(e, i).code);
        e.stop();
    }
}

/* After a reset nothing comes in; a lock keeps the windows, also over stops, until the next one. */
TEST_P(Engine, KeepsWindowsThatAreLocked) {
    Engines e(GetParam(), 2, 1);
    ace_host *h = e.host(0);
    const auto read = [&](uint32_t offset) {
        uint32_t value = 0;
        EXPECT_EQ(ACE_OK, h->bus.read32(h->bus.self, offset, &value));
        return value;
    };
    for (unsigned w = 0; w < ACE_WINDOWS; w++)
        EXPECT_GT(read(ACE_MAP_CONFIG_WINDOW_FIRST + 8 * w),
                  read(ACE_MAP_CONFIG_WINDOW_LAST + 8 * w));
    e.config.window_first[ACE_WINDOW_LIST] = 77;
    e.start(0);
    EXPECT_EQ(ACE_OK, h->bus.write32(h->bus.self, ACE_MAP_CONFIG_LOCK, 1));
    EXPECT_EQ(ACE_OK, h->bus.write32(h->bus.self, ACE_MAP_CONFIG_LOCK, 0));
    EXPECT_EQ(1u, read(ACE_MAP_CONFIG_LOCK));
    e.stop();
    for (unsigned k = 0; k < 4; k++)
        EXPECT_EQ(ACE_EPROTO, h->bus.write32(h->bus.self, ACE_MAP_CONFIG_WINDOW_FIRST + 4 * k, 5));
    e.config.window_first[ACE_WINDOW_LIST] = 78; /* which the driver leaves out */
    e.start(0);
    EXPECT_EQ(77u, read(ACE_MAP_CONFIG_LIST_WINDOW_FIRST));
    e.engine(0)->core.class_->reset(&e.engine(0)->core);
    EXPECT_EQ(0u, read(ACE_MAP_CONFIG_LOCK));
    EXPECT_EQ(UINT32_MAX, read(ACE_MAP_CONFIG_LIST_WINDOW_FIRST));
}

/* An item of a list that is out of range is passed over and told, with where it lies. */
TEST_P(Engine, RefusesItemsOfLists) {
    Engines e(GetParam(), 2, 1);
    ace_list_item good = send_to(DESTINATION, ACE_ROW_BYTES), far = good, key = good, long_ = good;
    far.hops = static_cast<uint32_t>(ace_route_hops(0, true, 2)); /* the ring has two nodes */
    key.key = ACE_LIST_KEYS_FIRST - 1;
    long_.bytes = (UINT64_C(1) << 40) + 1;
    for (const ace_list_item &bad : { far, key, long_ }) {
        e.start(0);
        const Vectors v(e, command(ACE_ALL_TO_ALL, e, ACE_ROW_BYTES, 0), 23);
        const ace_command c = list_of(e, 0, { ace_list_item{}, bad, good }, 7);
        ASSERT_EQ(ACE_OK, ace_host_submit(e.host(0), &c));
        ace_host_completion done{};
        EXPECT_EQ(ACE_EFAILED, ace_host_wait(e.host(0), PATIENCE, &done));
        ace_host_error error;
        ASSERT_EQ(ACE_OK, ace_host_error_read(e.host(0), &error));
        EXPECT_EQ(ACE_CODE_BAD_LIST, error.code);
        EXPECT_EQ(c.source + ACE_LIST_ITEM_BYTES, error.address);
        EXPECT_EQ(ACE_OK, ace_host_wait(e.host(0), PATIENCE, &done)); /* the rest is done */
        EXPECT_EQ(7u, done.tag);
        EXPECT_EQ(ACE_CODE_BAD_LIST, done.code);
        e.run(2000);
        EXPECT_EQ(v.before[0], memory_of(e, 1, DESTINATION, ACE_ROW_BYTES));
        e.stop();
    }
}

TEST_P(Engine, HoldsSoManyCommands) {
    Engines e(GetParam(), 2, 1);
    ace_host *h = e.host(0);
    e.start(0);
    unsigned held = 0;
    ace_command c = command(ACE_ALL_REDUCE, e, 4096, 0);
    for (; held <= e.completions; held++, c.tag++) {
        int err = ace_host_submit(h, &c);
        /* the dispatcher takes the next when it has scaled the one before */
        for (unsigned cycle = 0; err == ACE_EBUSY && cycle < 100 && held < e.completions; cycle++) {
            e.run(1);
            err = ace_host_submit(h, &c);
        }
        if (err) {
            EXPECT_EQ(ACE_EBUSY, err);
            break;
        }
    }
    EXPECT_EQ(e.completions, held);
    /* a doorbell all the same has no place for its completion: counted, and in ERROR */
    EXPECT_EQ(ACE_OK, h->bus.write32(h->bus.self, ACE_MAP_COMMAND_DOORBELL, 99));
    ace_host_error error;
    EXPECT_EQ(ACE_OK, ace_host_error_read(h, &error));
    EXPECT_EQ(ACE_CODE_QUEUE_FULL, error.code);
    EXPECT_EQ(99u, error.tag);
    c.tag = 0;
    for (unsigned i = 0; i < held; i++, c.tag++) {
        ASSERT_EQ(ACE_OK, ace_host_submit(e.host(1), &c));
        EXPECT_EQ(ACE_CODE_NONE, wait(e, 0).code);
        EXPECT_EQ(ACE_CODE_NONE, wait(e, 1).code);
    }
    ace_host_completion done;
    EXPECT_EQ(ACE_EBUSY, ace_host_poll(h, &done));
}

TEST_P(Engine, InterruptsOnlyWhereEnabled) {
    Engines e(GetParam(), 2, 1);
    ace_host *h = e.host(0);
    e.start(0);
    EXPECT_EQ(ACE_OK, h->bus.write32(h->bus.self, ACE_MAP_INTERRUPT_ENABLE, 0));
    const ace_command c = command(ACE_ALL_REDUCE, e, 1024, 5);
    for (unsigned i = 0; i < e.nodes; i++) ASSERT_EQ(ACE_OK, ace_host_submit(e.host(i), &c));
    EXPECT_EQ(ACE_ETIME, h->bus.wait_interrupt(h->bus.self, 5000)); /* it is done, and hushed */
    uint32_t events = 0;
    EXPECT_EQ(ACE_OK, h->bus.read32(h->bus.self, ACE_MAP_INTERRUPT_STATUS, &events));
    EXPECT_EQ(ACE_MAP_PUT(1, INTERRUPT_STATUS_COMPLETION), events);
    EXPECT_EQ(ACE_OK, h->bus.write32(h->bus.self, ACE_MAP_INTERRUPT_ENABLE, events));
    EXPECT_EQ(ACE_OK, h->bus.wait_interrupt(h->bus.self, 1));
    EXPECT_EQ(ACE_OK, h->bus.write32(h->bus.self, ACE_MAP_INTERRUPT_STATUS, ~events));
    EXPECT_TRUE(e.irq(0)); /* another bit was written */
    EXPECT_EQ(ACE_OK, h->bus.write32(h->bus.self, ACE_MAP_INTERRUPT_STATUS, events));
    EXPECT_FALSE(e.irq(0));
    EXPECT_EQ(5u, wait(e, 0).tag);
}

/* A neighbour that is never told: nothing moves, and the watchdog says so after as many cycles
 * as it was given.  What comes late is still done. */
TEST_P(Engine, WatchdogTellsOfAMissingNeighbour) {
    Engines e(GetParam(), 2, 1);
    e.start(WATCHDOG);
    const ace_command c = command(ACE_ALL_REDUCE, e, 20000, 9);
    const Vectors v(e, c, 3);
    ace_host_completion done;
    ace_host_error error;
    ASSERT_EQ(ACE_OK, ace_host_submit(e.host(0), &c));
    const uint64_t submitted = e.cycle;
    ASSERT_EQ(ACE_EFAILED, ace_host_wait(e.host(0), PATIENCE, &done));
    EXPECT_GT(e.cycle, submitted + WATCHDOG);
    EXPECT_LT(e.cycle, submitted + WATCHDOG + 2000); /* it loads what it has room for, before */
    ASSERT_EQ(ACE_OK, ace_host_error_read(e.host(0), &error));
    EXPECT_EQ(ACE_CODE_WATCHDOG, error.code);
    EXPECT_EQ(ACE_ETIME, ace_host_wait(e.host(0), WATCHDOG * 3, &done)); /* told once */
    ASSERT_EQ(ACE_OK, ace_host_submit(e.host(1), &c));
    for (unsigned i = 0; i < 2; i++) {
        EXPECT_EQ(ACE_CODE_NONE, wait(e, i).code);
        EXPECT_EQ(v.after[i], v.found(e, c, i));
    }
    uint32_t expiries = 0;
    EXPECT_EQ(ACE_OK,
              e.host(0)->bus.read32(e.host(0)->bus.self, ACE_MAP_COUNT_WATCHDOG, &expiries));
    EXPECT_EQ(1u, expiries);
}

/* Node 1 reads a row with an error: it says so at once, with the address; the others hear
 * nothing from it any more, and their watchdogs run out.  Nobody completes, and what was written
 * until then is right.  After a stop of all, everything works again. */
TEST_P(Engine, AWrongRowGoesNowhere) {
    for (const ace_kind kind : { ACE_ALL_REDUCE, ACE_ALL_GATHER, ACE_ALL_TO_ALL }) {
        Engines e(GetParam(), 2, 2);
        e.start(WATCHDOG);
        const ace_command c = command(kind, e, 60000, 4);
        const Vectors v(e, c, 5);
        ace_driver_fail(e.node(1), 21, UINT64_MAX, ACE_SLVERR);
        for (unsigned i = 0; i < e.nodes; i++) ASSERT_EQ(ACE_OK, ace_host_submit(e.host(i), &c));
        ace_host_completion done;
        ace_host_error error;
        for (unsigned k = 0; k < e.nodes; k++) {
            const unsigned i = (1 + k) % e.nodes;
            ASSERT_EQ(ACE_EFAILED, ace_host_wait(e.host(i), PATIENCE, &done)) << "node " << i;
            ASSERT_EQ(ACE_OK, ace_host_error_read(e.host(i), &error));
            EXPECT_EQ(i == 1 ? ACE_CODE_READ_ERROR : ACE_CODE_WATCHDOG, error.code) << "node " << i;
            EXPECT_EQ(ACE_EBUSY, ace_host_poll(e.host(i), &done));
            if (i != 1) continue;
            EXPECT_EQ(ACE_SLVERR, error.response);
            EXPECT_TRUE(ace_host_concerns(&error, &c));
            char text[200];
            ace_host_error_text(&error, text, sizeof text);
            EXPECT_NE(nullptr, std::strstr(text, "SLVERR")) << text;
            EXPECT_EQ(ACE_EFAILED, ace_host_submit(e.host(i), &c));
            uint32_t errors = 0;
            EXPECT_EQ(ACE_OK, e.host(i)->bus.read32(e.host(i)->bus.self, ACE_MAP_COUNT_READ_ERRORS,
                                                    &errors));
            EXPECT_EQ(1u, errors);
        }
        for (unsigned i = 0; i < e.nodes; i++) {
            const std::vector<uint8_t> got = v.found(e, c, i);
            for (uint64_t b = 0; b < c.bytes; b++)
                ASSERT_TRUE(got[b] == v.after[i][b] || got[b] == v.untouched[i][b])
                    << "kind " << kind << " node " << i << " byte " << b;
        }
        e.stop();
        e.start(WATCHDOG);
        for (unsigned i = 0; i < e.nodes; i++) ASSERT_EQ(ACE_OK, ace_host_submit(e.host(i), &c));
        for (unsigned i = 0; i < e.nodes; i++) {
            EXPECT_EQ(ACE_CODE_NONE, wait(e, i).code);
            EXPECT_EQ(v.after[i], v.found(e, c, i)) << "kind " << kind << " node " << i;
        }
    }
}

/* A write that fails concerns the node that made it: its completion says so, and later
 * commands are refused. */
TEST_P(Engine, AFailedWriteIsTold) {
    for (const ace_kind kind : { ACE_ALL_REDUCE, ACE_ALL_TO_ALL }) {
        Engines e(GetParam(), 2, 1);
        e.start(WATCHDOG);
        const ace_command c = command(kind, e, 60000, 4);
        const Vectors v(e, c, 5);
        ace_driver_fail(e.node(1), UINT64_MAX, 3, ACE_DECERR);
        for (unsigned i = 0; i < e.nodes; i++) ASSERT_EQ(ACE_OK, ace_host_submit(e.host(i), &c));
        ace_host_completion done;
        ace_host_error error;
        ASSERT_EQ(ACE_EFAILED, ace_host_wait(e.host(1), PATIENCE, &done));
        ASSERT_EQ(ACE_OK, ace_host_error_read(e.host(1), &error));
        EXPECT_EQ(ACE_CODE_WRITE_ERROR, error.code);
        EXPECT_EQ(ACE_DECERR, error.response);
        EXPECT_TRUE(ace_host_concerns(&error, &c));
        EXPECT_EQ(ACE_CODE_WRITE_ERROR, wait(e, 1).code);
        EXPECT_EQ(ACE_CODE_NONE, wait(e, 0).code);
        EXPECT_EQ(v.after[0], v.found(e, c, 0));
        EXPECT_EQ(ACE_EFAILED, ace_host_submit(e.host(1), &c));
        EXPECT_EQ(ACE_OK, e.host(1)->bus.write32(e.host(1)->bus.self, ACE_MAP_COMMAND_DOORBELL, 8));
        EXPECT_EQ(ACE_CODE_FAILED, wait(e, 1).code);
    }
}

/* An answer that fits no burst, here EXOKAY: told with its address, and it goes nowhere. */
TEST_P(Engine, AWrongAnswerIsTold) {
    for (const bool write : { false, true }) {
        Engines e(GetParam(), 2, 1);
        e.start(WATCHDOG);
        const ace_command c = command(ACE_ALL_REDUCE, e, 60000, 4);
        const Vectors v(e, c, 5);
        ace_driver_fail(e.node(1), write ? UINT64_MAX : 21, write ? 3 : UINT64_MAX, ACE_EXOKAY);
        for (unsigned i = 0; i < e.nodes; i++) ASSERT_EQ(ACE_OK, ace_host_submit(e.host(i), &c));
        ace_host_completion done;
        ace_host_error error;
        ASSERT_EQ(ACE_EFAILED, ace_host_wait(e.host(1), PATIENCE, &done));
        ASSERT_EQ(ACE_OK, ace_host_error_read(e.host(1), &error));
        EXPECT_EQ(ACE_CODE_MEMORY_PROTOCOL, error.code);
        const uint64_t begin = write ? c.destination : c.source;
        EXPECT_GE(error.address, begin);
        EXPECT_LT(error.address, begin + c.bytes);
        EXPECT_EQ(ACE_EFAILED, ace_host_submit(e.host(1), &c));
        const std::vector<uint8_t> got = v.found(e, c, 1);
        for (uint64_t b = 0; b < c.bytes; b++)
            ASSERT_TRUE(got[b] == v.after[1][b] || got[b] == v.untouched[1][b]) << "byte " << b;
        e.stop();
        e.start(WATCHDOG);
        for (unsigned i = 0; i < e.nodes; i++) ASSERT_EQ(ACE_OK, ace_host_submit(e.host(i), &c));
        for (unsigned i = 0; i < e.nodes; i++) {
            EXPECT_EQ(ACE_CODE_NONE, wait(e, i).code);
            EXPECT_EQ(v.after[i], v.found(e, c, i)) << "node " << i;
        }
    }
}

/* A memory that takes nothing more: a stop gives it up after the limit, says so, and no start is
 * possible until rst. */
TEST_P(Engine, ADeadMemoryIsLeft) {
    Engines e(GetParam(), 2, 1);
    e.start(WATCHDOG);
    ace_host *h = e.host(1);
    const ace_config cfg = e.config_of(1);
    const ace_command c = command(ACE_ALL_REDUCE, e, 60000, 4);
    const Vectors v(e, c, 5);
    for (unsigned i = 0; i < e.nodes; i++) ASSERT_EQ(ACE_OK, ace_host_submit(e.host(i), &c));
    e.run(300);
    ace_driver_stall(e.node(1), 100, 1);
    e.run(300);
    EXPECT_EQ(ACE_ETIME, ace_host_stop(h, 10));
    ace_host_error error;
    uint32_t status = 0, control = 0;
    e.run(ACE_MEMORY_DRAIN_LIMIT - 1000);
    ASSERT_EQ(ACE_OK, h->bus.read32(h->bus.self, ACE_MAP_STATUS, &status));
    EXPECT_TRUE(ACE_MAP_GET(status, STATUS_MEMORY_BUSY));
    EXPECT_FALSE(ACE_MAP_GET(status, STATUS_MEMORY_LOST));
    EXPECT_EQ(ACE_OK, ace_host_start(h, &cfg, 0)); /* waits for the memory, and in vain */
    e.run(2000 + ACE_MEMORY_DRAIN_LIMIT);
    ASSERT_EQ(ACE_OK, h->bus.read32(h->bus.self, ACE_MAP_STATUS, &status));
    EXPECT_FALSE(ACE_MAP_GET(status, STATUS_MEMORY_BUSY));
    EXPECT_TRUE(ACE_MAP_GET(status, STATUS_MEMORY_LOST));
    EXPECT_FALSE(ACE_MAP_GET(status, STATUS_RUNNING));
    EXPECT_TRUE(e.irq(1));
    ASSERT_EQ(ACE_OK, ace_host_error_read(h, &error));
    EXPECT_EQ(ACE_CODE_MEMORY_LOST, error.code);
    ASSERT_EQ(ACE_OK, h->bus.read32(h->bus.self, ACE_MAP_CONTROL, &control));
    EXPECT_EQ(0u, control);
    ace_driver_stall(e.node(1), 0, 1);
    EXPECT_EQ(ACE_EMEMORY, ace_host_start(h, &cfg, 0));
    ASSERT_EQ(ACE_OK, ace_host_error_read(h, &error));
    EXPECT_EQ(ACE_CODE_MEMORY_LOST, error.code);
    EXPECT_EQ(ACE_EMEMORY, ace_host_stop(h, 10));
}

/* A stored bit of node 0 is turned over, by registers. */
void flip(Engines &e, unsigned row, unsigned word, uint32_t mask) {
    ace_host_bus &bus = e.host(0)->bus;
    const uint32_t place = ACE_MAP_PUT(row, FAULT_PLACE_ROW) | ACE_MAP_PUT(word, FAULT_PLACE_WORD);
    EXPECT_EQ(ACE_OK, bus.write32(bus.self, ACE_MAP_FAULT_PLACE, place));
    EXPECT_EQ(ACE_OK, bus.write32(bus.self, ACE_MAP_FAULT_FLIP, mask));
}

/* Single bits are corrected, whatever is under way; two of a codeword end the command of their
 * node, and nothing wrong gets to the other. */
TEST_P(Engine, UpsetsAreCorrectedOrTold) {
    constexpr unsigned PART = 3 * 48; /* the partition of the last phase, of 48 rows */
    Engines e(GetParam(), 2, 1);
    e.start(WATCHDOG);
    const ace_command c = command(ACE_ALL_REDUCE, e, 200000, 4);
    const Vectors v(e, c, 5);
    for (unsigned i = 0; i < e.nodes; i++) ASSERT_EQ(ACE_OK, ace_host_submit(e.host(i), &c));
    for (unsigned k = 0; k < 200; k++) flip(e, PART + k % 48, k % 72, 1u << k % 32);
    for (unsigned i = 0; i < e.nodes; i++) {
        EXPECT_EQ(ACE_CODE_NONE, wait(e, i).code);
        EXPECT_EQ(v.after[i], v.found(e, c, i)) << "node " << i;
    }
    EXPECT_GT(read(e, 0, ACE_MAP_COUNT_CORRECTED), 0u);
    EXPECT_EQ(0u, read(e, 1, ACE_MAP_COUNT_CORRECTED));
    EXPECT_EQ(0u, read(e, 0, ACE_MAP_COUNT_UNCORRECTABLE));

    for (unsigned i = 0; i < e.nodes; i++) ASSERT_EQ(ACE_OK, ace_host_submit(e.host(i), &c));
    for (unsigned k = 0; k < 100; k++)
        for (const unsigned word : { 3u, 66u }) flip(e, PART + k % 8, word, 1u << k / 8);
    ace_host_completion done;
    ace_host_error error;
    ASSERT_EQ(ACE_EFAILED, ace_host_wait(e.host(0), PATIENCE, &done));
    ASSERT_EQ(ACE_OK, ace_host_error_read(e.host(0), &error));
    EXPECT_EQ(ACE_CODE_SCRATCHPAD_ERROR, error.code);
    EXPECT_EQ(PART, error.address & ~uint64_t{ 7 }); /* of bank 0 */
    char text[200];
    ace_host_error_text(&error, text, sizeof text);
    EXPECT_NE(nullptr, std::strstr(text, ("bank 0, row " + std::to_string(error.address)).c_str()))
        << text;
    EXPECT_GT(read(e, 0, ACE_MAP_COUNT_UNCORRECTABLE), 0u);
    EXPECT_EQ(ACE_EFAILED, ace_host_submit(e.host(0), &c));
    ASSERT_EQ(ACE_EFAILED, ace_host_wait(e.host(1), PATIENCE, &done));
    ASSERT_EQ(ACE_OK, ace_host_error_read(e.host(1), &error));
    EXPECT_EQ(ACE_CODE_WATCHDOG, error.code);
    const std::vector<uint8_t> got = v.found(e, c, 1);
    for (uint64_t b = 0; b < c.bytes; b++)
        ASSERT_TRUE(got[b] == v.after[1][b] || got[b] == v.untouched[1][b]) << "byte " << b;

    e.stop();
    e.start(WATCHDOG);
    EXPECT_EQ(0u, read(e, 0, ACE_MAP_COUNT_CORRECTED) + read(e, 0, ACE_MAP_COUNT_UNCORRECTABLE));
    for (unsigned i = 0; i < e.nodes; i++) ASSERT_EQ(ACE_OK, ace_host_submit(e.host(i), &c));
    for (unsigned i = 0; i < e.nodes; i++) {
        EXPECT_EQ(ACE_CODE_NONE, wait(e, i).code);
        EXPECT_EQ(v.after[i], v.found(e, c, i)) << "node " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Rungs, Engine, testing::Bool(),
                         [](const auto &info) { return info.param ? "rtl" : "cycle"; });

/* Without registers, a node's own error says it. */
TEST(Node, TellsOfErrorResponses) {
    for (const bool write : { false, true }) {
        unsigned completions;
        ace_node *node;
        ace_node_setup setup{};
        setup.parameters = *ace_rtl_engine_parameters(ENGINES_SMALL, &completions);
        for (auto &ring : setup.config.ring) ring = 1;
        for (unsigned p = 0; p < 5; p++) setup.config.partition_rows[p] = 48;
        setup.config.chunk_rows = 16;
        setup.config.read_cost = setup.config.write_cost = ACE_COST_ONE;
        setup.config.memory_latency = 2;
        ASSERT_EQ(ACE_OK, ace_cycle_node_create(&setup, &node));
        ace_command c{};
        c.bytes = 10000;
        c.destination = DESTINATION;
        ace_driver_fail(node, write ? UINT64_MAX : 5, write ? 1 : UINT64_MAX, ACE_DECERR);
        ASSERT_EQ(ACE_OK, ace_node_submit(node, &c, 0));
        ace_node_run(node, 10);
        EXPECT_EQ(ACE_OK, ace_node_error(node));
        ace_node_run(node, 5000);
        EXPECT_EQ(ACE_EMEMORY, ace_node_error(node));
        ace_node_destroy(node);
    }
}

/* ---- the rungs side by side ----------------------------------------------------- */

/* Runs collectives by registers only, then reads all counters. The values must be those of the
 * reference, and each access must have the same answer in the same cycle at either rung. */
TEST(EngineRungs, SameAccessesSameCycles) {
    for (const uint8_t y : { 1, 2 }) {
        std::vector<Access> accesses[2];
        uint64_t cycles[2] = {};
        for (const bool rtl : { false, true }) {
            Engines e(rtl, 2, y);
            e.start(WATCHDOG);
            uint16_t tag = 1;
            for (const ace_kind kind :
                 { ACE_ALL_REDUCE, ACE_REDUCE_SCATTER, ACE_ALL_GATHER, ACE_ALL_TO_ALL }) {
                const ace_command c = command(kind, e, 30000, tag++);
                const Vectors v(e, c, tag);
                for (unsigned i = 0; i < e.nodes; i++)
                    ASSERT_EQ(ACE_OK, ace_host_submit(e.host(i), &c));
                for (unsigned i = 0; i < e.nodes; i++) {
                    const ace_host_completion done = wait(e, i);
                    EXPECT_EQ(c.tag, done.tag);
                    EXPECT_EQ(ACE_CODE_NONE, done.code);
                    EXPECT_EQ(v.after[i], v.found(e, c, i)) << "kind " << kind << " node " << i;
                }
            }
            for (unsigned i = 0; i < e.nodes; i++) {
                ace_counts counts, pins;
                const uint64_t before = e.cycle;
                ASSERT_EQ(ACE_OK, ace_host_counts(e.host(i), counts));
                e.engine(i)->core.class_->counts(&e.engine(i)->core, pins);
                for (unsigned u = 0; u < ACE_UNITS; u++)
                    for (unsigned k = 0; k < ACE_CLASSES; k++) {
                        EXPECT_LE(counts[u][k], pins[u][k]);
                        EXPECT_LE(pins[u][k], counts[u][k] + (e.cycle - before));
                    }
                EXPECT_GT(counts[0][0], 0u); /* the link was busy, and the memory was read */
                EXPECT_GT(counts[ACE_LINKS][0], 0u);
            }
            e.stop();
            accesses[rtl] = e.accesses;
            cycles[rtl] = e.cycle;
        }
        EXPECT_EQ(cycles[0], cycles[1]);
        ASSERT_EQ(accesses[0].size(), accesses[1].size());
        const auto [a, b] =
            std::mismatch(accesses[0].begin(), accesses[0].end(), accesses[1].begin());
        if (a != accesses[0].end())
            ADD_FAILURE() << testing::PrintToString(*a) << " is " << testing::PrintToString(*b);
    }
}

/* A node's soak with a pair of engines, and software beside each: every pin in every cycle. */
struct Watched {
    uint64_t cycles = 0, interrupts = 0;
    std::string difference;
};

void look(void *self, uint64_t cycle, ace_core *first, ace_core *second, const ace_pins_in *) {
    auto *w = static_cast<Watched *>(self);
    const ace_axil_out &a = ace_host_core_engine(first)->out;
    const ace_axil_out &b = ace_host_core_engine(second)->out;
    w->cycles++;
    w->interrupts += a.irq;
#define SAME(pin, when)                                    \
    if ((when) && a.pin != b.pin && w->difference.empty()) \
        w->difference = "cycle " + std::to_string(cycle) + " pin " #pin;
#define BIT(name)                      SAME(name, true)
#define WORD(type, name, bits)         SAME(name, true)
#define FIELD(type, name, bits, valid) SAME(name, a.valid)
    ACE_AXIL_OUTPUTS(BIT, WORD, FIELD, , , )
#undef BIT
#undef WORD
#undef FIELD
#undef SAME
}

int hosted(ace_engine *engine, const ace_parameters *p, const ace_config *cfg, ace_core **core) {
    ace_node_setup setup{};
    setup.parameters = *p;
    setup.config = *cfg;
    return ace_host_core_create(engine, &setup, ACE_HOST_DOORBELL, core);
}

int make_twin(const ace_parameters *p, const ace_config *cfg, uint32_t, ace_core **core) {
    unsigned completions;
    ace_engine *engine;
    ace_rtl_engine_parameters(ENGINES_SMALL, &completions);
    const int err = ace_cycle_engine_create(p, completions, true, &engine);
    return err ? err : hosted(engine, p, cfg, core);
}

int make_rtl(const ace_parameters *p, const ace_config *cfg, uint32_t seed, ace_core **core) {
    ace_engine *engine;
    const int err = ace_rtl_engine_create(p, true, seed, nullptr, &engine);
    return err ? err : hosted(engine, p, cfg, core);
}

TEST(EngineRungs, EqualsTwin) {
    const char *seed = std::getenv("ACE_SEED"), *cycles = std::getenv("ACE_CYCLES");
    unsigned completions;
    Watched watched;
    soak_work soak{};
    soak.seed = seed ? std::strtoull(seed, nullptr, 0) : 1;
    soak.cycles = cycles ? std::strtoull(cycles, nullptr, 0) : 300000;
    soak.parameters = *ace_rtl_engine_parameters(ENGINES_SMALL, &completions);
    soak.make_first = make_twin;
    soak.make_second = make_rtl;
    soak.watch = { look, &watched };
    EXPECT_EQ(ACE_OK, soak_run(&soak)) << soak.difference << "\nrepeat: ACE_SEED=" << soak.seed;
    EXPECT_EQ("", watched.difference);
    EXPECT_GT(soak.packets, soak.cycles / 200);
    EXPECT_GT(soak.resets, 0u);
    EXPECT_GT(watched.interrupts, soak.collectives);
}

} // namespace
