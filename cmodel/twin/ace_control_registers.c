/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_control_registers.c -- the twin of rtl/ace_control_registers.v: one case a register
 *
 * ACE_MAP_LIST, which is generated from the register list, gives the access rights of each
 * register. Reads and writes are one case a register, in the order of the map. A write merges the
 * bytes that its strobes name. m_sane checks the ranges of a configuration.
 */
#include "ace_control_registers.h"

/* A word of the FSMs' programs? */
static bool is_program(unsigned address) {
    return address >> 9 == ACE_MAP_PROGRAM >> 9 && address % 4 == 0;
}

ace_access ace_control_registers_access(unsigned address) {
    switch (address) {
#define X(name, offset, access, reset, mask) \
    case offset: return ACE_ACCESS_##access;
        ACE_MAP_LIST(X)
#undef X
    default: return is_program(address) ? ACE_ACCESS_cfg : ACE_ACCESS_NONE;
    }
}

bool ace_control_registers_locked(const ace_control_registers *r, unsigned address) {
    return r->lock && address % 4 == 0 &&
           ((address >= ACE_MAP_CONFIG_WINDOW_FIRST &&
             address <= ACE_MAP_CONFIG_LIST_WINDOW_LAST) ||
            address == ACE_MAP_CONFIG_FLAG_WINDOW_FIRST ||
            address == ACE_MAP_CONFIG_FLAG_WINDOW_LAST);
}

void ace_control_registers_reset(ace_control_registers *r) {
    *r = (ace_control_registers){
        .chunk_rows = 256,
        .memory_latency = 2,
        .ring = 0x01010101,
        .link_cost = { ACE_COST_ONE, ACE_COST_ONE, ACE_COST_ONE, ACE_COST_ONE },
        .read_cost = ACE_COST_ONE,
        .write_cost = ACE_COST_ONE,
        .window_first = { UINT32_MAX, UINT32_MAX }, /* and the last is 0: nowhere */
        .flag_first = UINT32_MAX,
    };
}

void ace_control_registers_m_cfg(const ace_control_registers *r, ace_config *to) {
    *to = (ace_config){ .chunk_rows = r->chunk_rows,
                        .read_cost = r->read_cost,
                        .write_cost = r->write_cost,
                        .memory_latency = r->memory_latency,
                        .retry = r->retry,
                        .epoch = r->epoch,
                        .epoch_links = r->epoch_links,
                        .silence = r->silence,
                        .order = r->fifo ? ACE_FIFO : ACE_LIFO,
                        .agreed = r->agreed,
                        .class_tag = (uint16_t)ACE_MAP_GET(r->classes, CONFIG_CLASSES_TAG),
                        .class_weight = { ACE_MAP_GET(r->classes, CONFIG_CLASSES_WEIGHT_0),
                                          ACE_MAP_GET(r->classes, CONFIG_CLASSES_WEIGHT_1) },
                        .chunk_window = ACE_MAP_GET(r->classes, CONFIG_CLASSES_WINDOW),
                        .routed_rows = r->share,
                        .wire_format = r->wire };
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        to->ring[d] = (uint8_t)(r->ring >> 8 * d);
        to->rank[d] = (uint8_t)(r->rank >> 8 * d);
        to->link_cost[d] = r->link_cost[d];
    }
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) to->hub[d] = r->hub >> d & 1;
    for (unsigned w = 0; w < ACE_WINDOWS; w++) {
        to->window_first[w] = r->window_first[w];
        to->window_after[w] = UINT32_MAX - r->window_last[w];
    }
    memcpy(to->program, r->program, sizeof to->program);
    memcpy(to->partition_rows, r->partition_rows, sizeof to->partition_rows);
}

bool ace_control_registers_m_sane(const ace_control_registers *r, const ace_parameters *p) {
    unsigned rows = 0;
    for (unsigned i = 0; i < ACE_PARTITIONS; i++) rows += r->partition_rows[i];
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        const unsigned ring = r->ring >> 8 * d & 0xff, rank = r->rank >> 8 * d & 0xff;
        if (d >= p->dimensions && ring != 1) return false;
        if (ring < 1 || ring > 128 || rank >= ring || (ring > 1 && r->link_cost[d] < ACE_COST_ONE))
            return false;
    }
    return r->chunk_rows >= 1 && r->chunk_rows <= 1024 && rows <= p->bank_rows &&
           r->read_cost >= ACE_COST_ONE && r->write_cost >= ACE_COST_ONE && r->memory_latency >= 2;
}

/* ---- reads ---- */

static uint32_t low_of(uint64_t value) { return (uint32_t)value; }
static uint32_t high_of(uint64_t value) { return (uint32_t)(value >> 32); }

/* Long: one case a register, as in the map. */
uint32_t ace_control_registers_read(const ace_control_registers *r, unsigned address) {
#define PUT(field, value) ACE_MAP_PUT(value, field)
    const ace_control_command *s = &r->staged;
    switch (address) {
    case ACE_MAP_INTERRUPT_ENABLE: return r->enable;
    case ACE_MAP_WATCHDOG: return r->patience;
    case ACE_MAP_CONFIG_LOCK: return PUT(CONFIG_LOCK_WINDOWS, r->lock);
    case ACE_MAP_CONFIG_ORDER:
        return PUT(CONFIG_ORDER_FIFO, r->fifo) | PUT(CONFIG_ORDER_AGREED, r->agreed);
    case ACE_MAP_CONFIG_CLASSES: return r->classes;
    case ACE_MAP_CONFIG_SHARE:
        return PUT(CONFIG_SHARE_ROWS, r->share) | PUT(CONFIG_SHARE_WIRE, r->wire);
    case ACE_MAP_CONFIG_RING: return r->ring;
    case ACE_MAP_CONFIG_RANK: return r->rank;
    case ACE_MAP_CONFIG_CHUNK: return r->chunk_rows;
    case ACE_MAP_CONFIG_PARTITION_0:
    case ACE_MAP_CONFIG_PARTITION_1:
    case ACE_MAP_CONFIG_PARTITION_2:
    case ACE_MAP_CONFIG_PARTITION_3:
    case ACE_MAP_CONFIG_PARTITION_4:
    case ACE_MAP_CONFIG_PARTITION_5:
        return r->partition_rows[(address - ACE_MAP_CONFIG_PARTITION_0) / 4];
    case ACE_MAP_CONFIG_LINK_COST_X:
    case ACE_MAP_CONFIG_LINK_COST_Y:
    case ACE_MAP_CONFIG_LINK_COST_Z:
    case ACE_MAP_CONFIG_LINK_COST_W:
        return r->link_cost[(address - ACE_MAP_CONFIG_LINK_COST_X) / 4];
    case ACE_MAP_CONFIG_READ_COST: return r->read_cost;
    case ACE_MAP_CONFIG_WRITE_COST: return r->write_cost;
    case ACE_MAP_CONFIG_MEMORY_LATENCY: return r->memory_latency;
    case ACE_MAP_CONFIG_RETRY: return r->retry;
    case ACE_MAP_CONFIG_LINK_EPOCH:
        return PUT(CONFIG_LINK_EPOCH_VALUE, r->epoch) |
               PUT(CONFIG_LINK_EPOCH_LINKS, r->epoch_links) |
               PUT(CONFIG_LINK_EPOCH_SILENCE, r->silence);
    case ACE_MAP_CONFIG_WINDOW_FIRST: return r->window_first[ACE_WINDOW_ALL_TO_ALL];
    case ACE_MAP_CONFIG_WINDOW_LAST: return r->window_last[ACE_WINDOW_ALL_TO_ALL];
    case ACE_MAP_CONFIG_LIST_WINDOW_FIRST: return r->window_first[ACE_WINDOW_LIST];
    case ACE_MAP_CONFIG_LIST_WINDOW_LAST: return r->window_last[ACE_WINDOW_LIST];
    case ACE_MAP_CONFIG_HUB: return r->hub;
    case ACE_MAP_CONFIG_TRIGGER: return r->trigger;
    case ACE_MAP_CONFIG_FLAG_WINDOW_FIRST: return r->flag_first;
    case ACE_MAP_CONFIG_FLAG_WINDOW_LAST: return r->flag_last;
    case ACE_MAP_TRIGGER_FLAG_LOW: return low_of(r->flag);
    case ACE_MAP_TRIGGER_FLAG_HIGH: return high_of(r->flag);
    case ACE_MAP_TRIGGER_VALUE: return r->value;
    case ACE_MAP_TRIGGER_RULE: return r->rule;
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
    case ACE_MAP_COUNT_SELECT: return r->index;
    case ACE_MAP_FAULT_PLACE: return r->fault_place;
    default: return is_program(address) ? r->program[address / 4 % 128] : 0;
    }
#undef PUT
}

/* ---- writes ---- */

static void merge32(uint32_t *at, ace_axil_bits w, uint32_t bits) {
    *at = ((*at & w.keep) | w.set) & bits;
}
static void merge16(uint16_t *at, ace_axil_bits w, uint32_t bits) {
    *at = (uint16_t)(((*at & w.keep) | w.set) & bits);
}
static void merge8(uint8_t *at, ace_axil_bits w, unsigned low, uint32_t bits) {
    *at = (uint8_t)(((*at & w.keep >> low) | w.set >> low) & bits);
}
static void merge64(uint64_t *at, ace_axil_bits w, unsigned low) {
    *at = (*at & ~((uint64_t)(uint32_t)~w.keep << low)) | (uint64_t)w.set << low;
}

/* Long: one case a register, as in the map. */
void ace_control_registers_write(ace_control_registers *r, unsigned address, ace_axil_bits w) {
#define FIELD_OF(at, field) merge8(at, w, ACE_MAP_##field##_LOW, ACE_MAP_##field##_MASK)
    ace_control_command *s = &r->staged;
    uint8_t fifo = r->fifo;
    switch (address) {
    case ACE_MAP_INTERRUPT_ENABLE:
        merge16(&r->enable, w, ACE_MAP_INTERRUPT_ENABLE_BITS_MASK);
        break;
    case ACE_MAP_WATCHDOG: merge32(&r->patience, w, UINT32_MAX); break;
    case ACE_MAP_CONFIG_LOCK: r->lock |= ACE_MAP_GET(w.set, CONFIG_LOCK_WINDOWS); break;
    case ACE_MAP_CONFIG_ORDER:
        FIELD_OF(&fifo, CONFIG_ORDER_FIFO);
        r->fifo = fifo;
        FIELD_OF(&r->agreed, CONFIG_ORDER_AGREED);
        break;
    case ACE_MAP_CONFIG_HUB: FIELD_OF(&r->hub, CONFIG_HUB_DIMENSIONS); break;
    case ACE_MAP_CONFIG_CLASSES: merge32(&r->classes, w, 0x7fffffff); break;
    case ACE_MAP_CONFIG_SHARE:
        FIELD_OF(&r->share, CONFIG_SHARE_ROWS);
        FIELD_OF(&r->wire, CONFIG_SHARE_WIRE);
        break;
    case ACE_MAP_CONFIG_RING: merge32(&r->ring, w, UINT32_MAX); break;
    case ACE_MAP_CONFIG_RANK: merge32(&r->rank, w, UINT32_MAX); break;
    case ACE_MAP_CONFIG_CHUNK: merge16(&r->chunk_rows, w, ACE_MAP_CONFIG_CHUNK_ROWS_MASK); break;
    case ACE_MAP_CONFIG_PARTITION_0:
    case ACE_MAP_CONFIG_PARTITION_1:
    case ACE_MAP_CONFIG_PARTITION_2:
    case ACE_MAP_CONFIG_PARTITION_3:
    case ACE_MAP_CONFIG_PARTITION_4:
    case ACE_MAP_CONFIG_PARTITION_5:
        merge16(&r->partition_rows[(address - ACE_MAP_CONFIG_PARTITION_0) / 4], w, 0xfff);
        break;
    case ACE_MAP_CONFIG_LINK_COST_X:
    case ACE_MAP_CONFIG_LINK_COST_Y:
    case ACE_MAP_CONFIG_LINK_COST_Z:
    case ACE_MAP_CONFIG_LINK_COST_W:
        merge32(&r->link_cost[(address - ACE_MAP_CONFIG_LINK_COST_X) / 4], w, ACE_COST_MAX);
        break;
    case ACE_MAP_CONFIG_READ_COST: merge32(&r->read_cost, w, ACE_COST_MAX); break;
    case ACE_MAP_CONFIG_WRITE_COST: merge32(&r->write_cost, w, ACE_COST_MAX); break;
    case ACE_MAP_CONFIG_MEMORY_LATENCY: merge16(&r->memory_latency, w, 0xffff); break;
    case ACE_MAP_CONFIG_RETRY: merge16(&r->retry, w, 0xffff); break;
    case ACE_MAP_CONFIG_LINK_EPOCH:
        merge16(&r->epoch, w, 0xffff);
        merge8(&r->epoch_links, w, 16, 0xff);
        merge8(&r->silence, w, 24, 0xff);
        break;
    case ACE_MAP_CONFIG_WINDOW_FIRST:
        merge32(&r->window_first[ACE_WINDOW_ALL_TO_ALL], w, UINT32_MAX);
        break;
    case ACE_MAP_CONFIG_WINDOW_LAST:
        merge32(&r->window_last[ACE_WINDOW_ALL_TO_ALL], w, UINT32_MAX);
        break;
    case ACE_MAP_CONFIG_LIST_WINDOW_FIRST:
        merge32(&r->window_first[ACE_WINDOW_LIST], w, UINT32_MAX);
        break;
    case ACE_MAP_CONFIG_LIST_WINDOW_LAST:
        merge32(&r->window_last[ACE_WINDOW_LIST], w, UINT32_MAX);
        break;
    case ACE_MAP_CONFIG_TRIGGER: merge32(&r->trigger, w, 0x1ffff); break;
    case ACE_MAP_CONFIG_FLAG_WINDOW_FIRST: merge32(&r->flag_first, w, UINT32_MAX); break;
    case ACE_MAP_CONFIG_FLAG_WINDOW_LAST: merge32(&r->flag_last, w, UINT32_MAX); break;
    case ACE_MAP_TRIGGER_FLAG_LOW: merge64(&r->flag, w, 0); break;
    case ACE_MAP_TRIGGER_FLAG_HIGH:
        merge64(&r->flag, w, 32);
        r->flag &= (1ull << 48) - 1;
        break;
    case ACE_MAP_TRIGGER_VALUE: merge32(&r->value, w, UINT32_MAX); break;
    case ACE_MAP_TRIGGER_RULE: merge32(&r->rule, w, 0x0fffffff); break;
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
    case ACE_MAP_COUNT_SELECT: FIELD_OF(&r->index, COUNT_SELECT_INDEX); break;
    case ACE_MAP_FAULT_PLACE: merge32(&r->fault_place, w, 0x7f3fff); break;
    default:
        if (is_program(address)) merge32(&r->program[address / 4 % 128], w, UINT32_MAX);
        break;
    }
#undef FIELD_OF
}
