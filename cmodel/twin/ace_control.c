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

int ace_control_create(const ace_parameters *p, unsigned completions, unsigned triggers,
                       bool fault_registers, ace_control **control) {
    if (completions < 2 || completions > ACE_CONTROL_COMPLETIONS_MAX ||
        (completions & (completions - 1)))
        return ACE_EINVAL;
    ace_control *c = calloc(1, sizeof *c);
    if (!c) return ACE_ENOMEM;
    c->parameters = *p;
    c->completions = completions;
    c->fault_registers = fault_registers;
    c->queue = calloc(completions, sizeof *c->queue);
    const int err =
        c->queue ? ace_trigger_init(&c->trigger, triggers, ACE_TRIGGER_DRAIN_LIMIT) : ACE_ENOMEM;
    if (err) {
        ace_control_destroy(c);
        return err;
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
                        .trigger = old.trigger,
                        .queue = old.queue };
    ace_control_registers_reset(&c->registers);
    ace_trigger_reset(&c->trigger);
}

/* Clears everything that a stop resets. */
static void forget(ace_control *c) {
    c->run = c->start = c->cmd_valid = c->refused = c->expired = c->error_valid = false;
    c->read_seen = c->write_seen = c->mismatch_seen = c->link_seen = c->lost_seen = false;
    c->transfer_seen = c->list_seen = c->parity_seen = c->protocol_seen = false;
    c->before = 0;
    c->owed = c->queued = c->queue_head = c->waited = 0;
    c->events = c->error_code = c->error_resp = 0;
    c->error_tag = 0;
    c->error_address = 0;
}

void ace_control_state(ace_control *c, ace_state *s) {
    ACE_STATE_BUT(s, *c, &c->queue);
    ace_state_bytes(s, c->queue, c->completions * sizeof *c->queue);
    if (s->loading && !ace_trigger_is_sane(&c->trigger)) s->failed = true;
}

void ace_control_config(const ace_control *c, ace_config *to) {
    ace_control_registers_m_cfg(&c->registers, to);
}

static bool no_command(const ace_control *c) { return !c->cmd_valid && !c->refused && !c->owed; }

bool ace_control_idle(const ace_control *c) {
    return !c->start && ace_axil_slave_idle(&c->axil) && ace_trigger_idle(&c->trigger) &&
           no_command(c) && !c->waited && !c->fetch && !c->fault_valid;
}

/* Returns the slots' pins that do not depend on a write. */
static ace_trigger_in slots_in(const ace_control *c) {
    const ace_control_registers *r = &c->registers;
    return (ace_trigger_in){ .s_run = c->run,
                             .cfg_enable = ACE_MAP_GET(r->trigger, CONFIG_TRIGGER_ENABLE),
                             .cfg_tag = (uint16_t)ACE_MAP_GET(r->trigger, CONFIG_TRIGGER_TAG),
                             .cfg_flag_first = r->flag_first,
                             .cfg_flag_last = r->flag_last };
}

static bool from_slot(const ace_control *c) {
    return c->trigger.cmd_valid && (!c->cmd_valid || c->older);
}

/* The command that goes next, and the flag. */
static void eval_slots(const ace_control *c, ace_control_out *o) {
    const ace_trigger_in in = slots_in(c);
    ace_trigger_out t;
    ace_trigger_eval(&c->trigger, &in, &t);
    if (from_slot(c)) {
        o->m_cmd_kind = t.m_cmd_kind;
        o->m_cmd_type = t.m_cmd_type;
        o->m_cmd_op = t.m_cmd_op;
        o->m_cmd_scale = t.m_cmd_scale;
        o->m_cmd_dim_count = t.m_cmd_dim_count;
        o->m_cmd_dims = t.m_cmd_dims;
        o->m_cmd_source = t.m_cmd_source;
        o->m_cmd_destination = t.m_cmd_destination;
        o->m_cmd_bytes = t.m_cmd_bytes;
        o->m_cmd_tag = t.m_cmd_tag;
    }
    o->m_cmd_valid = t.m_cmd_valid || (c->cmd_valid && !c->before);
    o->m_flag_aw_valid = t.m_flag_aw_valid;
    o->m_flag_aw_addr = t.m_flag_aw_addr;
    o->m_flag_aw_len = t.m_flag_aw_len;
    o->m_flag_aw_size = t.m_flag_aw_size;
    o->m_flag_aw_burst = t.m_flag_aw_burst;
    o->m_flag_aw_prot = t.m_flag_aw_prot;
    o->m_flag_w_valid = t.m_flag_w_valid;
    o->m_flag_w_data = t.m_flag_w_data;
    o->m_flag_w_strb = t.m_flag_w_strb;
    o->m_flag_w_last = t.m_flag_w_last;
    o->s_flag_b_ready = t.s_flag_b_ready;
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
    o->m_cfg_class_tag = ACE_MAP_GET(r->classes, CONFIG_CLASSES_TAG);
    o->m_cfg_class_weight = (uint8_t)(r->classes >> ACE_MAP_CONFIG_CLASSES_WEIGHT_0_LOW);
    o->m_cfg_window = ACE_MAP_GET(r->classes, CONFIG_CLASSES_WINDOW);
    o->m_cfg_share = r->share;
    o->m_cfg_wire = r->wire;
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
    o->m_cfg_silence = r->silence;
    memcpy(o->m_cfg_window_first, r->window_first, sizeof r->window_first);
    memcpy(o->m_cfg_window_last, r->window_last, sizeof r->window_last);
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
    eval_slots(c, o);
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

static bool write_failed(const ace_control *c, const ace_control_in *in) {
    return in->s_write_failed || c->trigger.failed;
}
static bool protocol_failed(const ace_control *c, const ace_control_in *in) {
    return in->s_protocol_failed || c->trigger.protocol;
}
static bool memory_busy(const ace_control *c, const ace_control_in *in) {
    return in->s_memory_busy || c->trigger.waits;
}
static bool memory_lost(const ace_control *c, const ace_control_in *in) {
    return in->s_memory_lost || c->trigger.lost;
}

static unsigned fault_of(const ace_control *c, const ace_control_in *in) {
    if (!c->run) return ACE_CODE_NONE;
    return in->s_read_failed         ? ACE_CODE_READ_ERROR
           : write_failed(c, in)     ? ACE_CODE_WRITE_ERROR
           : protocol_failed(c, in)  ? ACE_CODE_MEMORY_PROTOCOL
           : in->s_mismatch          ? ACE_CODE_MISMATCH
           : in->s_link_failed       ? link_code(in)
           : in->s_scratchpad_failed ? ACE_CODE_SCRATCHPAD_ERROR
           : list_failed(in)         ? ACE_CODE_BAD_LIST
           : in->s_parity_failed     ? ACE_CODE_PARITY_ERROR
                                     : ACE_CODE_NONE;
}

/* room: of the command, which is kept in a slot else. */
static unsigned verdict(const ace_control *c, unsigned fault, bool room) {
    const ace_doorbell_check_in in = { .s_running = c->run,
                                       .s_failed = fault != ACE_CODE_NONE,
                                       .s_full = room && (is_full(c) || c->cmd_valid),
                                       .s_wire = c->registers.wire };
    return ace_doorbell_check(&c->parameters, &in, &c->registers.staged);
}

/* ---- reads ------------------------------------------------------------------- */

static uint32_t low_of(uint64_t value) { return (uint32_t)value; }
static uint32_t high_of(uint64_t value) { return (uint32_t)(value >> 32); }

static uint32_t slots_state(const ace_control *c) {
    const ace_trigger_in in = slots_in(c);
    ace_trigger_out t;
    ace_trigger_eval(&c->trigger, &in, &t);
    return ACE_MAP_PUT(t.m_slots_armed, TRIGGER_STATE_ARMED) |
           ACE_MAP_PUT(t.m_slots_busy, TRIGGER_STATE_BUSY);
}

/* Long: one case a register, as in the map. */
static uint32_t read_word(const ace_control *c, const ace_control_in *in, unsigned address) {
#define PUT(field, value) ACE_MAP_PUT(value, field)
    const ace_parameters *p = &c->parameters;
    const unsigned fault = fault_of(c, in);
    switch (address) {
    case ACE_MAP_ID: return 0x41434520;
    case ACE_MAP_VERSION: return 0x00030005;
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
        return PUT(BUILT_ALU_TYPES, p->alu_types) | PUT(BUILT_ALU_OPS, p->alu_ops) |
               PUT(BUILT_ALU_FORMATS, p->wire_formats);
    case ACE_MAP_BUILT_HUB: return PUT(BUILT_HUB_PEERS, p->peers);
    case ACE_MAP_BUILT_COMMANDS:
        return PUT(BUILT_COMMANDS_KINDS, ACE_CONTROL_KINDS) |
               PUT(BUILT_COMMANDS_TYPES, ACE_CONTROL_TYPES) |
               PUT(BUILT_COMMANDS_OPS, ACE_CONTROL_OPS) |
               PUT(BUILT_COMMANDS_DIMENSIONS, p->dimensions);
    case ACE_MAP_BUILT_TRIGGERS: return PUT(BUILT_TRIGGERS_SLOTS, c->trigger.slots);
    case ACE_MAP_TRIGGER_STATE: return slots_state(c);
    case ACE_MAP_CONTROL: return PUT(CONTROL_RUN, c->run || c->start);
    case ACE_MAP_STATUS:
        return PUT(STATUS_RUNNING, c->run) |
               PUT(STATUS_IDLE, no_command(c) && (!c->run || in->s_core_idle)) |
               PUT(STATUS_ROOM, c->run && !fault && !is_full(c) && !c->cmd_valid) |
               PUT(STATUS_COMPLETION, c->queued != 0) | PUT(STATUS_FAILED, fault != 0) |
               PUT(STATUS_MEMORY_BUSY, memory_busy(c, in)) | PUT(STATUS_WAITING, c->expired) |
               PUT(STATUS_MEMORY_LOST, memory_lost(c, in)) | PUT(STATUS_OUTSTANDING, c->owed);
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

/* The effects of a write in its cycle, computed before the edge. */
typedef struct write_effect {
    bool write, known, acts, stop, start, taken, refused, rejected, pop, clears_error, fetch, flip;
    bool prepares, arms, stores; /* a slot */
    unsigned code;               /* of a doorbell */
    uint16_t clears;
    uint16_t tag;
    ace_axil_bits w;
} write_effect;

/* A doorbell with such a tag would be taken for a slot's command. */
static bool tag_of_slot(const ace_control *c, uint16_t tag) {
    const ace_trigger_in in = slots_in(c);
    return in.cfg_enable && !((tag ^ in.cfg_tag) & ~(c->trigger.slots - 1) & 0xffff);
}

/* Sets the slots' pins for a write to one of their registers. */
static void slot_pins(const ace_control *c, const write_effect *e, ace_trigger_in *in) {
    const ace_control_registers *r = &c->registers;
    const ace_control_command *s = &r->staged;
    const uint32_t rule = r->rule;
    in->s_write_prepare = c->axil.aw_addr == ACE_MAP_TRIGGER_PREPARE;
    in->s_write_arm = c->axil.aw_addr == ACE_MAP_TRIGGER_ARM;
    in->s_prepare = e->prepares;
    in->s_arm = e->arms;
    in->s_store = e->stores;
    in->s_slot = (uint8_t)ACE_MAP_GET(e->w.set, TRIGGER_PREPARE_SLOT);
    in->s_armed = ACE_MAP_GET(e->w.set, TRIGGER_ARM_ARMED);
    in->s_stores = (uint16_t)ACE_MAP_GET(e->w.set, TRIGGER_STORE_COUNT);
    in->s_kind = s->kind;
    in->s_type = s->type;
    in->s_op = s->op;
    in->s_scale = s->scale;
    in->s_dim_count = s->dim_count;
    in->s_dims = s->dims;
    in->s_source = s->source & ((1ull << 48) - 1);
    in->s_destination = s->destination & ((1ull << 48) - 1);
    in->s_bytes = s->bytes & ((1ull << 41) - 1);
    in->s_flag = r->flag;
    in->s_value = r->value;
    in->s_threshold = (uint16_t)ACE_MAP_GET(rule, TRIGGER_RULE_THRESHOLD);
    in->s_next = (uint8_t)ACE_MAP_GET(rule, TRIGGER_RULE_NEXT);
    in->s_chains = ACE_MAP_GET(rule, TRIGGER_RULE_CHAIN);
    in->s_repeats = ACE_MAP_GET(rule, TRIGGER_RULE_REPEAT);
    in->s_flags = ACE_MAP_GET(rule, TRIGGER_RULE_FLAG);
    in->s_queues = ACE_MAP_GET(rule, TRIGGER_RULE_QUEUE);
}

static void slot_written(const ace_control *c, unsigned fault, write_effect *e) {
    const unsigned address = c->axil.aw_addr;
    ace_trigger_in in = slots_in(c);
    ace_trigger_out out;
    slot_pins(c, e, &in);
    ace_trigger_eval(&c->trigger, &in, &out);
    e->code = !c->run ? ACE_CODE_STOPPED : fault ? ACE_CODE_FAILED : ACE_CODE_NONE;
    if (address == ACE_MAP_TRIGGER_PREPARE) e->code = verdict(c, fault, false);
    if (!e->code) e->code = out.m_code;
    e->tag =
        (uint16_t)((in.cfg_tag & ~(c->trigger.slots - 1)) | (in.s_slot & (c->trigger.slots - 1)));
    e->prepares = !e->code && address == ACE_MAP_TRIGGER_PREPARE;
    e->arms = !e->code && address == ACE_MAP_TRIGGER_ARM;
    e->stores = !e->code && address == ACE_MAP_TRIGGER_STORE;
    e->refused = e->rejected = e->code != ACE_CODE_NONE;
}

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
        e.tag = (uint16_t)e.w.set;
        e.code = verdict(c, fault, true);
        if (!e.code && tag_of_slot(c, e.tag)) e.code = ACE_CODE_BAD_TRIGGER;
        e.taken = e.code == ACE_CODE_NONE;
        e.refused = e.rejected = !e.taken;
        break;
    case ACE_MAP_TRIGGER_PREPARE:
    case ACE_MAP_TRIGGER_ARM:
    case ACE_MAP_TRIGGER_STORE: slot_written(c, fault, &e); break;
    case ACE_MAP_COMPLETION_TAKE: e.pop = c->queued != 0; break;
    case ACE_MAP_ERROR: e.clears_error = ACE_MAP_GET(e.w.set, ERROR_VALID); break;
    case ACE_MAP_COUNT_SELECT: e.fetch = true; break;
    case ACE_MAP_FAULT_FLIP: e.flip = c->run; break;
    default: break;
    }
    return e;
}

/* ---- the rising edge --------------------------------------------------------- */

/* Ticks the AXI-Lite port with the registers' answers. */
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

/* The events of a cycle other than a write. */
typedef struct happening {
    bool done, push, reported; /* a completion: any that is queued; one that reports a refusal */
    bool fires, retires;       /* a slot */
    uint16_t ready, fires_bit;
    uint32_t completion; /* code << 16 | tag */
    bool waits, expire;  /* the watchdog */
    bool read_failed, write_failed, mismatched, link_failed, lost, transfer, bad_list, parity;
    bool odd_answer, memory_lost;
    bool faults;                 /* one of these, or the watchdog */
    bool flag_moved, flag_error; /* at the memory's pins of flags */
} happening;

/* Evaluates the slots in a cycle. Sets *pins for the edge. */
static void look_at_slots(const ace_control *c, const ace_control_in *in, unsigned fault,
                          const write_effect *e, happening *h, ace_trigger_in *pins) {
    ace_trigger_out out;
    *pins = slots_in(c);
    if (e->acts) slot_pins(c, e, pins);
    pins->s_run = c->run && !e->stop;
    pins->s_room = c->run && !fault && !e->acts &&
                   c->owed + c->queued + c->refused + !c->cmd_valid < c->completions;
    pins->s_cmd_ready = in->m_cmd_ready && from_slot(c);
    pins->s_done_valid = c->run && in->s_done_valid;
    pins->s_done_tag = in->s_done_tag;
    pins->s_failed = fault != ACE_CODE_NONE;
    pins->m_flag_aw_ready = in->m_flag_aw_ready;
    pins->m_flag_w_ready = in->m_flag_w_ready;
    pins->s_flag_b_valid = in->s_flag_b_valid;
    pins->s_flag_b_resp = in->s_flag_b_resp;
    ace_trigger_eval(&c->trigger, pins, &out);
    const bool here = pins->s_done_valid && !out.m_mine;
    h->retires = out.m_retire_valid && c->run && !here && !e->acts;
    pins->s_retire_ready = h->retires;
    h->fires = out.m_fires;
    h->ready = out.m_ready;
    h->fires_bit = (uint16_t)(out.m_fires << out.m_fires_slot);
    h->done = here || h->retires;
    h->push = here || (h->retires && (out.m_retire_queues || out.m_retire_lost || fault));
    const unsigned code = h->retires && out.m_retire_lost && !fault ? ACE_CODE_BAD_TRIGGER : fault;
    h->completion = code << 16 | (h->retires ? out.m_retire_tag : in->s_done_tag);
    h->flag_moved = (out.m_flag_aw_valid && in->m_flag_aw_ready) ||
                    (out.m_flag_w_valid && in->m_flag_w_ready) || in->s_flag_b_valid;
    h->flag_error = out.m_write_error;
}

static happening look(const ace_control *c, const ace_control_in *in, unsigned fault,
                      const write_effect *e, ace_trigger_in *pins) {
    happening h = { 0 };

    look_at_slots(c, in, fault, e, &h, pins);
    h.reported = c->refused && !h.done;
    h.push |= h.reported;
    h.waits = c->run && c->owed && !in->s_moved && !h.flag_moved;
    h.expire = c->run && c->registers.patience && c->waited >= c->registers.patience && !c->expired;
    h.read_failed = c->run && in->s_read_failed && !c->read_seen;
    h.write_failed = c->run && write_failed(c, in) && !c->write_seen;
    h.mismatched = c->run && in->s_mismatch && !c->mismatch_seen;
    h.link_failed = c->run && in->s_link_failed && !c->link_seen;
    h.lost = c->run && in->s_scratchpad_failed && !c->lost_seen;
    h.bad_list = c->run && list_failed(in) && !c->list_seen;
    h.transfer = h.bad_list || (c->run && in->s_transfer_failed && !c->transfer_seen);
    h.parity = c->run && in->s_parity_failed && !c->parity_seen;
    h.odd_answer = c->run && protocol_failed(c, in) && !c->protocol_seen;
    h.memory_lost = memory_lost(c, in) && !c->memory_seen;
    h.faults = h.odd_answer || h.memory_lost || h.read_failed || h.write_failed || h.mismatched ||
               h.link_failed || h.lost || h.transfer || h.parity || h.expire;
    return h;
}

static void tick_counters(ace_control *c, const ace_control_in *in, const write_effect *e,
                          const happening *h) {
    c->taken += e->taken || h->fires;
    c->completed += h->done;
    c->rejected += e->rejected;
    c->read_errors += c->run && in->s_read_error;
    c->write_errors += (c->run && in->s_write_error) + (c->run && h->flag_error);
    c->expiries += h->expire;
    if (c->fetch) c->count = in->s_count;
    c->fetch = e->fetch;
}

/* held: a refused command waits for room in the queue. */
static void tick_completions(ace_control *c, const write_effect *e, const happening *h, bool held) {
    if (h->push)
        c->queue[(c->queue_head + c->queued) & (c->completions - 1)] =
            h->done ? h->completion : c->refusal;
    c->queued += h->push;
    if (e->pop) {
        c->queue_head = (c->queue_head + 1) & (c->completions - 1);
        c->queued--;
    }
    c->owed = c->owed + (e->taken || h->fires) - h->done;
    if (e->refused) c->refusal = e->code << 16 | e->tag;
    c->refused = held || (c->refused && !h->reported);
}

static void tick_slot(ace_control *c, const ace_control_in *in, const write_effect *e,
                      const happening *h) {
    const bool leaves = c->cmd_valid && !c->before && !from_slot(c) && in->m_cmd_ready;
    if (e->taken || h->fires) c->older = e->taken || (c->before & h->fires_bit);
    c->before = e->taken ? h->ready : (uint16_t)(c->before & h->ready & ~h->fires_bit);
    c->cmd_valid = e->taken || (c->cmd_valid && !leaves);
    if (!e->taken) return;
    c->cmd = c->registers.staged;
    c->cmd.source &= (1ull << 48) - 1;
    c->cmd.destination &= (1ull << 48) - 1;
    c->cmd.tag = e->tag;
}

/* The first error is kept until it is cleared. */
static void tick_error(ace_control *c, const ace_control_in *in, const write_effect *e,
                       const happening *h) {
    const uint64_t flag = c->trigger.failed_addr;
    const uint64_t write_address = in->s_write_failed ? in->s_write_failed_addr : flag;
    const uint64_t odd_address = in->s_protocol_failed ? in->s_protocol_failed_addr : flag;
    if ((h->faults || e->rejected) && (!c->error_valid || e->clears_error)) {
        c->error_code = (uint8_t)(h->read_failed       ? ACE_CODE_READ_ERROR
                                  : h->write_failed    ? ACE_CODE_WRITE_ERROR
                                  : h->odd_answer      ? ACE_CODE_MEMORY_PROTOCOL
                                  : h->mismatched      ? ACE_CODE_MISMATCH
                                  : h->link_failed     ? link_code(in)
                                  : h->lost            ? ACE_CODE_SCRATCHPAD_ERROR
                                  : h->bad_list        ? ACE_CODE_BAD_LIST
                                  : h->transfer        ? ACE_CODE_BAD_REMOTE
                                  : h->parity          ? ACE_CODE_PARITY_ERROR
                                  : h->expire          ? ACE_CODE_WATCHDOG
                                  : h->memory_lost     ? ACE_CODE_MEMORY_LOST
                                  : e->refused         ? e->code
                                  : memory_lost(c, in) ? ACE_CODE_MEMORY_LOST
                                                       : ACE_CODE_BAD_CONFIGURATION);
        c->error_resp = h->read_failed       ? in->s_read_failed_resp
                        : !h->write_failed   ? ACE_OKAY
                        : in->s_write_failed ? in->s_write_failed_resp
                                             : c->trigger.failed_resp;
        c->error_tag = h->faults ? 0 : e->tag;
        c->error_address =
            h->read_failed    ? in->s_read_failed_addr
            : h->write_failed ? write_address
            : h->odd_answer   ? odd_address
            : h->mismatched   ? 0
            : h->link_failed  ? in->s_link_failed
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
    c->write_seen = c->run && write_failed(c, in);
    c->protocol_seen = c->run && protocol_failed(c, in);
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
    const bool lost = memory_lost(c, in), busy = memory_busy(c, in);
    ace_trigger_in slots;
    const write_effect e = effect_of(c, fault, lost);
    const happening h = look(c, in, fault, &e, &slots);
    const bool held = e.refused && !is_full(c);
    const unsigned address = c->axil.aw_addr;

    tick_axil(c, in, &e); /* first: a read sees the registers as they are */
    tick_counters(c, in, &e, &h);
    tick_completions(c, &e, &h, held);
    tick_slot(c, in, &e, &h);
    tick_error(c, in, &e, &h);
    tick_events(c, in, &e, &h);
    ace_trigger_tick(&c->trigger, &slots);
    c->fault_valid = e.flip;
    if (e.flip) c->fault_mask = e.w.set;
    if (e.acts) ace_control_registers_write(&c->registers, address, e.w);
    if (c->start || (e.start && !e.rejected)) {
        c->run = !busy && !lost;
        c->start = busy && !lost;
    }
    if (e.stop) forget(c);
    c->memory_seen = lost; /* reported once until rst */
}
