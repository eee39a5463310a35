/* SPDX-License-Identifier: Apache-2.0 */
/*
 * control_traffic.h -- random software and a random engine around the registers
 *
 * For lockstep_control_test.cc and tests/mutation/mutant_control.cc.
 */
#ifndef ACE_TESTS_CONTROL_TRAFFIC_H
#define ACE_TESTS_CONTROL_TRAFFIC_H

#include <set>

#include "lockstep.h"

namespace {

struct Mix {
    const char *name;
    unsigned offer, drain; /* master: address and data beats, answers taken; per mille */
    unsigned take, done;   /* engine: commands taken, completed */
    unsigned fault, moved; /* error responses, mismatches, failed links; cycles with progress */
    unsigned resets;       /* per ten thousand */
};
[[maybe_unused]] void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

constexpr Mix mixes[] = {
    { "full_rate", 1000, 1000, 1000, 200, 0, 900, 0 },
    { "slow_master", 200, 150, 800, 50, 1, 500, 5 },
    { "slow_engine", 900, 900, 5, 3, 1, 20, 5 },
    { "faults", 900, 900, 500, 30, 20, 300, 10 },
    { "stalls", 900, 900, 500, 10, 0, 5, 2 },
    { "sparse", 60, 500, 500, 300, 0, 900, 5 },
};

struct Write {
    uint32_t address, data, strobes;
};

/* Writes that software would make, and some that it would not. */
struct Software {
    unsigned dimensions = 3; /* of the engine; now and then software takes it for another */
    std::deque<Write> writes;
    uint32_t tag = 0, slots = 8; /* of the slots */

    static uint64_t address(Random &r) {
        const uint64_t ends[] = { (1ull << 48) - (128 << 10), (1ull << 48) - (64ull << 30),
                                  (1ull << 40) - (64ull << 30), UINT64_MAX };
        const uint64_t a = r.below(20)  ? uint64_t{ r.below(1 << 20) } << 12
                           : r.below(2) ? r.next()
                                        : ends[r.below(4)] - 4096 * r.below(3);
        return r.below(20) ? a & ~uint64_t{ 4095 } : a;
    }
    void put(uint32_t at, uint32_t data, uint32_t strobes = 15) {
        writes.push_back({ at, data, strobes });
    }
    void put64(uint32_t at, uint64_t value) {
        put(at, static_cast<uint32_t>(value));
        put(at + 4, static_cast<uint32_t>(value >> 32));
    }
    void configure(Random &r) {
        put(ACE_MAP_CONTROL, 0);
        /* at times one number is just out of range, or just in it */
        const unsigned spoilt = r.below(32);
        const unsigned sized = dimensions > 3 || spoilt == 15 ? 4 : 3;
        uint32_t ring = sized > 3 ? 0 : 1u << 24, rank = 0;
        for (unsigned d = 0; d < sized; d++) {
            const uint32_t n = spoilt == d ? 129 * r.below(2) : 1 + r.below(128);
            ring |= n << 8 * d;
            rank |= (spoilt == 3 + d ? n : r.below(n ? n : 1)) << 8 * d;
            put(ACE_MAP_CONFIG_LINK_COST_X + 4 * d, spoilt == 6 + d ? 255 : 256 + r.below(1000));
        }
        put(ACE_MAP_CONFIG_RING, ring);
        put(ACE_MAP_CONFIG_RANK, rank);
        put(ACE_MAP_CONFIG_CHUNK, spoilt == 9 ? 1025 * r.below(2) : 1 + r.below(1024));
        for (unsigned p = 0; p < 6; p++) /* 4096 rows, or one more */
            put(ACE_MAP_CONFIG_PARTITION_0 + 4 * p, spoilt == 16       ? 4095
                                                    : spoilt - 10 >= 2 ? r.below(680)
                                                    : p < 5            ? 640
                                                                       : 896 + spoilt - 10);
        put(ACE_MAP_CONFIG_READ_COST, spoilt == 12 ? 255 : 256 + r.below(900));
        put(ACE_MAP_CONFIG_WRITE_COST, spoilt == 13 ? 255 : 256 + r.below(900));
        put(ACE_MAP_CONFIG_MEMORY_LATENCY, spoilt == 14 ? 1 : 2 + r.below(900));
        put(ACE_MAP_CONFIG_ORDER, r.below(2));
        put(ACE_MAP_CONFIG_SHARE, spoilt > 27 ? (spoilt - 27) << 8 | spoilt : 0); /* formats 1-4 */
        put(ACE_MAP_PROGRAM + 4 * r.below(128), r.bits<uint32_t>(32), r.below(16));
        for (unsigned w = 0; w < 4; w++)
            put(ACE_MAP_CONFIG_WINDOW_FIRST + 4 * w, r.bits<uint32_t>(32), r.below(16));
        tag = r.bits<uint16_t>(16);
        put(ACE_MAP_CONFIG_TRIGGER, tag | (r.below(8) ? 1u << 16 : 0));
        put(ACE_MAP_CONFIG_FLAG_WINDOW_FIRST, 0x100);
        put(ACE_MAP_CONFIG_FLAG_WINDOW_LAST, 0x13f);
        put(ACE_MAP_INTERRUPT_ENABLE, r.below(512));
        put(ACE_MAP_WATCHDOG, r.below(3) ? r.below(60) : 0);
        put(ACE_MAP_CONTROL, 1);
    }
    void command(Random &r) {
        const uint32_t wild = r.below(6) ? 0 : r.bits<uint32_t>(32);
        put(ACE_MAP_COMMAND_OPERATION, r.below(4) | r.below(3) << 8 | (wild & 0x070707));
        const uint32_t orders[] = { 0xe4, 0xd2, 0xc9, 0xe1, 0xd8, 0xc6 };
        put(ACE_MAP_COMMAND_DIMENSIONS, r.below(dimensions + 1 + !r.below(20)) |
                                            (orders[r.below(6)] ^ (wild >> 8 & 0xff)) << 8);
        put(ACE_MAP_COMMAND_SCALE, r.bits<uint32_t>(32));
        const uint64_t source = address(r);
        const uint64_t bytes = r.below(8)   ? (1 + r.below(255)) << (r.below(2) ? 12 : 2)
                               : r.below(2) ? (1ull << 40) + r.below(3) - 1
                                            : r.below(2);
        const bool beside = r.below(3) == 0; /* vectors that touch, or nearly overlap */
        put64(ACE_MAP_COMMAND_SOURCE_LOW, source);
        put64(ACE_MAP_COMMAND_DESTINATION_LOW, !beside      ? address(r)
                                               : r.below(2) ? source + bytes
                                               : r.below(2) ? source - bytes
                                                            : source);
        put64(ACE_MAP_COMMAND_BYTES_LOW, bytes);
        if (r.below(2)) {
            prepare(r);
            return;
        }
        for (unsigned i = 1 + r.below(3); i--;)
            put(ACE_MAP_COMMAND_DOORBELL, r.below(8) ? r.bits<uint32_t>(16) : tag ^ r.below(32));
    }
    uint32_t slot(Random &r) const { return r.below(40) ? r.below(slots) : r.below(256); }
    /* The command goes into a slot, which sometimes is one that does not exist. */
    void prepare(Random &r) {
        /* in the window, at its ends, or beside it */
        const uint32_t flag = r.below(4) ? 0x10000 + 4 * r.below(0x1000) : 0xfff8 + r.below(0x4018);
        put(ACE_MAP_TRIGGER_FLAG_LOW, flag);
        put(ACE_MAP_TRIGGER_FLAG_HIGH, r.below(30) ? 0 : r.bits<uint32_t>(32));
        put(ACE_MAP_TRIGGER_VALUE, r.bits<uint32_t>(32), r.below(16));
        put(ACE_MAP_TRIGGER_RULE, (r.below(10) ? 1 + r.below(3) : r.bits<uint32_t>(16)) |
                                      slot(r) << 16 | r.below(16) << 24 | r.below(2) << 31);
        const uint32_t at = slot(r);
        put(ACE_MAP_TRIGGER_PREPARE, at, r.below(20) ? 15 : r.below(16));
        if (r.below(2)) put(ACE_MAP_TRIGGER_STORE, at | 3u << 16);
        store(r);
    }
    void store(Random &r) {
        for (unsigned i = 1 + r.below(2); i--;)
            put(ACE_MAP_TRIGGER_STORE, slot(r) | (r.below(9) ? 1 : r.bits<uint32_t>(16)) << 16);
        if (!r.below(4)) put(ACE_MAP_TRIGGER_ARM, slot(r) | (r.below(4) ? 256 : 0));
    }
    Write next(Random &r) {
        if (writes.empty()) switch (r.below(18)) {
            case 0: r.below(4) ? command(r) : configure(r); break;
            case 1:
            case 2:
            case 3: command(r); break;
            case 4: put(ACE_MAP_ERROR, r.bits<uint32_t>(32), r.below(16)); break;
            case 5: put(ACE_MAP_INTERRUPT_STATUS, r.below(512)); break;
            case 6: put(ACE_MAP_COUNT_SELECT, r.below(128)); break;
            case 7: put(r.below(4096), r.bits<uint32_t>(32), r.below(16)); break;
            case 8: { /* a word, and then one byte of it */
                const uint32_t at = 4 * r.below(100);
                put(at, r.bits<uint32_t>(32));
                put(at, r.bits<uint32_t>(32), 1u << r.below(4));
                break;
            }
            case 10: /* the windows stay from then on, until a reset */
                if (!r.below(20)) put(ACE_MAP_CONFIG_LOCK, r.below(4), r.below(16));
                put(ACE_MAP_CONFIG_WINDOW_FIRST + 4 * r.below(4), r.bits<uint32_t>(32));
                break;
            case 9: /* an upset, of a part of a word at times */
                put(ACE_MAP_FAULT_PLACE, r.bits<uint32_t>(32), r.below(16));
                put(ACE_MAP_FAULT_FLIP, r.bits<uint32_t>(32), r.below(16));
                break;
            case 11:
            case 12: r.below(2) ? store(r) : prepare(r); break;
            default: put(ACE_MAP_COMPLETION_TAKE, 0, r.below(20) ? 1 : 0);
            }
        const Write w = writes.front();
        writes.pop_front();
        return w;
    }
};

struct Environment {
    const Mix &mix;
    Software software;
    std::deque<Write> to_address, to_data; /* the halves of writes not yet offered */
    bool aw = false, w = false, ar = false;
    bool read_privileged = false, wrong = false;
    uint64_t unprivileged = 0;
    /* AxPROT of software, which is privileged, and now and then of others. */
    static uint8_t prot(Random &r) {
        const uint8_t any = r.bits<uint8_t>(3);
        return r.below(40) ? any | 1 : any;
    }
    uint32_t read_address = 0;
    std::deque<uint16_t> tags;
    bool held = true, read_failed = false, write_failed = false, mismatch = false;
    bool protocol = false, memory_lost = false;
    uint64_t protocol_addr = 0, losses = 0;
    uint16_t link_state = 0;
    uint8_t link_failed = 0;
    bool lost = false, transfer = false, transfer_list = false, parity = false;
    uint16_t parity_at = 0;
    uint64_t transfer_addr = 0;
    uint8_t lost_bank = 0;
    uint16_t lost_row = 0;
    uint8_t read_resp = 0, write_resp = 0;
    uint64_t read_addr = 0, write_addr = 0;
    std::set<unsigned> codes;
    bool flag_aw = false, flag_w = false; /* of a flag: they were taken */
    bool flag_dead = false;               /* its memory takes and answers nothing, until a reset */
    uint64_t flag_deaths = 0;
    uint64_t flags = 0;
    uint64_t refused = 0, interrupts = 0, commands = 0, selected = 0, data_first = 0, upsets = 0;

    explicit Environment(const Mix &m) : mix(m) {}
    void configure(ace_control_in &in) const {
        in.s_read_failed = read_failed;
        in.s_write_failed = write_failed;
        in.s_protocol_failed = protocol;
        in.s_protocol_failed_addr = protocol_addr;
        in.s_memory_lost = memory_lost;
        in.s_mismatch = mismatch;
        in.s_scratchpad_failed = lost;
        in.s_scratchpad_failed_bank = lost_bank;
        in.s_scratchpad_failed_row = lost_row;
        in.s_transfer_failed = transfer;
        in.s_transfer_failed_list = transfer_list;
        in.s_transfer_failed_addr = transfer_addr;
        in.s_parity_failed = parity;
        in.s_parity_failed_at = parity_at;
        in.s_link_failed = link_failed;
        in.s_link_state = link_state;
        in.s_read_failed_resp = read_resp;
        in.s_write_failed_resp = write_resp;
        in.s_read_failed_addr = read_addr;
        in.s_write_failed_addr = write_addr;
    }
    void reset() {
        to_address.clear();
        to_data.clear();
        aw = w = ar = false;
        tags.clear();
        link_failed = 0;
        read_failed = write_failed = mismatch = lost = transfer = parity = false;
        protocol = memory_lost = flag_aw = flag_w = flag_dead = false;
    }

    /* The memory of flags: addresses and data in any order, then an answer. */
    void drive_flags(const ace_control_out &out, ace_control_in &in, Random &random) {
        if (!flag_dead && mix.fault > 1 && out.m_flag_aw_valid && random.permille(200)) {
            flag_dead = true;
            flag_deaths++;
        }
        in.m_flag_aw_ready = !flag_dead && random.permille(mix.drain);
        in.m_flag_w_ready = !flag_dead && random.permille(mix.drain);
        in.s_flag_b_resp = random.permille(20 * mix.fault) ? random.bits<uint8_t>(2) : 0;
        in.s_flag_b_valid = flag_dead             ? false
                            : (flag_aw && flag_w) ? random.permille(mix.drain)
                                                  : random.permille(mix.fault) && !random.below(20);
        if (in.s_flag_b_valid && flag_aw && flag_w) {
            flags++;
            flag_aw = flag_w = false;
        }
        flag_aw |= out.m_flag_aw_valid && in.m_flag_aw_ready;
        flag_w |= out.m_flag_w_valid && in.m_flag_w_ready;
    }

    void drive(const ace_control_out &out, ace_control_in &in, Random &random) {
        /* master: the halves of a write come in any order, as far apart as it happens */
        if (to_address.size() < 2 && to_data.size() < 2) {
            to_address.push_back(software.next(random));
            to_data.push_back(to_address.back());
        }
        if (!aw && !to_address.empty() && random.permille(mix.offer)) {
            aw = true;
            in.s_axil_awaddr = static_cast<uint16_t>(to_address.front().address);
            in.s_axil_awprot = prot(random);
            to_address.pop_front();
        }
        if (!w && !to_data.empty() && random.permille(mix.offer)) {
            w = true;
            data_first += to_address.size() == to_data.size() && !aw;
            in.s_axil_wdata = to_data.front().data;
            in.s_axil_wstrb = static_cast<uint8_t>(to_data.front().strobes);
            to_data.pop_front();
        }
        if (!ar && random.permille(mix.offer)) {
            const uint32_t often[] = { ACE_MAP_STATUS, ACE_MAP_COMPLETION, ACE_MAP_ERROR };
            ar = true;
            in.s_axil_arprot = prot(random);
            in.s_axil_araddr = static_cast<uint16_t>(random.below(2)   ? often[random.below(3)]
                                                     : random.below(2) ? in.s_axil_awaddr
                                                     : random.below(9) ? 4 * random.below(100)
                                                                       : random.below(4096));
        }
        in.s_axil_awvalid = aw;
        in.s_axil_wvalid = w;
        in.s_axil_arvalid = ar;
        in.s_axil_bready = random.permille(mix.drain);
        in.s_axil_rready = random.permille(mix.drain);
        if (out.s_axil_rvalid) wrong |= !read_privileged && (!out.s_axil_rresp || out.s_axil_rdata);
        if (out.s_axil_rvalid && in.s_axil_rready) {
            unprivileged += !read_privileged;
            if (out.s_axil_rresp)
                refused++;
            else if (read_address == ACE_MAP_COMPLETION &&
                     ACE_MAP_GET(out.s_axil_rdata, COMPLETION_VALID))
                codes.insert(ACE_MAP_GET(out.s_axil_rdata, COMPLETION_CODE));
            else if (read_address == ACE_MAP_ERROR)
                codes.insert(ACE_MAP_GET(out.s_axil_rdata, ERROR_CODE));
            else if (read_address == ACE_MAP_COUNT_LOW)
                selected += out.s_axil_rdata != 0;
        }
        if (ar && out.s_axil_arready) {
            read_address = in.s_axil_araddr;
            read_privileged = in.s_axil_arprot & 1;
        }
        interrupts += out.irq;
        upsets += out.m_fault_valid;
        aw = aw && !out.s_axil_awready;
        w = w && !out.s_axil_wready;
        ar = ar && !out.s_axil_arready;

        drive_flags(out, in, random);

        /* engine */
        if (out.m_core_rst && held) { /* in the first such cycle it still does what it did */
            tags.clear();
            link_failed = 0;
            read_failed = write_failed = mismatch = lost = transfer = parity = false;
            protocol = false;
        }
        held = out.m_core_rst;
        in.s_done_valid = !tags.empty() && random.permille(mix.done);
        if (in.s_done_valid) {
            in.s_done_tag = tags.front();
            tags.pop_front();
        }
        in.m_cmd_ready = random.permille(mix.take);
        if (out.m_cmd_valid && in.m_cmd_ready) {
            tags.push_back(out.m_cmd_tag);
            commands++;
        }
        in.s_core_idle = tags.empty();
        in.s_moved = random.permille(mix.moved);
        in.s_memory_busy = random.permille(500);
        /* a drain may have no end; then a reset alone helps */
        if (mix.fault && mix.resets && out.m_core_rst && in.s_memory_busy && !memory_lost &&
            random.below(200) == 0) {
            memory_lost = in.s_memory_lost = true;
            losses++;
        }
        in.s_read_error = random.permille(10);
        in.s_write_error = random.permille(10);
        in.s_count = random.bits<uint64_t>(48);
        in.s_count_corrected = random.bits<uint32_t>(32);
        in.s_count_failed = random.bits<uint32_t>(32);
        in.s_count_refused = random.bits<uint32_t>(32);
        in.s_count_parity = random.bits<uint32_t>(32);
        if (!tags.empty() && random.permille(mix.fault)) {
            read_resp = static_cast<uint8_t>(2 + random.below(2));
            write_resp = static_cast<uint8_t>(2 + random.below(2));
            read_addr = random.bits<uint64_t>(48);
            write_addr = random.bits<uint64_t>(48);
            lost_bank = random.bits<uint8_t>(2);
            lost_row = random.bits<uint16_t>(12);
            transfer_list = random.below(2);
            transfer_addr = random.bits<uint64_t>(48);
            parity_at = random.bits<uint16_t>(16);
            protocol_addr = random.bits<uint64_t>(48);
            /* two bits a link, now and then of all links */
            link_state = random.bits<uint16_t>(16) & (random.below(2) ? 0x5555 : 0xffff);
            const unsigned which = random.below(10);
            protocol |= which == 9;
            if (which > 6) transfer_list = transfer && transfer_list; /* a row alone, and often */
            read_failed |= which == 0;
            write_failed |= which == 1;
            mismatch |= which == 2;
            if (which == 3) link_failed |= static_cast<uint8_t>(1 << random.below(8));
            lost |= which == 4;
            transfer |= which == 5 || which == 7 || which == 8;
            parity |= which == 6;
            configure(in);
        }
    }
};

} // namespace

#endif
