/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_node_core.c -- the C twin of rtl/ace_node.v: five blocks, and the order of their parts in a
 * cycle
 *
 * A cycle has two halves.  First the blocks decide what they request and grant, from state alone.
 * Then comes the rising edge, in which each block moves on.  The values that a unit shows to
 * others (pins, heads, room, requests) are kept, and are renewed where the unit changes.  Rare
 * events (operations of the scheduler, commands, bursts) are behind a branch.  Events of about
 * every other cycle (rows at links and memory) have no branch, since no processor could guess it.
 * Exchange, router and the links' routed ports are skipped while the node has no all-to-all, list
 * or routed packet.  The links' guards are skipped, but for the numbers of frames, while they
 * resend nothing and see no error.
 *
 * ace_node_core_create.c makes a node; ace_node_core_state.c counts, prints, saves and loads a node
 * between two cycles.
 */
#include "ace_node_core.h"

static ace_cycle_core *self(ace_core *c) { return (ace_cycle_core *)c; }

static bool has_rows(const ace_cycle_core *n) { return n->datapath.scratchpad.banks.rows != NULL; }

/* The first conditions are those that fail in most cycles of a busy node. */
static bool is_idle(const ace_cycle_core *n) {
    return !n->nic.exchange_active && ace_phases_idle(&n->phases) && ace_front_idle(&n->front) &&
           ace_nic_idle(&n->nic) && ace_datapath_idle(&n->datapath) &&
           ace_memory_port_idle(&n->memory_port);
}

void ace_node_show_memory(ace_cycle_core *n) {
    ace_memory_port_show(&n->memory_port, &n->out, has_rows(n));
}

/* All but the memory interface. */
static void reset_units(ace_cycle_core *n) {
    ace_front_reset(&n->front);
    ace_phases_reset(&n->phases, &n->out);
    ace_datapath_reset(&n->datapath, &n->p, n->cfg.wire_format, &n->out);
    ace_nic_reset(&n->nic, &n->cfg, &n->out);
    ace_memory_port_reset(&n->memory_port);
    ace_front_show_done(&n->front, &n->nic, &n->out);
    ace_front_show_ready(&n->front, &n->nic, &n->out);
}

/* Reset, but that a memory which was lost remains so. */
static void clear(ace_cycle_core *n) {
    reset_units(n);
    ace_phases_take_program(&n->phases, &n->cfg);
    ace_memory_interface_clear(n->memory_port.memory);
    ace_memory_interface_set_costs(n->memory_port.memory, n->cfg.read_cost, n->cfg.write_cost);
    ace_memory_port_show_failures(&n->memory_port, &n->out);
    ace_node_show_memory(n);
    n->out.idle = is_idle(n);
}

void ace_cycle_core_reset(ace_core *core) {
    ace_cycle_core *n = self(core);
    ace_memory_interface_reset(n->memory_port.memory);
    clear(n);
}

/* A cycle with `drain`: bursts at the memory are carried out, all else is in reset. */
__attribute__((noinline)) static void draining_tick(ace_cycle_core *n, const ace_pins_in *in) {
    const ace_memory_interface *m = n->memory_port.memory;
    if (!ace_memory_interface_busy(m) || m->lost) {
        clear(n);
        return;
    }
    ace_memory_port_drain(&n->memory_port, &n->cfg, in);
    reset_units(n);
    ace_memory_port_show_failures(&n->memory_port, &n->out);
    ace_node_show_memory(n);
    if (ace_memory_interface_fills(m)) { /* beats that write nothing */
        n->out.w_data = has_rows(n) ? ace_datapath_zero_row : NULL;
        n->out.w_bytes = 0;
        n->out.w_last = ace_memory_interface_m_w_last(m);
    }
    n->out.idle = is_idle(n);
}

const ace_pins_out *ace_cycle_core_out(ace_core *core) { return &self(core)->out; }

/* The edge of the memory port, with the scheduler's job and the rows of the scratchpad. */
ACE_INLINE void tick_memory(ace_cycle_core *n, const ace_pins_in *in, const ace_switch_out *grant,
                            ace_exchanging *e, bool payload) {
    const ace_action bus = n->front.scheduler.bus;
    const bool loads = bus == ACE_ACT_LOAD, stores = bus == ACE_ACT_STORE;
    ace_datapath *const d = &n->datapath;
    ace_memory_port *const m = &n->memory_port;
    if (ace_memory_port_rests(m, loads || stores, e != NULL)) return;
    ace_dma_job job;
    if (loads || stores) job = ace_front_job(&n->front.scheduler);
    const ace_dma_jobs *const loaded = &m->tx_dma->jobs;
    const ace_memory_port_in to = {
        .latency = n->cfg.memory_latency,
        .loads = loads ? &job : NULL,
        .stores = stores ? &job : NULL,
        .load = grant->load_grant,
        .load_to = payload && grant->load_grant
                       ? ace_scratchpad_row(&d->scratchpad, loaded->row_bank, loaded->row)
                       : NULL,
        .unload = grant->unload_grant,
        .unloaded = ace_datapath_unload(d, m->rx_dma, grant->unload_grant, payload),
        .x = e ? &e->out : NULL,
        .x_in = e ? &e->in : NULL,
    };
    n->front.wake |= ace_memory_port_tick(m, in, &to, &n->phases.unfit, &n->out, payload);
}

/* payload: does the run carry bits? exchanges: has the node an all-to-all, list or routed packet,
 * or may it get one? Each kind of tick has its own code. The order of the calls makes them one
 * edge. number_left: the agreement's number of this round has left; numbers: the links on which one
 * came. */
ACE_INLINE void tick(ace_cycle_core *n, const ace_pins_in *in, bool payload, bool exchanges) {
    ace_front *const front = &n->front;
    ace_phases *const phases = &n->phases;
    ace_datapath *const datapath = &n->datapath;
    ace_nic *const nic = &n->nic;
    ace_front_requests requests;
    ace_phases_reads read;
    ace_exchanging e;
    ace_switch_out grant;
    unsigned room[2];
    ace_datapath_edge edge = { .phases = phases,
                               .front = front,
                               .links = nic->links.plain,
                               .grant = &grant,
                               .out = &n->out,
                               .room = room };

    /* ---- what is requested and granted ---- */
    ace_front_take(in, &n->out, exchanges, &requests);
    if (exchanges)
        ace_nic_offer(nic, &e);
    else
        ace_nic_idle_cycle(nic);
    edge.takes = ace_phases_requests(phases, front, &datapath->switch_, edge.links, room);
    edge.copy_context = ace_phases_copy_context(phases);
    ace_datapath_decide(datapath, phases, front, &n->memory_port, edge.links->s_room, &grant);
    ace_phases_read(phases, front, &datapath->switch_, &read);
    ace_front_look(front, phases->fsm, phases->per_phase, &datapath->switch_, &n->memory_port,
                   &requests);

    /* ---- the rising edge ---- */
    const bool upsets =
        ace_scratchpad_banks_watched(&datapath->scratchpad.banks) || in->fault_valid;
    ace_row_index written[ACE_SCRATCHPAD_WRITES];
    const unsigned rows =
        upsets ? ace_datapath_rows_written(datapath, &grant, n->memory_port.tx_dma, written) : 0;
    unsigned write, reserve;
    const bool number_left = ace_phases_grant(phases, front, &nic->links, n->out.parity_failed);
    ace_datapath_tick(datapath, &edge, &write, &reserve, payload);
    ace_nic_plain(nic, in, ace_datapath_pops(&grant), reserve, write, exchanges ? &e : NULL,
                  payload);
    ace_datapath_heads(datapath, nic->links.plain);
    if (exchanges) ace_nic_routed(nic, in, &e, payload, &phases->unfit);
    tick_memory(n, in, &grant, exchanges ? &e : NULL, payload);
    if (exchanges)
        ace_nic_exchange(nic, &n->cfg, requests.exchange, !front->scheduler.done_valid, &e,
                         &phases->unfit, &n->out);
    if (upsets) ace_datapath_upset(datapath, in, written, rows, &n->out);
    const unsigned numbers = ace_phases_tick(phases, front, &datapath->switch_, &read,
                                             ace_link_accepted(&nic->links), &n->out);
    ace_front_tick(front, &requests, number_left, numbers, nic, exchanges, &n->out);
    n->out.idle = is_idle(n);
}

static bool exchanges(const ace_cycle_core *n, const ace_pins_in *in) {
    return ace_nic_exchanges(&n->nic, in) || (in->cmd_valid && ace_front_to_exchange(&in->cmd));
}

/* Out of the way of the others, which are most. */
__attribute__((noinline)) static void exchanging_tick(ace_cycle_core *n, const ace_pins_in *in) {
    if (has_rows(n))
        tick(n, in, true, true);
    else
        tick(n, in, false, true);
}

ACE_INLINE void ports_tick(ace_cycle_core *n, const ace_pins_in *in, bool payload) {
    if (exchanges(n, in))
        exchanging_tick(n, in);
    else
        tick(n, in, payload, false);
}

/* ---- the links' guards ------------------------------------------------------------ */

/* A cycle in which more than their numbers may change. */
__attribute__((noinline)) static void tick_with_retry(ace_cycle_core *n, const ace_pins_in *in) {
    ace_link_receive(&n->nic.links, n->out.link_failed);
    ports_tick(n, in, has_rows(n));
    n->out.idle &= ace_link_send(&n->nic.links, &n->out);
}

ACE_INLINE void node_tick(ace_cycle_core *n, const ace_pins_in *in, bool payload) {
    if (__builtin_expect(in->drain, 0)) {
        draining_tick(n, in);
        return;
    }
    ace_link_arrive(&n->nic.links, in);
    if (__builtin_expect(ace_link_is_guarded(&n->nic.links, &n->out), 0)) {
        tick_with_retry(n, in);
        return;
    }
    ace_link_count(&n->nic.links);
    ports_tick(n, in, payload);
    ace_link_show(&n->nic.links, payload, &n->out);
}

void ace_cycle_core_tick_timing(ace_core *core, const ace_pins_in *in) {
    node_tick(self(core), in, false);
}

void ace_cycle_core_tick_payload(ace_core *core, const ace_pins_in *in) {
    node_tick(self(core), in, true);
}

void ace_cycle_core_skip(ace_core *core, uint64_t cycles) {
    ace_cycle_core *n = self(core);
    ace_datapath_skip(&n->datapath, cycles);
    ace_nic_skip(&n->nic, cycles);
    ace_memory_port_skip(&n->memory_port, cycles);
}
