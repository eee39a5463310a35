// SPDX-License-Identifier: Apache-2.0
//
// state_test.cc -- what a node's state must hold together is looked at when it is loaded
//
// A node that stands for a torus runs collectives of all kinds.  Any state it is in can be loaded.
// The same state with one member beyond what it ever is (an index behind its buffer, more credits
// than places, a bool that is neither) is refused, and unit and member are named.  What the members
// hold is stated by the units' contracts and by the proofs in tests/formal.
#include <gtest/gtest.h>

#include <functional>
#include <string>

extern "C" {
#include "ace_memory.h"
#include "ace_node.h"
#include "ace_node_core.h"
#include "ace_node_driver.h"
}
#include "state_stream.h"

namespace {

enum { LINKS = 6, LATENCY = 24 };

// One node for all of a torus of 3x2: it hears what it sends.
struct Lone {
    ace_wire *wire[LINKS];
    ace_memory *memory = nullptr;
    ace_node *node = nullptr;

    explicit Lone(bool payload) {
        ace_node_setup setup{};
        setup.parameters = ACE_PARAMETERS_DEFAULT;
        setup.parameters.bank_rows = 256;
        ace_config &c = setup.config;
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
            c.ring[d] = static_cast<uint16_t>(d < 2 ? 3 - d : 1);
            c.link_cost[d] = (2 + d) * ACE_COST_ONE;
        }
        c.chunk_rows = 24;
        for (unsigned p = 0; p < 5; p++) c.partition_rows[p] = 51;
        c.read_cost = c.write_cost = 655;
        c.memory_latency = 40;
        c.retry = 300;
        if (payload) setup.memory = memory = ace_memory_create();
        for (ace_wire *&w : wire) w = ace_wire_create(LATENCY, LATENCY, payload);
        for (unsigned l = 0; l < LINKS; l++) {
            setup.out[l] = wire[l];
            setup.in[l] = wire[l ^ 1];
        }
        EXPECT_EQ(ACE_OK, ace_cycle_node_create(&setup, &node));
    }
    Lone(const Lone &) = delete;
    ~Lone() {
        ace_node_destroy(node);
        if (memory) ace_memory_destroy(memory);
        for (ace_wire *w : wire) ace_wire_destroy(w);
    }
    ace_driver &driver() const { return *reinterpret_cast<ace_driver *>(node); }
    ace_cycle_core &core() const { return *reinterpret_cast<ace_cycle_core *>(driver().core); }
    void state(ace_state *s) const {
        ace_node_state(node, UINT64_MAX, s);
        if (memory) ace_memory_state(memory, s);
        for (ace_wire *w : wire) ace_wire_state(w, UINT64_MAX, s);
    }
    void submit() const {
        static const ace_kind kinds[] = { ACE_ALL_REDUCE, ACE_ALL_TO_ALL, ACE_ALL_GATHER,
                                          ACE_SCATTER,    ACE_BROADCAST,  ACE_REDUCE_SCATTER };
        uint64_t at = 0;
        for (ace_kind kind : kinds) {
            ace_command c{};
            c.kind = kind;
            c.dim_count = 2;
            c.dims[1] = 1;
            c.source = at << 20;
            c.destination = (at + 9) << 20;
            c.bytes = 60000;
            c.tag = static_cast<uint16_t>(5 + at++);
            EXPECT_EQ(ACE_OK, ace_node_submit(node, &c, 0));
        }
    }
};

Bytes Save(const Lone &one) {
    return SaveState([&](ace_state *s) { one.state(s); });
}

std::string Load(const Bytes &bytes, bool payload) {
    const Lone another(payload);
    return LoadState(bytes, [&](ace_state *s) { another.state(s); });
}

TEST(State, OfARunCanBeLoaded) {
    for (bool payload : { false, true }) {
        const Lone one(payload);
        unsigned done = 0, loaded = 0;
        one.submit();
        for (uint64_t now = LATENCY; done < 6 && now < 1000000; now += LATENCY) {
            ace_node_run(one.node, now);
            ASSERT_EQ(ACE_OK, ace_node_error(one.node));
            for (ace_completion c; ace_node_completion(one.node, &c);) done++;
            if (now / LATENCY % 3) continue;
            ASSERT_EQ("", Load(Save(one), payload)) << "cycle " << now;
            loaded++;
        }
        EXPECT_EQ(6u, done);
        EXPECT_GT(loaded, 50u);
    }
}

struct Fault {
    const char *field;
    std::function<void(Lone &)> plant;
};

#define CORE(field, change)                 \
    {                                       \
        field, [](Lone &one) {              \
            ace_cycle_core &n = one.core(); \
            change;                         \
        }                                   \
    }

const Fault faults[] = {
    CORE("ace_agreement.agreed", n.front.agreement.agreed = 1),
    CORE("ace_agreement.left", n.front.agreement.left = 1),
    CORE("ace_agreement.chunks", n.front.agreement.chunks = ACE_ROUND_CHUNKS + 1),
    CORE("ace_agreement.here", n.front.agreement.here[0].count = 128),
    CORE("ace_agreement.commands", n.front.agreement.commands /= 2),
    CORE("ace_dispatcher.tail",
         n.front.dispatcher.tail[0] = n.front.dispatcher.head[0] + n.p.commands + 1),
    CORE("ace_dispatcher.tail", n.front.dispatcher.tail[1] = n.front.dispatcher.head[1] + 9),
    CORE("ace_dispatcher.left", n.front.dispatcher.left[1] = 16),
    CORE("ace_dispatcher.class", n.front.dispatcher.class_at = 2),
    CORE("ace_dispatcher.state", n.front.dispatcher.state = 5),
    CORE("ace_dispatcher.entering", n.front.dispatcher.entering = 2 * n.p.dimensions + 3),
    CORE("ace_dispatcher.commands", n.front.dispatcher.commands[0] /= 2),
    CORE("ace_scheduler.admitted",
         n.front.scheduler.admitted[0] = n.front.scheduler.dispatched + 1),
    CORE("ace_scheduler.finished",
         n.front.scheduler.finished[1] = n.front.scheduler.admitted[1] + 1),
    CORE("ace_scheduler.step", n.front.scheduler.step = ACE_SCHEDULER_WAIT + 1),
    CORE("ace_scheduler.stage", n.front.scheduler.stage = 9),
    CORE("ace_scheduler.at", n.front.scheduler.at = ACE_CHUNKS),
    CORE("ace_scheduler.used", n.front.scheduler.used[1][2] = 52),
    CORE("ace_scheduler.next", n.front.scheduler.next[1][2] = 51),
    CORE("ace_scheduler.base", n.front.scheduler.base[2]++),
    CORE("ace_scheduler.look", n.front.scheduler.look.over = 0x80),
    CORE("ace_fsm.oldest", n.phases.fsm[3].oldest = 4),
    CORE("ace_fsm.wants", n.phases.fsm[3].wants[1] = 0x10),
    CORE("ace_fsm.ready", n.phases.fsm[3].ready = 0x8000),
    CORE("ace_fsm.jobs", n.phases.fsm[3].working = 1; n.phases.fsm[3].jobs[0] = ACE_NO_JOB),
    CORE("ace_fsm_context.link", n.phases.fsm[1].context[0].link = ACE_LINKS),
    CORE("ace_fsm_context.link", n.phases.fsm[0].context[0].valid = true;
         n.phases.fsm[0].context[0].link = static_cast<uint8_t>(2 * n.phases.fsm[0].context[0].dim +
                                                                n.phases.fsm[0].context[0].up)),
    CORE("ace_fsm_context.valid", Third(n.phases.fsm[1].context[1].valid)),
    CORE("ace_fsm_context.source",
         n.phases.fsm[0].context[0].valid = n.phases.fsm[0].context[0].up = true;
         n.phases.fsm[0].context[0].source = 4000),
    CORE("ace_scheduler.at", n.front.scheduler.step = ACE_SCHEDULER_MOVE;
         n.front.scheduler.finish = false;
         n.front.scheduler.at = static_cast<uint8_t>(n.front.scheduler.dispatched % ACE_CHUNKS)),
    CORE("ace_switch.at", n.datapath.switch_.at = ACE_PIPE_SLOTS),
    CORE("ace_switch.context", n.datapath.switch_.store[2].valid = true;
         n.datapath.switch_.store[2].context =
             static_cast<uint8_t>(ace_context_name(0, n.phases.per_phase *n.p.contexts))),
    CORE("ace_switch.plus_turn", n.datapath.switch_.plus_turn = ACE_DIMENSIONS + 1),
    CORE("ace_switch.queue_any", n.datapath.switch_.queue_any = 0x8000),
    CORE("ace_switch.queue_two", n.datapath.switch_.queue_any = 0;
         n.datapath.switch_.queue_two = 1),
    CORE("ace_switch.crowded", n.datapath.switch_.crowded ^= 2),
    CORE("ace_switch.held", n.datapath.switch_.held[1] ^= 4),
    CORE("ace_switch.queue", n.datapath.switch_.queue[0][1].send.link = ACE_LINKS),
    CORE("ace_scratchpad.given", n.datapath.scratchpad.given = ACE_SCRATCHPAD_WRITES + 1),
    CORE("ace_scratchpad_banks.bank_rows", n.datapath.scratchpad.banks.bank_rows--),
    CORE("ace_scratchpad_banks.bank_rows", n.datapath.scratchpad.banks.sub_banks = 2),
    CORE("ace_bank.waits",
         n.datapath.scratchpad.banks.bank[3].waits = 1), /* of one sub-bank none waits */
    CORE("ace_link_port.credits", n.nic.links.plain->credits[3] = n.p.link_input_rows + 1),
    CORE("ace_link_port.in_head", n.nic.links.plain->in_head[2] = 4096),
    CORE("ace_link_port.in_count", n.nic.links.plain->in_count[2]++),
    CORE("ace_link_port.out_count", n.nic.links.routed->out_count[1]++),
    CORE("ace_link_port.reserved", n.nic.links.plain->reserved[0] = n.p.link_output_rows + 1),
    /* a row that was written, and is not committed */
    CORE("ace_link_port.header", ace_link_port &p = *n.nic.links.plain;
         ace_rx_step *row = ace_link_receiver_step(&n.nic.links.receiver, ACE_LINK_RX_ROW);
         row->took |= 4; row->pins.valid |= 4; row->pins.frame |= 4;
         p.in_end[2] = (p.in_tail[2] + 1) & p.in_mask;
         p.in_headers[ace_link_slot(2, p.in_tail[2])].context = 0xff),
    CORE("ace_link_receiver.took",
         n.nic.links.receiver.step[n.nic.links.receiver.at] = ace_rx_step{};
         ace_rx_step *row = ace_link_receiver_step(&n.nic.links.receiver, ACE_LINK_RX_SUM);
         row->took |= 8; row->pins.valid |= 8),
    CORE("ace_link_port.rows", n.nic.links.plain->in_mask /= 2),
    CORE("ace_link_sender.at", n.nic.links.sender.at = ACE_LINK_TX_SLOTS),
    CORE("ace_link_sender.context",
         ace_tx_step &tx = n.nic.links.sender.step[n.nic.links.sender.at];
         tx.valid |= 2; tx.routed &= 0xfd; tx.kept &= 0xfd; tx.row[1] = 0; tx.tx[1].context = 0xff),
    CORE("ace_link_guard.given", n.nic.links.given[1].head = 1 | 0xff00),
    CORE("ace_link_guard.kept", ace_link_guard &g = *n.nic.links.guard[1];
         g.kept[g.base % g.frames].head = 1 | 0xff00;
         g.next = static_cast<uint16_t>(g.next + (g.next == g.base)); g.send = g.fresh = g.next),
    CORE("ace_node.outgoing", n.datapath.outgoing[1][0].valid = true;
         n.datapath.outgoing[1][0].context = 0xff),
    CORE("ace_link_receiver.at", n.nic.links.receiver.at = ACE_LINK_RX_STEPS),
    CORE("ace_link_guard.next", n.nic.links.guard[1]->next = static_cast<uint16_t>(
                                    n.nic.links.guard[1]->base + n.nic.links.guard[1]->frames + 1)),
    CORE("ace_link_guard.send", n.nic.links.guard[1]->send = n.nic.links.guard[1]->fresh;
         n.nic.links.guard[1]->send++),
    CORE("ace_link_guard.tries", n.nic.links.guard[1]->tries = ACE_GUARD_TRIES + 1),
    CORE("ace_link_guard.frames", n.nic.links.guard[1]->frames /= 2),
    CORE("ace_link_sync.epoch", n.nic.links.sync[1].epoch++),
    CORE("ace_link_sync.heard", n.nic.links.sync[1].up = true),
    CORE("ace_dma_jobs.jobs", n.memory_port.tx_dma->jobs.jobs = ACE_DMA_JOBS + 1),
    CORE("ace_dma_jobs.request_at", n.memory_port.tx_dma->jobs.request_at ^= 1),
    CORE("ace_dma_jobs.row", n.memory_port.rx_dma->half[1].jobs.row_active = true;
         n.memory_port.rx_dma->half[1].jobs.row_left = 1;
         n.memory_port.rx_dma->half[1].jobs.row_bank = 1;
         n.memory_port.rx_dma->half[1].jobs.row_end = 256),
    CORE("ace_dma_jobs.row_bank", n.memory_port.rx_dma->half[1].jobs.row_active = false;
         n.memory_port.rx_dma->half[1].jobs.row_bank = ACE_BANKS),
    CORE("ace_row_fifo.count", n.memory_port.tx_dma->r.count++),
    CORE("ace_row_fifo.depth", n.memory_port.rx_dma->half[1].w.mask /= 2),
    CORE("ace_rx_half.places", n.memory_port.rx_dma->half[0].places++),
    CORE("ace_rx_half.b_jobs", n.memory_port.rx_dma->half[1].b_jobs = ACE_RX_HALF_DONE_JOBS + 1),
    CORE("ace_rx_half.whole", n.memory_port.rx_dma->half[0].whole = ACE_RX_HALF_ROWS + 1),
    CORE("ace_rx_dma.waiting", n.memory_port.rx_dma->waiting = n.p.memory_bursts + 1),
    CORE("ace_rx_dma.open", n.memory_port.rx_dma->open = n.memory_port.rx_dma->waiting + 1),
    CORE("ace_rx_dma.w_at", n.memory_port.rx_dma->w_at ^= 1),
    CORE("ace_rx_dma.bursts", n.memory_port.rx_dma->bursts /= 2),
    CORE("ace_rx_dma.odd", Third(n.memory_port.rx_dma->odd[200])),
    CORE("ace_memory_interface.reads",
         n.memory_port.memory->reads = n.memory_port.memory->bursts + 1),
    CORE("ace_memory_interface.ar_head",
         n.memory_port.memory->ar_head = n.memory_port.memory->bursts),
    CORE("ace_memory_interface.read_tokens", n.memory_port.memory->read_tokens = 2 * 655 + 1),
    CORE("ace_memory_arbiter.reads", n.memory_port.arbiter->reads = n.p.memory_bursts + 1),
    CORE("ace_memory_arbiter.first", Third(n.memory_port.arbiter->w_first[200])),
    CORE("ace_exchange.commands", n.nic.exchange->commands = ACE_EXCHANGE_COMMANDS + 1),
    CORE("ace_exchange.state", n.nic.exchange->state = 3),
    CORE("ace_exchange.head", n.nic.exchange->queue[2].head = 4096),
    CORE("ace_exchange.reads", n.nic.exchange->reads = n.nic.exchange->bursts + 1),
    CORE("ace_exchange.stride", n.nic.exchange->list = false; n.nic.exchange->ask[1].valid = true;
         n.nic.exchange->stride[1] = 0),
    CORE("ace_exchange.ask", Third(n.nic.exchange->ask[1].valid)),
    CORE("ace_exchange.popped_queue", n.nic.exchange->popped_queue[1] = ACE_ROUTER_QUEUES),
    CORE("ace_list_walk.item", n.nic.exchange->walk->item = ACE_LIST_ROW_ITEMS),
    CORE("ace_list_walk.valid", n.nic.exchange->walk->valid = UINT64_C(1) << 40),
    CORE("ace_router.taken", n.nic.router->taken[1].link = 9),
    CORE("ace_router.link", n.nic.router->taken[1].valid = 1;
         n.nic.router->taken[1].link = ACE_LINKS),
    CORE("ace_node.oldest", n.datapath.oldest = ACE_SENT_CYCLES),
    CORE("ace_node.ready", n.phases.ready = 1u << 31),
    CORE("ace_node.copies", n.phases.copies ^= 1),
    CORE("ace_node.reduce_row", n.datapath.receiving.reduce_row[3] = 256),
    CORE("ace_node.head_context", n.datapath.requests.head_valid = 4;
         n.datapath.requests.head_context[2] = 0xff),
    CORE("ace_node.out", Third(n.out.done_valid)),
    CORE("ace_program_ram.loading", n.phases.program[0].loading = 255),
    CORE("ace_program_ram.read", Third(n.phases.program[1].wrong)),
    CORE("ace_program_ram.at", n.phases.program[1].at = 128),
    CORE("ace_node.looking", n.phases.looking = false; n.phases.program[1].read = true),
    { "ace_driver.head", [](Lone &one) { one.driver().command_head = ACE_DRIVER_SUBMITTED; } },
    { "ace_driver.step", [](Lone &one) { one.driver().step = 2; } },
    { "ace_driver.command",
      [](Lone &one) {
          ace_driver &d = one.driver();
          d.command_count = 1;
          d.command[d.command_head].type = static_cast<ace_type>(ACE_TYPES);
      } },
};

/* The set-up of an exchange command takes two cycles for each dimension, one for each bit of a
 * quotient of 33, and two more. The state of any of these cycles may be saved. */
TEST(State, OfASetUpIsLoaded) {
    Lone one(false);
    ace_exchange &x = *one.core().nic.exchange;
    x.state = ACE_EXCHANGE_SETUP;
    for (x.left = 1; x.left <= 2 * x.dimensions + 33 + 2; x.left++)
        EXPECT_EQ("", Load(Save(one), false)) << x.left;
    EXPECT_EQ("ace_exchange.left", Load(Save(one), false));
}

TEST(State, ThatCannotBeIsNamed) {
    for (const Fault &f : faults) {
        Lone one(false);
        one.submit();
        for (uint64_t now = LATENCY; now < 200 * LATENCY; now += LATENCY)
            ace_node_run(one.node, now);
        ASSERT_EQ("", Load(Save(one), false));
        f.plant(one);
        EXPECT_EQ(f.field, Load(Save(one), false));
    }
}

} // namespace
