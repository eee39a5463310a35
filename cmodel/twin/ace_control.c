/* SPDX-License-Identifier: Apache-2.0 */
#include "ace_control.h"

#include <stdlib.h>

#define ADDRESS_END  ((1ull << 48) - (128u << 10))
#define EXCHANGE_END ((1ull << 48) - (64ull << 30))
#define ROUTED_END   ((1ull << 40) - (64ull << 30))

enum {
    EVENT_COMPLETION,
    EVENT_REFUSED,
    EVENT_READ,
    EVENT_WRITE,
    EVENT_WATCHDOG,
    EVENT_MISMATCH,
    EVENT_LINK,
    EVENT_SCRATCHPAD,
    EVENT_TRANSFER
};
enum access { ro, rw, cfg, w1c, wo, unknown };

/* A word of the FSMs' programs? */
static bool is_program(unsigned address) {
    return address >> 9 == ACE_MAP_PROGRAM >> 9 && address % 4 == 0;
}

static enum access access_of(unsigned address) {
    switch (address) {
#define X(name, offset, access, reset, mask) \
    case offset: return access;
        ACE_MAP_LIST(X)
#undef X
    default: return is_program(address) ? cfg : unknown;
    }
}

int ace_control_create(const ace_parameters *p, unsigned completions, ace_control **control) {
    if (completions < 2 || completions > ACE_CONTROL_COMPLETIONS_MAX ||
        (completions & (completions - 1)))
        return ACE_EINVAL;
    ace_control *c = calloc(1, sizeof *c);
    if (!c) return ACE_ENOMEM;
    c->parameters = *p;
    c->completions = completions;
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
                        .queue = old.queue,
                        .chunk_rows = 256,
                        .memory_latency = 2,
                        .ring = 0x01010101,
                        .link_cost = { ACE_COST_ONE, ACE_COST_ONE, ACE_COST_ONE, ACE_COST_ONE },
                        .read_cost = ACE_COST_ONE,
                        .write_cost = ACE_COST_ONE,
                        .window_last = { UINT32_MAX, UINT32_MAX } };
}

/* What a stop forgets. */
static void forget(ace_control *c) {
    c->run = c->start = c->cmd_valid = c->refused = c->expired = c->error_valid = false;
    c->read_seen = c->write_seen = c->mismatch_seen = c->link_seen = c->lost_seen = false;
    c->transfer_seen = false;
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
    *to = (ace_config){ .chunk_rows = c->chunk_rows,
                        .read_cost = c->read_cost,
                        .write_cost = c->write_cost,
                        .memory_latency = c->memory_latency,
                        .retry = c->retry,
                        .order = c->fifo ? ACE_FIFO : ACE_LIFO };
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        to->ring[d] = (uint8_t)(c->ring >> 8 * d);
        to->rank[d] = (uint8_t)(c->rank >> 8 * d);
        to->link_cost[d] = c->link_cost[d];
    }
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) to->hub[d] = c->hub >> d & 1;
    for (unsigned w = 0; w < ACE_WINDOWS; w++) {
        to->window_first[w] = c->window_first[w];
        to->window_after[w] = UINT32_MAX - c->window_last[w];
    }
    memcpy(to->program, c->program, sizeof to->program);
    memcpy(to->partition_rows, c->partition_rows, sizeof to->partition_rows);
}

static bool config_sane(const ace_control *c) {
    unsigned rows = 0;
    for (unsigned p = 0; p < ACE_PARTITIONS; p++) rows += c->partition_rows[p];
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        const unsigned ring = c->ring >> 8 * d & 0xff, rank = c->rank >> 8 * d & 0xff;
        if (d >= c->parameters.dimensions && ring != 1) return false;
        if (ring < 1 || ring > (c->hub >> d & 1 ? 16u : 128u) || rank >= ring ||
            (ring > 1 && c->link_cost[d] < ACE_COST_ONE))
            return false;
    }
    return c->chunk_rows >= 1 && c->chunk_rows <= 1024 && rows <= c->parameters.bank_rows &&
           c->read_cost >= ACE_COST_ONE && c->write_cost >= ACE_COST_ONE && c->memory_latency >= 2;
}

static bool no_command(const ace_control *c) { return !c->cmd_valid && !c->refused && !c->owed; }

bool ace_control_idle(const ace_control *c) {
    return !c->start && !c->aw_full && !c->w_full && !c->b_valid && !c->r_valid && no_command(c) &&
           !c->waited && !c->fetch && !c->fault_valid;
}

void ace_control_eval(const ace_control *c, ace_control_out *o) {
    o->s_axil_awready = !c->aw_full;
    o->s_axil_wready = !c->w_full;
    o->s_axil_bvalid = c->b_valid;
    o->s_axil_bresp = c->b_resp;
    o->s_axil_arready = !c->r_valid;
    o->s_axil_rvalid = c->r_valid;
    o->s_axil_rdata = c->r_data;
    o->s_axil_rresp = c->r_resp;
    o->irq = (c->events & c->enable) != 0;
    o->m_core_rst = !c->run;
    memcpy(o->m_cfg_program, c->program, sizeof c->program);
    o->m_cfg_hub = c->hub;
    o->m_cfg_fifo = c->fifo;
    o->m_cfg_ring = c->ring;
    o->m_cfg_rank = c->rank;
    o->m_cfg_chunk_rows = c->chunk_rows;
    memcpy(o->m_cfg_partition_rows, c->partition_rows, sizeof c->partition_rows);
    memcpy(o->m_cfg_link_cost, c->link_cost, sizeof c->link_cost);
    o->m_cfg_read_cost = c->read_cost;
    o->m_cfg_write_cost = c->write_cost;
    o->m_cfg_memory_latency = c->memory_latency;
    o->m_cfg_retry = c->retry;
    memcpy(o->m_cfg_window_first, c->window_first, sizeof c->window_first);
    memcpy(o->m_cfg_window_last, c->window_last, sizeof c->window_last);
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
    o->m_fault_bank = (uint8_t)ACE_MAP_GET(c->fault_place, FAULT_PLACE_BANK);
    o->m_fault_row = (uint16_t)ACE_MAP_GET(c->fault_place, FAULT_PLACE_ROW);
    o->m_fault_word = (uint8_t)ACE_MAP_GET(c->fault_place, FAULT_PLACE_WORD);
    o->m_fault_mask = c->fault_mask;
    o->m_count_index = c->index;
    o->idle = ace_control_idle(c);
}

/* ---- what a doorbell is answered --------------------------------------------- */

static bool is_full(const ace_control *c) {
    return c->owed + c->queued + c->refused >= c->completions;
}

static unsigned transfer_code(const ace_control_in *in) {
    return in->s_transfer_failed_list ? ACE_CODE_BAD_LIST : ACE_CODE_BAD_REMOTE;
}

static unsigned fault_of(const ace_control *c, const ace_control_in *in) {
    if (!c->run) return ACE_CODE_NONE;
    return in->s_read_failed         ? ACE_CODE_READ_ERROR
           : in->s_write_failed      ? ACE_CODE_WRITE_ERROR
           : in->s_mismatch          ? ACE_CODE_MISMATCH
           : in->s_link_failed       ? ACE_CODE_LINK_FAILED
           : in->s_scratchpad_failed ? ACE_CODE_SCRATCHPAD_ERROR
           : in->s_transfer_failed   ? transfer_code(in)
                                     : ACE_CODE_NONE;
}

static bool dims_good(const ace_control_command *s, unsigned dimensions) {
    unsigned seen = 0;
    if (s->dim_count > dimensions) return false;
    for (unsigned i = 0; i < s->dim_count; i++) {
        const unsigned dim = s->dims >> 2 * i & 3;
        if (dim >= dimensions || seen >> dim & 1) return false;
        seen |= 1u << dim;
    }
    return true;
}

/* Addresses have 64 bits here: start + bytes may not wrap. */
static bool ends_after(uint64_t start, uint64_t bytes, uint64_t end) {
    return start > end || bytes > end - start;
}

static unsigned verdict(const ace_control *c, unsigned fault) {
    const ace_control_command *s = &c->staged;
    const bool routed = s->kind == ACE_ALL_TO_ALL;
    const bool list = s->kind == ACE_LIST; /* whole rows of transfers, maybe none; no destination */
    const bool reduces = s->kind < ACE_ALL_GATHER; /* what asks for an ALU's type and operation */
    const unsigned types = c->parameters.alu_types, ops = c->parameters.alu_ops;
    if (!c->run) return ACE_CODE_STOPPED;
    if (fault) return ACE_CODE_FAILED;
    if (is_full(c) || c->cmd_valid) return ACE_CODE_QUEUE_FULL;
    if (s->kind >= ACE_CONTROL_KINDS) return ACE_CODE_BAD_KIND;
    if (s->type >= ACE_CONTROL_TYPES || (reduces && !(types >> s->type & 1)))
        return ACE_CODE_BAD_TYPE;
    if (s->op >= ACE_CONTROL_OPS || (reduces && !(ops >> s->op & 1))) return ACE_CODE_BAD_OP;
    if (!dims_good(s, c->parameters.dimensions)) return ACE_CODE_BAD_DIMENSIONS;
    if (s->source % ACE_ROW_BYTES || (!list && (s->source | s->destination) % 4096))
        return ACE_CODE_BAD_ALIGNMENT;
    if ((s->bytes == 0 && !list) || s->bytes > 1ull << 40) return ACE_CODE_BAD_SIZE;
    if (ends_after(s->source, s->bytes, routed ? EXCHANGE_END : ADDRESS_END) ||
        (!list && ends_after(s->destination, s->bytes, routed ? ROUTED_END : ADDRESS_END)))
        return ACE_CODE_BAD_RANGE;
    if (s->kind == ACE_ALL_TO_ALL && s->source + s->bytes > s->destination &&
        s->destination + s->bytes > s->source)
        return ACE_CODE_OVERLAP;
    return ACE_CODE_NONE;
}

/* ---- reads ------------------------------------------------------------------- */

static uint32_t low_of(uint64_t value) { return (uint32_t)value; }
static uint32_t high_of(uint64_t value) { return (uint32_t)(value >> 32); }

/* Long: one case a register, as in the map. */
static uint32_t read_word(const ace_control *c, const ace_control_in *in, unsigned address) {
#define PUT(field, value) ACE_MAP_PUT(value, field)
    const ace_parameters *p = &c->parameters;
    const ace_control_command *s = &c->staged;
    const unsigned fault = fault_of(c, in);
    switch (address) {
    case ACE_MAP_ID: return 0x41434520;
    case ACE_MAP_VERSION: return 0x00020001;
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
               PUT(STATUS_OUTSTANDING, c->owed);
    case ACE_MAP_INTERRUPT_STATUS: return c->events;
    case ACE_MAP_INTERRUPT_ENABLE: return c->enable;
    case ACE_MAP_WATCHDOG: return c->patience;
    case ACE_MAP_CONFIG_ORDER: return c->fifo;
    case ACE_MAP_CONFIG_RING: return c->ring;
    case ACE_MAP_CONFIG_RANK: return c->rank;
    case ACE_MAP_CONFIG_CHUNK: return c->chunk_rows;
    case ACE_MAP_CONFIG_PARTITION_0:
    case ACE_MAP_CONFIG_PARTITION_1:
    case ACE_MAP_CONFIG_PARTITION_2:
    case ACE_MAP_CONFIG_PARTITION_3:
    case ACE_MAP_CONFIG_PARTITION_4:
    case ACE_MAP_CONFIG_PARTITION_5:
        return c->partition_rows[(address - ACE_MAP_CONFIG_PARTITION_0) / 4];
    case ACE_MAP_CONFIG_LINK_COST_X:
    case ACE_MAP_CONFIG_LINK_COST_Y:
    case ACE_MAP_CONFIG_LINK_COST_Z:
    case ACE_MAP_CONFIG_LINK_COST_W:
        return c->link_cost[(address - ACE_MAP_CONFIG_LINK_COST_X) / 4];
    case ACE_MAP_CONFIG_READ_COST: return c->read_cost;
    case ACE_MAP_CONFIG_WRITE_COST: return c->write_cost;
    case ACE_MAP_CONFIG_MEMORY_LATENCY: return c->memory_latency;
    case ACE_MAP_CONFIG_RETRY: return c->retry;
    case ACE_MAP_CONFIG_WINDOW_FIRST: return c->window_first[ACE_WINDOW_ALL_TO_ALL];
    case ACE_MAP_CONFIG_WINDOW_LAST: return c->window_last[ACE_WINDOW_ALL_TO_ALL];
    case ACE_MAP_CONFIG_LIST_WINDOW_FIRST: return c->window_first[ACE_WINDOW_LIST];
    case ACE_MAP_CONFIG_LIST_WINDOW_LAST: return c->window_last[ACE_WINDOW_LIST];
    case ACE_MAP_CONFIG_HUB: return c->hub;
    case ACE_MAP_COMMAND_OPERATION:
        return PUT(COMMAND_OPERATION_KIND, s->kind) | PUT(COMMAND_OPERATION_TYPE, s->type) |
               PUT(COMMAND_OPERATION_OP, s->op);
    case ACE_MAP_COMMAND_DIMENSIONS:
        return PUT(COMMAND_DIMENSIONS_COUNT, s->dim_count) |
               PUT(COMMAND_DIMENSIONS_FIRST, s->dims) |
               PUT(COMMAND_DIMENSIONS_SECOND, s->dims >> 2) |
               PUT(COMMAND_DIMENSIONS_THIRD, s->dims >> 4) |
               PUT(COMMAND_DIMENSIONS_FOURTH, s->dims >> 6);
    case ACE_MAP_COMMAND_SCALE: return s->scale;
    case ACE_MAP_COMMAND_SOURCE_LOW: return low_of(s->source);
    case ACE_MAP_COMMAND_SOURCE_HIGH: return high_of(s->source);
    case ACE_MAP_COMMAND_DESTINATION_LOW: return low_of(s->destination);
    case ACE_MAP_COMMAND_DESTINATION_HIGH: return high_of(s->destination);
    case ACE_MAP_COMMAND_BYTES_LOW: return low_of(s->bytes);
    case ACE_MAP_COMMAND_BYTES_HIGH: return high_of(s->bytes);
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
    case ACE_MAP_COUNT_SELECT: return c->index;
    case ACE_MAP_COUNT_LOW: return low_of(c->count);
    case ACE_MAP_COUNT_HIGH: return high_of(c->count);
    case ACE_MAP_COUNT_CORRECTED: return in->s_count_corrected;
    case ACE_MAP_COUNT_UNCORRECTABLE: return in->s_count_failed;
    case ACE_MAP_COUNT_REMOTE: return in->s_count_refused;
    case ACE_MAP_FAULT_PLACE: return c->fault_place;
    default: return is_program(address) ? c->program[address / 4 % 128] : 0;
    }
#undef PUT
}

/* ---- writes ------------------------------------------------------------------ */

/* The bytes that are written, and those that stay. */
typedef struct written {
    uint32_t set, keep;
} written;

static void merge32(uint32_t *at, written w, uint32_t bits) {
    *at = ((*at & w.keep) | w.set) & bits;
}
static void merge16(uint16_t *at, written w, uint32_t bits) {
    *at = (uint16_t)(((*at & w.keep) | w.set) & bits);
}
static void merge8(uint8_t *at, written w, unsigned low, uint32_t bits) {
    *at = (uint8_t)(((*at & w.keep >> low) | w.set >> low) & bits);
}
static void merge64(uint64_t *at, written w, unsigned low) {
    *at = (*at & ~((uint64_t)(uint32_t)~w.keep << low)) | (uint64_t)w.set << low;
}

/* Registers that hold what was written.  Long: one case a register, as in the map. */
static void hold(ace_control *c, unsigned address, written w) {
#define FIELD_OF(at, field) merge8(at, w, ACE_MAP_##field##_LOW, ACE_MAP_##field##_MASK)
    ace_control_command *s = &c->staged;
    uint8_t fifo = c->fifo;
    switch (address) {
    case ACE_MAP_INTERRUPT_ENABLE:
        merge16(&c->enable, w, ACE_MAP_INTERRUPT_ENABLE_BITS_MASK);
        break;
    case ACE_MAP_WATCHDOG: merge32(&c->patience, w, UINT32_MAX); break;
    case ACE_MAP_CONFIG_ORDER:
        FIELD_OF(&fifo, CONFIG_ORDER_FIFO);
        c->fifo = fifo;
        break;
    case ACE_MAP_CONFIG_HUB: FIELD_OF(&c->hub, CONFIG_HUB_DIMENSIONS); break;
    case ACE_MAP_CONFIG_RING: merge32(&c->ring, w, UINT32_MAX); break;
    case ACE_MAP_CONFIG_RANK: merge32(&c->rank, w, UINT32_MAX); break;
    case ACE_MAP_CONFIG_CHUNK: merge16(&c->chunk_rows, w, ACE_MAP_CONFIG_CHUNK_ROWS_MASK); break;
    case ACE_MAP_CONFIG_PARTITION_0:
    case ACE_MAP_CONFIG_PARTITION_1:
    case ACE_MAP_CONFIG_PARTITION_2:
    case ACE_MAP_CONFIG_PARTITION_3:
    case ACE_MAP_CONFIG_PARTITION_4:
    case ACE_MAP_CONFIG_PARTITION_5:
        merge16(&c->partition_rows[(address - ACE_MAP_CONFIG_PARTITION_0) / 4], w, 0xfff);
        break;
    case ACE_MAP_CONFIG_LINK_COST_X:
    case ACE_MAP_CONFIG_LINK_COST_Y:
    case ACE_MAP_CONFIG_LINK_COST_Z:
    case ACE_MAP_CONFIG_LINK_COST_W:
        merge32(&c->link_cost[(address - ACE_MAP_CONFIG_LINK_COST_X) / 4], w, ACE_COST_MAX);
        break;
    case ACE_MAP_CONFIG_READ_COST: merge32(&c->read_cost, w, ACE_COST_MAX); break;
    case ACE_MAP_CONFIG_WRITE_COST: merge32(&c->write_cost, w, ACE_COST_MAX); break;
    case ACE_MAP_CONFIG_MEMORY_LATENCY: merge16(&c->memory_latency, w, 0xffff); break;
    case ACE_MAP_CONFIG_RETRY: merge16(&c->retry, w, 0xffff); break;
    case ACE_MAP_CONFIG_WINDOW_FIRST:
        merge32(&c->window_first[ACE_WINDOW_ALL_TO_ALL], w, UINT32_MAX);
        break;
    case ACE_MAP_CONFIG_WINDOW_LAST:
        merge32(&c->window_last[ACE_WINDOW_ALL_TO_ALL], w, UINT32_MAX);
        break;
    case ACE_MAP_CONFIG_LIST_WINDOW_FIRST:
        merge32(&c->window_first[ACE_WINDOW_LIST], w, UINT32_MAX);
        break;
    case ACE_MAP_CONFIG_LIST_WINDOW_LAST:
        merge32(&c->window_last[ACE_WINDOW_LIST], w, UINT32_MAX);
        break;
    case ACE_MAP_COMMAND_OPERATION:
        FIELD_OF(&s->kind, COMMAND_OPERATION_KIND);
        FIELD_OF(&s->type, COMMAND_OPERATION_TYPE);
        FIELD_OF(&s->op, COMMAND_OPERATION_OP);
        break;
    case ACE_MAP_COMMAND_DIMENSIONS:
        FIELD_OF(&s->dim_count, COMMAND_DIMENSIONS_COUNT);
        merge8(&s->dims, w, ACE_MAP_COMMAND_DIMENSIONS_FIRST_LOW, 0xff);
        break;
    case ACE_MAP_COMMAND_SCALE: merge32(&s->scale, w, UINT32_MAX); break;
    case ACE_MAP_COMMAND_SOURCE_LOW: merge64(&s->source, w, 0); break;
    case ACE_MAP_COMMAND_SOURCE_HIGH: merge64(&s->source, w, 32); break;
    case ACE_MAP_COMMAND_DESTINATION_LOW: merge64(&s->destination, w, 0); break;
    case ACE_MAP_COMMAND_DESTINATION_HIGH: merge64(&s->destination, w, 32); break;
    case ACE_MAP_COMMAND_BYTES_LOW: merge64(&s->bytes, w, 0); break;
    case ACE_MAP_COMMAND_BYTES_HIGH: merge64(&s->bytes, w, 32); break;
    case ACE_MAP_COUNT_SELECT: FIELD_OF(&c->index, COUNT_SELECT_INDEX); break;
    case ACE_MAP_FAULT_PLACE: merge32(&c->fault_place, w, 0x7f3fff); break;
    default:
        if (is_program(address)) merge32(&c->program[address / 4 % 128], w, UINT32_MAX);
        break;
    }
#undef FIELD_OF
}

/* What a write does in its cycle, told before the edge. */
typedef struct write_effect {
    bool write, known, acts, stop, start, taken, refused, rejected, pop, clears_error, fetch, flip;
    unsigned code; /* of a doorbell */
    uint16_t clears;
    uint16_t tag;
    written w;
} write_effect;

static write_effect effect_of(const ace_control *c, unsigned fault) {
    write_effect e = { .write = c->aw_full && c->w_full && !c->b_valid && !c->refused };
    if (!e.write) return e;
    uint32_t mask = 0;
    for (unsigned b = 0; b < 4; b++)
        if (c->w_strb >> b & 1) mask |= 0xffu << 8 * b;
    e.w = (written){ c->w_data & mask, ~mask };
    const enum access access = access_of(c->aw_addr);
    e.known =
        access == rw || access == w1c || access == wo || (access == cfg && !c->run && !c->start);
    e.acts = e.known && c->w_strb;
    if (!e.acts) return e;
    switch (c->aw_addr) {
    case ACE_MAP_CONTROL:
        e.stop = (c->w_strb & 1) && !(c->w_data & 1);
        e.start = (c->w_strb & 1) && (c->w_data & 1) && !c->run && !c->start;
        e.rejected = e.start && !config_sane(c);
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

static void tick_axil(ace_control *c, const ace_control_in *in, const write_effect *e) {
    if (!c->aw_full) c->aw_addr = in->s_axil_awaddr;
    if (!c->w_full) {
        c->w_data = in->s_axil_wdata;
        c->w_strb = in->s_axil_wstrb;
    }
    c->aw_full = !e->write && (c->aw_full || in->s_axil_awvalid);
    c->w_full = !e->write && (c->w_full || in->s_axil_wvalid);
    if (e->write) c->b_resp = e->known ? ACE_OKAY : ACE_SLVERR;
    c->b_valid = e->write || (c->b_valid && !in->s_axil_bready);
    c->r_valid = c->r_valid ? !in->s_axil_rready : in->s_axil_arvalid;
}

/* What happens in a cycle beside a write. */
typedef struct happening {
    bool done, push, told; /* a completion: any that is queued, one that tells of a refusal */
    bool waits, expire;    /* the watchdog */
    bool read_failed, write_failed, mismatched, link_failed, lost, transfer;
    bool faults; /* one of these, or the watchdog */
} happening;

static happening look(const ace_control *c, const ace_control_in *in) {
    happening h = { .done = c->run && in->s_done_valid };

    h.told = c->refused && !h.done;
    h.push = h.done || h.told;
    h.waits = c->run && c->owed && !in->s_moved;
    h.expire = c->run && c->patience && c->waited >= c->patience && !c->expired;
    h.read_failed = c->run && in->s_read_failed && !c->read_seen;
    h.write_failed = c->run && in->s_write_failed && !c->write_seen;
    h.mismatched = c->run && in->s_mismatch && !c->mismatch_seen;
    h.link_failed = c->run && in->s_link_failed && !c->link_seen;
    h.lost = c->run && in->s_scratchpad_failed && !c->lost_seen;
    h.transfer = c->run && in->s_transfer_failed && !c->transfer_seen;
    h.faults = h.read_failed || h.write_failed || h.mismatched || h.link_failed || h.lost ||
               h.transfer || h.expire;
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
    c->cmd = c->staged;
    c->cmd.source &= (1ull << 48) - 1;
    c->cmd.destination &= (1ull << 48) - 1;
    c->cmd.tag = e->tag;
}

/* The first error is kept until it is cleared. */
static void tick_error(ace_control *c, const ace_control_in *in, const write_effect *e,
                       const happening *h) {
    if ((h->faults || e->rejected) && (!c->error_valid || e->clears_error)) {
        c->error_code = (uint8_t)(h->read_failed    ? ACE_CODE_READ_ERROR
                                  : h->write_failed ? ACE_CODE_WRITE_ERROR
                                  : h->mismatched   ? ACE_CODE_MISMATCH
                                  : h->link_failed  ? ACE_CODE_LINK_FAILED
                                  : h->lost         ? ACE_CODE_SCRATCHPAD_ERROR
                                  : h->transfer     ? transfer_code(in)
                                  : h->expire       ? ACE_CODE_WATCHDOG
                                  : e->refused      ? e->code
                                                    : ACE_CODE_BAD_CONFIGURATION);
        c->error_resp = h->read_failed    ? in->s_read_failed_resp
                        : h->write_failed ? in->s_write_failed_resp
                                          : ACE_OKAY;
        c->error_tag = h->faults ? 0 : e->tag;
        c->error_address =
            h->read_failed                    ? in->s_read_failed_addr
            : h->write_failed                 ? in->s_write_failed_addr
            : h->mismatched || h->link_failed ? 0
            : h->lost ? (uint64_t)in->s_scratchpad_failed_bank << 12 | in->s_scratchpad_failed_row
            : h->transfer ? in->s_transfer_failed_addr
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
                           h->lost << EVENT_SCRATCHPAD | h->transfer << EVENT_TRANSFER);
    c->read_seen = c->run && in->s_read_failed;
    c->write_seen = c->run && in->s_write_failed;
    c->mismatch_seen = c->run && in->s_mismatch;
    c->link_seen = c->run && in->s_link_failed;
    c->lost_seen = c->run && in->s_scratchpad_failed;
    c->transfer_seen = c->run && in->s_transfer_failed;
    c->expired = h->waits && (c->expired || h->expire);
    c->waited = h->waits ? c->waited + (c->waited != UINT32_MAX) : 0;
}

void ace_control_tick(ace_control *c, const ace_control_in *in) {
    /* all of it from the state before the edge */
    const unsigned fault = fault_of(c, in);
    const write_effect e = effect_of(c, fault);
    const happening h = look(c, in);
    const bool held = e.refused && !is_full(c);

    if (!c->r_valid && in->s_axil_arvalid) {
        const enum access access = access_of(in->s_axil_araddr);
        c->r_data = read_word(c, in, in->s_axil_araddr);
        c->r_resp = access == wo || access == unknown ? ACE_SLVERR : ACE_OKAY;
    }
    tick_counters(c, in, &e, &h);
    tick_completions(c, in, &e, &h, fault, held);
    tick_slot(c, in, &e);
    tick_error(c, in, &e, &h);
    tick_events(c, in, &e, &h);
    c->fault_valid = e.flip;
    if (e.flip) c->fault_mask = e.w.set;
    if (e.acts) hold(c, c->aw_addr, e.w);
    if (c->start || (e.start && !e.rejected)) {
        c->run = !in->s_memory_busy;
        c->start = in->s_memory_busy;
    }
    if (e.stop) forget(c);
    tick_axil(c, in, &e);
}
