/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_control.c -- the twin of rtl/ace_control.v: registers, doorbell, completions, errors
 *
 * A tick works out everything from the state before the edge: the write's effect, the faults, the
 * watchdog. Then the AXI4-Lite port goes first, because a read sees the registers as they are.
 * Counters, completions, the command slot, the first error and the interrupt events follow. Writes
 * to registers, the start and the stop come last.
 */
#include "ace_control.h"

#include <stdlib.h>

enum {
    EVENT_COMPLETION,
    EVENT_REFUSED,
    EVENT_READ,
    EVENT_WRITE,
    EVENT_WATCHDOG,
    EVENT_MISMATCH,
    EVENT_LINK,
    EVENT_SCRATCHPAD,
    EVENT_TRANSFER,
    EVENT_PARITY,
    EVENT_PROTOCOL,
    EVENT_MEMORY
};
int ace_control_create(const ace_parameters *p, unsigned completions, bool fault_registers,
                       ace_control **control) {
    if (completions < 2 || completions > ACE_CONTROL_COMPLETIONS_MAX ||
        (completions & (completions - 1)))
        return ACE_EINVAL;
    ace_control *c = calloc(1, sizeof *c);
    if (!c) return ACE_ENOMEM;
    c->parameters = *p;
    c->completions = completions;
    c->fault_registers = fault_registers;
    c->queue = calloc(completions, sizeof *c->queue);
    if (!c->queue) {
        free(c);
        return ACE_ENOMEM;
    }
    ace_control_reset(c);
    *control = c;
    return ACE_OK;
}

void ace_control_destroy(ace_control *c) {
    if (!c) return;
    free(c->queue);
    free(c);
}

void ace_control_reset(ace_control *c) {
    const ace_control old = *c;
    *c = (ace_control){ .parameters = old.parameters,
                        .completions = old.completions,
                        .fault_registers = old.fault_registers,
                        .queue = old.queue };
    ace_control_registers_reset(&c->registers);
}

/* What a stop forgets. */
static void forget(ace_control *c) {
    c->run = c->start = c->cmd_valid = c->refused = c->expired = c->error_valid = false;
    c->read_seen = c->write_seen = c->mismatch_seen = c->link_seen = c->lost_seen = false;
    c->transfer_seen = c->list_seen = c->parity_seen = c->protocol_seen = false;
    c->owed = c->queued = c->queue_head = c->waited = 0;
    c->events = c->error_code = c->error_resp = 0;
    c->error_tag = 0;
    c->error_address = 0;
}

void ace_control_state(ace_control *c, ace_state *s) {
    ACE_STATE_BUT(s, *c, &c->queue);
    ace_state_bytes(s, c->queue, c->completions * sizeof *c->queue);
}

void ace_control_config(const ace_control *c, ace_config *to) {
    ace_control_registers_m_cfg(&c->registers, to);
}

static bool no_command(const ace_control *c) { return !c->cmd_valid && !c->refused && !c->owed; }

bool ace_control_idle(const ace_control *c) {
    return !c->start && ace_axil_slave_idle(&c->axil) && no_command(c) && !c->waited && !c->fetch &&
           !c->fault_valid;
}

void ace_control_eval(const ace_control *c, ace_control_out *o) {
    const ace_control_registers *r = &c->registers;
    o->s_axil_awready = !c->axil.aw_full;
    o->s_axil_wready = !c->axil.w_full;
    o->s_axil_bvalid = c->axil.b_valid;
    o->s_axil_bresp = c->axil.b_resp;
    o->s_axil_arready = !c->axil.r_valid;
    o->s_axil_rvalid = c->axil.r_valid;
    o->s_axil_rdata = c->axil.r_data;
    o->s_axil_rresp = c->axil.r_resp;
    o->irq = (c->events & r->enable) != 0;
    o->m_core_rst = !c->run;
    memcpy(o->m_cfg_program, r->program, sizeof r->program);
    o->m_cfg_hub = r->hub;
    o->m_cfg_fifo = r->fifo;
    o->m_cfg_agreed = r->agreed;
    o->m_cfg_ring = r->ring;
    o->m_cfg_rank = r->rank;
    o->m_cfg_chunk_rows = r->chunk_rows;
    memcpy(o->m_cfg_partition_rows, r->partition_rows, sizeof r->partition_rows);
    memcpy(o->m_cfg_link_cost, r->link_cost, sizeof r->link_cost);
    o->m_cfg_read_cost = r->read_cost;
    o->m_cfg_write_cost = r->write_cost;
    o->m_cfg_memory_latency = r->memory_latency;
    o->m_cfg_retry = r->retry;
    o->m_cfg_epoch = r->epoch;
    o->m_cfg_epoch_links = r->epoch_links;
    memcpy(o->m_cfg_window_first, r->window_first, sizeof r->window_first);
    memcpy(o->m_cfg_window_last, r->window_last, sizeof r->window_last);
    o->m_cmd_valid = c->cmd_valid;
    o->m_cmd_kind = c->cmd.kind;
    o->m_cmd_type = c->cmd.type;
    o->m_cmd_op = c->cmd.op;
    o->m_cmd_scale = c->cmd.scale;
    o->m_cmd_dim_count = c->cmd.dim_count;
    o->m_cmd_dims = c->cmd.dims;
    o->m_cmd_source = c->cmd.source;
    o->m_cmd_destination = c->cmd.destination;
    o->m_cmd_bytes = c->cmd.bytes;
    o->m_cmd_tag = c->cmd.tag;
    o->m_fault_valid = c->fault_valid;
    o->m_fault_bank = (uint8_t)ACE_MAP_GET(r->fault_place, FAULT_PLACE_BANK);
    o->m_fault_row = (uint16_t)ACE_MAP_GET(r->fault_place, FAULT_PLACE_ROW);
    o->m_fault_word = (uint8_t)ACE_MAP_GET(r->fault_place, FAULT_PLACE_WORD);
    o->m_fault_mask = c->fault_mask;
    o->m_count_index = r->index;
    o->idle = ace_control_idle(c);
}

/* ---- what a doorbell is answered --------------------------------------------- */

static bool is_full(const ace_control *c) {
    return c->owed + c->queued + c->refused >= c->completions;
}

static bool list_failed(const ace_control_in *in) {
    return in->s_transfer_failed && in->s_transfer_failed_list;
}

/* Not so where registers for tests are left out. */
static bool is_there(const ace_control *c, unsigned address) {
    return c->fault_registers || (address != ACE_MAP_FAULT_PLACE && address != ACE_MAP_FAULT_FLIP);
}

static unsigned link_code(const ace_control_in *in) {
    return in->s_link_state & in->s_link_state >> 1 & 0x5555 ? ACE_CODE_LINK_ENDED
                                                             : ACE_CODE_LINK_FAILED;
}

static unsigned fault_of(const ace_control *c, const ace_control_in *in) {
    if (!c->run) return ACE_CODE_NONE;
    return in->s_read_failed         ? ACE_CODE_READ_ERROR
           : in->s_write_failed      ? ACE_CODE_WRITE_ERROR
           : in->s_protocol_failed   ? ACE_CODE_MEMORY_PROTOCOL
           : in->s_mismatch          ? ACE_CODE_MISMATCH
           : in->s_link_failed       ? link_code(in)
           : in->s_scratchpad_failed ? ACE_CODE_SCRATCHPAD_ERROR
           : list_failed(in)         ? ACE_CODE_BAD_LIST
           : in->s_parity_failed     ? ACE_CODE_PARITY_ERROR
                                     : ACE_CODE_NONE;
}

static unsigned verdict(const ace_control *c, unsigned fault) {
    const ace_doorbell_check_in in = { .s_running = c->run,
                                       .s_failed = fault != ACE_CODE_NONE,
                                       .s_full = is_full(c) || c->cmd_valid };
    return ace_doorbell_check(&c->parameters, &in, &c->registers.staged);
}

/* ---- reads ------------------------------------------------------------------- */

static uint32_t low_of(uint64_t value) { return (uint32_t)value; }
static uint32_t high_of(uint64_t value) { return (uint32_t)(value >> 32); }

/* Long: one case a register, as in the map. */
static uint32_t read_word(const ace_control *c, const ace_control_in *in, unsigned address) {
#define PUT(field, value) ACE_MAP_PUT(value, field)
    const ace_parameters *p = &c->parameters;
    const unsigned fault = fault_of(c, in);
    switch (address) {
    case ACE_MAP_ID: return 0x41434520;
    case ACE_MAP_VERSION: return 0x00030001;
    case ACE_MAP_BUILT_FSMS:
        return PUT(BUILT_FSMS_FSMS, p->fsms) | PUT(BUILT_FSMS_CONTEXTS, p->contexts) |
               PUT(BUILT_FSMS_COUNTERS, ace_control_counters(p->dimensions));
    case ACE_MAP_BUILT_SCRATCHPAD:
        return PUT(BUILT_SCRATCHPAD_BANK_ROWS, p->bank_rows) |
               PUT(BUILT_SCRATCHPAD_ROW_BYTES, ACE_ROW_BYTES);
    case ACE_MAP_BUILT_QUEUES:
        return PUT(BUILT_QUEUES_COMMANDS, p->commands) |
               PUT(BUILT_QUEUES_COMPLETIONS, c->completions);
    case ACE_MAP_BUILT_LINKS:
        return PUT(BUILT_LINKS_INPUT_ROWS, p->link_input_rows) |
               PUT(BUILT_LINKS_OUTPUT_ROWS, p->link_output_rows);
    case ACE_MAP_BUILT_ROUTER:
        return PUT(BUILT_ROUTER_INPUT_ROWS, p->router_input_rows) |
               PUT(BUILT_ROUTER_OUTPUT_ROWS, p->router_output_rows);
    case ACE_MAP_BUILT_EXCHANGE:
        return PUT(BUILT_EXCHANGE_ROWS, p->exchange_rows) |
               PUT(BUILT_EXCHANGE_BURSTS, p->exchange_bursts);
    case ACE_MAP_BUILT_MEMORY: return PUT(BUILT_MEMORY_BURSTS, p->memory_bursts);
    case ACE_MAP_BUILT_ALU:
        return PUT(BUILT_ALU_TYPES, p->alu_types) | PUT(BUILT_ALU_OPS, p->alu_ops);
    case ACE_MAP_BUILT_HUB: return PUT(BUILT_HUB_PEERS, p->peers);
    case ACE_MAP_BUILT_COMMANDS:
        return PUT(BUILT_COMMANDS_KINDS, ACE_CONTROL_KINDS) |
               PUT(BUILT_COMMANDS_TYPES, ACE_CONTROL_TYPES) |
               PUT(BUILT_COMMANDS_OPS, ACE_CONTROL_OPS) |
               PUT(BUILT_COMMANDS_DIMENSIONS, p->dimensions);
    case ACE_MAP_CONTROL: return PUT(CONTROL_RUN, c->run || c->start);
    case ACE_MAP_STATUS:
        return PUT(STATUS_RUNNING, c->run) |
               PUT(STATUS_IDLE, no_command(c) && (!c->run || in->s_core_idle)) |
               PUT(STATUS_ROOM, c->run && !fault && !is_full(c) && !c->cmd_valid) |
               PUT(STATUS_COMPLETION, c->queued != 0) | PUT(STATUS_FAILED, fault != 0) |
               PUT(STATUS_MEMORY_BUSY, in->s_memory_busy) | PUT(STATUS_WAITING, c->expired) |
               PUT(STATUS_MEMORY_LOST, in->s_memory_lost) | PUT(STATUS_OUTSTANDING, c->owed);
    case ACE_MAP_INTERRUPT_STATUS: return c->events;
    case ACE_MAP_COMPLETION:
        return c->queued ? c->queue[c->queue_head] | PUT(COMPLETION_VALID, 1) : 0;
    case ACE_MAP_ERROR:
        return PUT(ERROR_CODE, c->error_code) | PUT(ERROR_RESPONSE, c->error_resp) |
               PUT(ERROR_VALID, c->error_valid) | PUT(ERROR_TAG, c->error_tag);
    case ACE_MAP_ERROR_ADDRESS_LOW: return low_of(c->error_address);
    case ACE_MAP_ERROR_ADDRESS_HIGH: return high_of(c->error_address);
    case ACE_MAP_COUNT_TAKEN: return c->taken;
    case ACE_MAP_COUNT_COMPLETED: return c->completed;
    case ACE_MAP_COUNT_REFUSED: return c->rejected;
    case ACE_MAP_COUNT_READ_ERRORS: return c->read_errors;
    case ACE_MAP_COUNT_WRITE_ERRORS: return c->write_errors;
    case ACE_MAP_COUNT_WATCHDOG: return c->expiries;
    case ACE_MAP_COUNT_LOW: return low_of(c->count);
    case ACE_MAP_COUNT_HIGH: return high_of(c->count);
    case ACE_MAP_COUNT_CORRECTED: return in->s_count_corrected;
    case ACE_MAP_COUNT_UNCORRECTABLE: return in->s_count_failed;
    case ACE_MAP_COUNT_REMOTE: return in->s_count_refused;
    case ACE_MAP_COUNT_PARITY: return in->s_count_parity;
    case ACE_MAP_LINK_STATE: return c->run ? in->s_link_state : 0;
    default: return ace_control_registers_read(&c->registers, address);
    }
#undef PUT
}

/* ---- writes ------------------------------------------------------------------ */

/* What a write does in its cycle, told before the edge. */
typedef struct write_effect {
    bool write, known, acts, stop, start, taken, refused, rejected, pop, clears_error, fetch, flip;
    unsigned code; /* of a doorbell */
    uint16_t clears;
    uint16_t tag;
    ace_axil_bits w;
} write_effect;

static write_effect effect_of(const ace_control *c, unsigned fault, bool lost) {
    write_effect e = { .write = ace_axil_slave_write(&c->axil, c->refused) };
    if (!e.write) return e;
    e.w = ace_axil_slave_m_write(&c->axil);
    const ace_access access = ace_control_registers_access(c->axil.aw_addr);
    e.known = access == ACE_ACCESS_rw || access == ACE_ACCESS_w1c || access == ACE_ACCESS_w1s ||
              access == ACE_ACCESS_wo || (access == ACE_ACCESS_cfg && !c->run && !c->start);
    e.known = e.known && is_there(c, c->axil.aw_addr) &&
              !ace_control_registers_locked(&c->registers, c->axil.aw_addr);
    e.acts = e.known && ace_axil_slave_writes(&c->axil);
    if (!e.acts) return e;
    switch (c->axil.aw_addr) {
    case ACE_MAP_CONTROL:
        e.stop = (c->axil.w_strb & 1) && !(c->axil.w_data & 1);
        e.start = (c->axil.w_strb & 1) && (c->axil.w_data & 1) && !c->run && !c->start;
        e.rejected =
            e.start && (lost || !ace_control_registers_m_sane(&c->registers, &c->parameters));
        break;
    case ACE_MAP_INTERRUPT_STATUS: e.clears = (uint16_t)e.w.set; break;
    case ACE_MAP_COMMAND_DOORBELL:
        e.code = verdict(c, fault);
        e.tag = (uint16_t)e.w.set;
        e.taken = e.code == ACE_CODE_NONE;
        e.refused = e.rejected = !e.taken;
        break;
    case ACE_MAP_COMPLETION_TAKE: e.pop = c->queued != 0; break;
    case ACE_MAP_ERROR: e.clears_error = ACE_MAP_GET(e.w.set, ERROR_VALID); break;
    case ACE_MAP_COUNT_SELECT: e.fetch = true; break;
    case ACE_MAP_FAULT_FLIP: e.flip = c->run; break;
    default: break;
    }
    return e;
}

/* ---- the rising edge --------------------------------------------------------- */

/* What the registers answer to what is on the pins. */
static void tick_axil(ace_control *c, const ace_control_in *in, const write_effect *e) {
    const ace_axil_in pins = { .s_axil_awvalid = in->s_axil_awvalid,
                               .s_axil_awaddr = in->s_axil_awaddr,
                               .s_axil_awprot = in->s_axil_awprot,
                               .s_axil_wvalid = in->s_axil_wvalid,
                               .s_axil_wdata = in->s_axil_wdata,
                               .s_axil_wstrb = in->s_axil_wstrb,
                               .s_axil_bready = in->s_axil_bready,
                               .s_axil_arvalid = in->s_axil_arvalid,
                               .s_axil_araddr = in->s_axil_araddr,
                               .s_axil_arprot = in->s_axil_arprot,
                               .s_axil_rready = in->s_axil_rready };
    ace_axil_answers answers = { .write = e->write, .write_known = e->known };
    if (ace_axil_slave_read(&c->axil, &pins)) {
        const ace_access access = ace_control_registers_access(in->s_axil_araddr);
        answers.read_known =
            access != ACE_ACCESS_wo && access != ACE_ACCESS_NONE && is_there(c, in->s_axil_araddr);
        answers.read_word = read_word(c, in, in->s_axil_araddr);
    }
    ace_axil_slave_tick(&c->axil, &pins, &answers);
}

/* What happens in a cycle beside a write. */
typedef struct happening {
    bool done, push, told; /* a completion: any that is queued, one that tells of a refusal */
    bool waits, expire;    /* the watchdog */
    bool read_failed, write_failed, mismatched, link_failed, lost, transfer, bad_list, parity;
    bool odd_answer, memory_lost;
    bool faults; /* one of these, or the watchdog */
} happening;

static happening look(const ace_control *c, const ace_control_in *in) {
    happening h = { .done = c->run && in->s_done_valid };

    h.told = c->refused && !h.done;
    h.push = h.done || h.told;
    h.waits = c->run && c->owed && !in->s_moved;
    h.expire = c->run && c->registers.patience && c->waited >= c->registers.patience && !c->expired;
    h.read_failed = c->run && in->s_read_failed && !c->read_seen;
    h.write_failed = c->run && in->s_write_failed && !c->write_seen;
    h.mismatched = c->run && in->s_mismatch && !c->mismatch_seen;
    h.link_failed = c->run && in->s_link_failed && !c->link_seen;
    h.lost = c->run && in->s_scratchpad_failed && !c->lost_seen;
    h.bad_list = c->run && list_failed(in) && !c->list_seen;
    h.transfer = h.bad_list || (c->run && in->s_transfer_failed && !c->transfer_seen);
    h.parity = c->run && in->s_parity_failed && !c->parity_seen;
    h.odd_answer = c->run && in->s_protocol_failed && !c->protocol_seen;
    h.memory_lost = in->s_memory_lost && !c->memory_seen;
    h.faults = h.odd_answer || h.memory_lost || h.read_failed || h.write_failed || h.mismatched ||
               h.link_failed || h.lost || h.transfer || h.parity || h.expire;
    return h;
}

static void tick_counters(ace_control *c, const ace_control_in *in, const write_effect *e,
                          const happening *h) {
    c->taken += e->taken;
    c->completed += h->done;
    c->rejected += e->rejected;
    c->read_errors += c->run && in->s_read_error;
    c->write_errors += c->run && in->s_write_error;
    c->expiries += h->expire;
    if (c->fetch) c->count = in->s_count;
    c->fetch = e->fetch;
}

/* held: a refused command waits for room in the queue. */
static void tick_completions(ace_control *c, const ace_control_in *in, const write_effect *e,
                             const happening *h, unsigned fault, bool held) {
    if (h->push)
        c->queue[(c->queue_head + c->queued) & (c->completions - 1)] =
            h->done ? fault << 16 | in->s_done_tag : c->refusal;
    c->queued += h->push;
    if (e->pop) {
        c->queue_head = (c->queue_head + 1) & (c->completions - 1);
        c->queued--;
    }
    c->owed = c->owed + e->taken - h->done;
    if (e->refused) c->refusal = e->code << 16 | e->tag;
    c->refused = held || (c->refused && !h->told);
}

static void tick_slot(ace_control *c, const ace_control_in *in, const write_effect *e) {
    c->cmd_valid = e->taken || (c->cmd_valid && !in->m_cmd_ready);
    if (!e->taken) return;
    c->cmd = c->registers.staged;
    c->cmd.source &= (1ull << 48) - 1;
    c->cmd.destination &= (1ull << 48) - 1;
    c->cmd.tag = e->tag;
}

/* The first error is kept until it is cleared. */
static void tick_error(ace_control *c, const ace_control_in *in, const write_effect *e,
                       const happening *h) {
    if ((h->faults || e->rejected) && (!c->error_valid || e->clears_error)) {
        c->error_code = (uint8_t)(h->read_failed      ? ACE_CODE_READ_ERROR
                                  : h->write_failed   ? ACE_CODE_WRITE_ERROR
                                  : h->odd_answer     ? ACE_CODE_MEMORY_PROTOCOL
                                  : h->mismatched     ? ACE_CODE_MISMATCH
                                  : h->link_failed    ? link_code(in)
                                  : h->lost           ? ACE_CODE_SCRATCHPAD_ERROR
                                  : h->bad_list       ? ACE_CODE_BAD_LIST
                                  : h->transfer       ? ACE_CODE_BAD_REMOTE
                                  : h->parity         ? ACE_CODE_PARITY_ERROR
                                  : h->expire         ? ACE_CODE_WATCHDOG
                                  : h->memory_lost    ? ACE_CODE_MEMORY_LOST
                                  : e->refused        ? e->code
                                  : in->s_memory_lost ? ACE_CODE_MEMORY_LOST
                                                      : ACE_CODE_BAD_CONFIGURATION);
        c->error_resp = h->read_failed    ? in->s_read_failed_resp
                        : h->write_failed ? in->s_write_failed_resp
                                          : ACE_OKAY;
        c->error_tag = h->faults ? 0 : e->tag;
        c->error_address =
            h->read_failed                    ? in->s_read_failed_addr
            : h->write_failed                 ? in->s_write_failed_addr
            : h->odd_answer                   ? in->s_protocol_failed_addr
            : h->mismatched || h->link_failed ? 0
            : h->lost ? (uint64_t)in->s_scratchpad_failed_bank << 12 | in->s_scratchpad_failed_row
            : h->transfer ? in->s_transfer_failed_addr
            : h->parity   ? in->s_parity_failed_at
                          : 0;
    }
    c->error_valid = (c->error_valid && !e->clears_error) || h->faults || e->rejected;
}

static void tick_events(ace_control *c, const ace_control_in *in, const write_effect *e,
                        const happening *h) {
    c->events = (uint16_t)((c->events & ~e->clears) | h->push << EVENT_COMPLETION |
                           e->rejected << EVENT_REFUSED | h->read_failed << EVENT_READ |
                           h->write_failed << EVENT_WRITE | h->expire << EVENT_WATCHDOG |
                           h->mismatched << EVENT_MISMATCH | h->link_failed << EVENT_LINK |
                           h->lost << EVENT_SCRATCHPAD | h->transfer << EVENT_TRANSFER |
                           h->parity << EVENT_PARITY | h->odd_answer << EVENT_PROTOCOL |
                           h->memory_lost << EVENT_MEMORY);
    c->read_seen = c->run && in->s_read_failed;
    c->write_seen = c->run && in->s_write_failed;
    c->protocol_seen = c->run && in->s_protocol_failed;
    c->mismatch_seen = c->run && in->s_mismatch;
    c->link_seen = c->run && in->s_link_failed;
    c->lost_seen = c->run && in->s_scratchpad_failed;
    c->transfer_seen = c->run && in->s_transfer_failed;
    c->list_seen = c->run && list_failed(in);
    c->parity_seen = c->run && in->s_parity_failed;
    c->expired = h->waits && (c->expired || h->expire);
    c->waited = h->waits ? c->waited + (c->waited != UINT32_MAX) : 0;
}

void ace_control_tick(ace_control *c, const ace_control_in *in) {
    /* all of it from the state before the edge */
    const unsigned fault = fault_of(c, in);
    const write_effect e = effect_of(c, fault, in->s_memory_lost);
    const happening h = look(c, in);
    const bool held = e.refused && !is_full(c);
    const unsigned address = c->axil.aw_addr;

    tick_axil(c, in, &e); /* first: a read sees the registers as they are */
    tick_counters(c, in, &e, &h);
    tick_completions(c, in, &e, &h, fault, held);
    tick_slot(c, in, &e);
    tick_error(c, in, &e, &h);
    tick_events(c, in, &e, &h);
    c->fault_valid = e.flip;
    if (e.flip) c->fault_mask = e.w.set;
    if (e.acts) ace_control_registers_write(&c->registers, address, e.w);
    if (c->start || (e.start && !e.rejected)) {
        c->run = !in->s_memory_busy && !in->s_memory_lost;
        c->start = in->s_memory_busy && !in->s_memory_lost;
    }
    if (e.stop) forget(c);
    c->memory_seen = in->s_memory_lost; /* told once, and until rst */
}
