/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_host.c -- the driver as sequences of register accesses
 *
 * Configurations and commands first become lists of register writes, in the order in which the
 * engine expects them. The last write of each list starts the engine or rings the doorbell. Other
 * code, such as ace_host_core.c, sends these lists through its own bus. Nothing here keeps time: a
 * caller limits each wait by a timeout (`patience`) or by a number of polls.
 */
#include "ace_host.h"

#include "ace_program.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    DECERR = 3,
    KNOWN_MAJOR = 3,
    MINOR_WITH_TRIGGERS = 2,
    MINOR_WITH_CLASSES = 3,
    MINOR_WITH_SILENCE = 4,
    EVERY_INTERRUPT = ACE_MAP_INTERRUPT_ENABLE_BITS_MASK
};
static const uint32_t identification = 0x41434520; /* "ACE " */

const char *ace_code_text(unsigned code) {
    switch (code) {
#define X(name, number, text) \
    case number: return text;
        ACE_CODE_LIST(X)
#undef X
    default: return "unknown code";
    }
}

/* Returns an error to the caller's caller. */
#define TRY(call)                        \
    do {                                 \
        const int err_ = (call);         \
        if (err_ != ACE_OK) return err_; \
    } while (0)

static int get(const ace_host *h, uint32_t offset, uint32_t *value) {
    return h->bus.read32(h->bus.self, offset, value);
}
static int put(const ace_host *h, uint32_t offset, uint32_t value) {
    return h->bus.write32(h->bus.self, offset, value);
}
static int put_all(const ace_host *h, const ace_register_write *w, unsigned count) {
    for (unsigned i = 0; i < count; i++) TRY(put(h, w[i].offset, w[i].value));
    return ACE_OK;
}

int ace_host_probe(ace_host *h, const ace_host_bus *bus) {
    uint32_t w;
    *h = (ace_host){ .bus = *bus, .built.sub_banks = 1 };
    TRY(get(h, ACE_MAP_ID, &w));
    if (w != identification) return ACE_EINVAL;
    TRY(get(h, ACE_MAP_VERSION, &w));
    h->version = w;
    if (ACE_MAP_GET(w, VERSION_MAJOR) != KNOWN_MAJOR) return ACE_EINVAL;
    if (ACE_MAP_GET(w, VERSION_MINOR) >= MINOR_WITH_TRIGGERS) {
        TRY(get(h, ACE_MAP_BUILT_TRIGGERS, &w));
        h->triggers = ACE_MAP_GET(w, BUILT_TRIGGERS_SLOTS);
    }
    TRY(get(h, ACE_MAP_BUILT_FSMS, &w));
    h->built.fsms = ACE_MAP_GET(w, BUILT_FSMS_FSMS);
    h->built.contexts = ACE_MAP_GET(w, BUILT_FSMS_CONTEXTS);
    TRY(get(h, ACE_MAP_BUILT_SCRATCHPAD, &w));
    h->built.bank_rows = ACE_MAP_GET(w, BUILT_SCRATCHPAD_BANK_ROWS);
    TRY(get(h, ACE_MAP_BUILT_QUEUES, &w));
    h->built.commands = ACE_MAP_GET(w, BUILT_QUEUES_COMMANDS);
    h->completions = ACE_MAP_GET(w, BUILT_QUEUES_COMPLETIONS);
    TRY(get(h, ACE_MAP_BUILT_LINKS, &w));
    h->built.link_input_rows = ACE_MAP_GET(w, BUILT_LINKS_INPUT_ROWS);
    h->built.link_output_rows = ACE_MAP_GET(w, BUILT_LINKS_OUTPUT_ROWS);
    TRY(get(h, ACE_MAP_BUILT_ROUTER, &w));
    h->built.router_input_rows = ACE_MAP_GET(w, BUILT_ROUTER_INPUT_ROWS);
    h->built.router_output_rows = ACE_MAP_GET(w, BUILT_ROUTER_OUTPUT_ROWS);
    TRY(get(h, ACE_MAP_BUILT_EXCHANGE, &w));
    h->built.exchange_rows = ACE_MAP_GET(w, BUILT_EXCHANGE_ROWS);
    h->built.exchange_bursts = ACE_MAP_GET(w, BUILT_EXCHANGE_BURSTS);
    TRY(get(h, ACE_MAP_BUILT_MEMORY, &w));
    h->built.memory_bursts = ACE_MAP_GET(w, BUILT_MEMORY_BURSTS);
    TRY(get(h, ACE_MAP_BUILT_COMMANDS, &w));
    h->kinds = ACE_MAP_GET(w, BUILT_COMMANDS_KINDS);
    h->types = ACE_MAP_GET(w, BUILT_COMMANDS_TYPES);
    h->ops = ACE_MAP_GET(w, BUILT_COMMANDS_OPS);
    h->built.dimensions = ACE_MAP_GET(w, BUILT_COMMANDS_DIMENSIONS);
    TRY(get(h, ACE_MAP_BUILT_ALU, &w));
    h->built.alu_types = ACE_MAP_GET(w, BUILT_ALU_TYPES);
    h->built.alu_ops = ACE_MAP_GET(w, BUILT_ALU_OPS);
    h->built.wire_formats = ACE_MAP_GET(w, BUILT_ALU_FORMATS);
    TRY(get(h, ACE_MAP_BUILT_HUB, &w));
    h->built.peers = ACE_MAP_GET(w, BUILT_HUB_PEERS);
    return ACE_OK;
}

void ace_host_config_writes(const ace_config *cfg, uint32_t watchdog,
                            ace_register_write to[ACE_HOST_CONFIG_WRITES]) {
    ace_config filled = *cfg;
    unsigned n = 0;
    (void)ace_program_defaults(
        &filled); /* what does not fit is refused by the engine's own check */
    to[n++] = (ace_register_write){ ACE_MAP_CONTROL, 0 };
    to[n++] = (ace_register_write){ ACE_MAP_WATCHDOG, watchdog };
    to[n++] = (ace_register_write){ ACE_MAP_INTERRUPT_ENABLE, EVERY_INTERRUPT };
    to[n++] = (ace_register_write){ ACE_MAP_CONFIG_ORDER,
                                    ACE_MAP_PUT(cfg->order == ACE_FIFO, CONFIG_ORDER_FIFO) |
                                        ACE_MAP_PUT(cfg->agreed, CONFIG_ORDER_AGREED) };
    to[n++] = (ace_register_write){ ACE_MAP_CONFIG_CLASSES,
                                    ACE_MAP_PUT(cfg->class_tag, CONFIG_CLASSES_TAG) |
                                        ACE_MAP_PUT(cfg->class_weight[0], CONFIG_CLASSES_WEIGHT_0) |
                                        ACE_MAP_PUT(cfg->class_weight[1], CONFIG_CLASSES_WEIGHT_1) |
                                        ACE_MAP_PUT(cfg->chunk_window, CONFIG_CLASSES_WINDOW) };
    to[n++] = (ace_register_write){ ACE_MAP_CONFIG_SHARE,
                                    ACE_MAP_PUT(cfg->routed_rows, CONFIG_SHARE_ROWS) |
                                        ACE_MAP_PUT(cfg->wire_format, CONFIG_SHARE_WIRE) };
    to[n++] =
        (ace_register_write){ ACE_MAP_CONFIG_RING, ACE_MAP_PUT(cfg->ring[0], CONFIG_RING_X) |
                                                       ACE_MAP_PUT(cfg->ring[1], CONFIG_RING_Y) |
                                                       ACE_MAP_PUT(cfg->ring[2], CONFIG_RING_Z) |
                                                       ACE_MAP_PUT(cfg->ring[3], CONFIG_RING_W) };
    to[n++] =
        (ace_register_write){ ACE_MAP_CONFIG_RANK, ACE_MAP_PUT(cfg->rank[0], CONFIG_RANK_X) |
                                                       ACE_MAP_PUT(cfg->rank[1], CONFIG_RANK_Y) |
                                                       ACE_MAP_PUT(cfg->rank[2], CONFIG_RANK_Z) |
                                                       ACE_MAP_PUT(cfg->rank[3], CONFIG_RANK_W) };
    to[n++] = (ace_register_write){ ACE_MAP_CONFIG_CHUNK,
                                    ACE_MAP_PUT(cfg->chunk_rows, CONFIG_CHUNK_ROWS) };
    for (unsigned p = 0; p < ACE_PARTITIONS; p++)
        to[n++] =
            (ace_register_write){ ACE_MAP_CONFIG_PARTITION_0 + 4 * p,
                                  ACE_MAP_PUT(cfg->partition_rows[p], CONFIG_PARTITION_0_ROWS) };
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        to[n++] = (ace_register_write){ ACE_MAP_CONFIG_LINK_COST_X + 4 * d,
                                        ACE_MAP_PUT(cfg->link_cost[d], CONFIG_LINK_COST_X_CYCLES) };
    to[n++] = (ace_register_write){ ACE_MAP_CONFIG_READ_COST, cfg->read_cost };
    to[n++] = (ace_register_write){ ACE_MAP_CONFIG_WRITE_COST, cfg->write_cost };
    to[n++] = (ace_register_write){ ACE_MAP_CONFIG_MEMORY_LATENCY, cfg->memory_latency };
    to[n++] = (ace_register_write){ ACE_MAP_CONFIG_RETRY, cfg->retry };
    to[n++] = (ace_register_write){ ACE_MAP_CONFIG_LINK_EPOCH,
                                    ACE_MAP_PUT(cfg->epoch, CONFIG_LINK_EPOCH_VALUE) |
                                        ACE_MAP_PUT(cfg->epoch_links, CONFIG_LINK_EPOCH_LINKS) |
                                        ACE_MAP_PUT(cfg->silence, CONFIG_LINK_EPOCH_SILENCE) };
    for (unsigned w = 0; w < ACE_WINDOWS; w++) {
        const uint32_t first = ACE_MAP_CONFIG_WINDOW_FIRST + 8 * w;
        to[n++] = (ace_register_write){ first, cfg->window_first[w] };
        to[n++] = (ace_register_write){ first + 4, ace_window_last(cfg, w) };
    }
    to[n++] = (ace_register_write){ ACE_MAP_CONFIG_HUB,
                                    ACE_MAP_PUT(cfg->hub[0] | cfg->hub[1] << 1 | cfg->hub[2] << 2 |
                                                    cfg->hub[3] << 3,
                                                CONFIG_HUB_DIMENSIONS) };
    for (uint32_t i = 0; i < ACE_PROGRAM_WORDS; i++)
        to[n++] = (ace_register_write){ ACE_MAP_PROGRAM + 4 * i, filled.program[i] };
    to[n++] = (ace_register_write){ ACE_MAP_CONTROL, ACE_MAP_PUT(1, CONTROL_RUN) };
}

void ace_host_command_writes(const ace_command *c, ace_register_write to[ACE_HOST_COMMAND_WRITES]) {
    unsigned n = 0;
    to[n++] = (ace_register_write){ ACE_MAP_COMMAND_OPERATION,
                                    ACE_MAP_PUT(c->kind, COMMAND_OPERATION_KIND) |
                                        ACE_MAP_PUT(c->type, COMMAND_OPERATION_TYPE) |
                                        ACE_MAP_PUT(c->op, COMMAND_OPERATION_OP) };
    to[n++] = (ace_register_write){ ACE_MAP_COMMAND_DIMENSIONS,
                                    ACE_MAP_PUT(c->dim_count, COMMAND_DIMENSIONS_COUNT) |
                                        ACE_MAP_PUT(c->dims[0], COMMAND_DIMENSIONS_FIRST) |
                                        ACE_MAP_PUT(c->dims[1], COMMAND_DIMENSIONS_SECOND) |
                                        ACE_MAP_PUT(c->dims[2], COMMAND_DIMENSIONS_THIRD) |
                                        ACE_MAP_PUT(c->dims[3], COMMAND_DIMENSIONS_FOURTH) };
    to[n++] = (ace_register_write){ ACE_MAP_COMMAND_SCALE, c->scale };
    const uint64_t wide[] = { c->source, c->destination, c->bytes };
    for (unsigned i = 0; i < 3; i++) {
        to[n++] = (ace_register_write){ ACE_MAP_COMMAND_SOURCE_LOW + 8 * i, (uint32_t)wide[i] };
        to[n++] =
            (ace_register_write){ ACE_MAP_COMMAND_SOURCE_HIGH + 8 * i, (uint32_t)(wide[i] >> 32) };
    }
    to[n++] =
        (ace_register_write){ ACE_MAP_COMMAND_DOORBELL, ACE_MAP_PUT(c->tag, COMMAND_DOORBELL_TAG) };
}
_Static_assert(ACE_MAP_COMMAND_BYTES_LOW == ACE_MAP_COMMAND_SOURCE_LOW + 16u,
               "source, destination and bytes lie side by side");

_Static_assert(ACE_MAP_CONFIG_LIST_WINDOW_LAST == ACE_MAP_CONFIG_WINDOW_FIRST + 12u,
               "the windows lie side by side");

static bool of_window(uint32_t offset) {
    return offset >= ACE_MAP_CONFIG_WINDOW_FIRST && offset <= ACE_MAP_CONFIG_LIST_WINDOW_LAST;
}

static bool of_classes(uint32_t offset) {
    return offset == ACE_MAP_CONFIG_CLASSES || offset == ACE_MAP_CONFIG_SHARE;
}

/* Windows that are locked stay as they are.  A configuration with classes or with `silence` is
 * refused if the engine is older than these. */
int ace_host_start(ace_host *h, const ace_config *cfg, uint32_t watchdog) {
    ace_register_write w[ACE_HOST_CONFIG_WRITES];
    uint32_t control, lock, status;
    if (cfg->wire_format && !h->built.wire_formats) return ACE_EINVAL;
    ace_host_config_writes(cfg, watchdog, w);
    h->outstanding_count = 0;
    TRY(get(h, ACE_MAP_CONFIG_LOCK, &lock));
    const bool older = ACE_MAP_GET(h->version, VERSION_MINOR) < MINOR_WITH_CLASSES;
    if (cfg->silence && ACE_MAP_GET(h->version, VERSION_MINOR) < MINOR_WITH_SILENCE)
        return ACE_EINVAL;
    for (unsigned i = 0; older && i < ACE_HOST_CONFIG_WRITES; i++)
        if (of_classes(w[i].offset) && w[i].value) return ACE_EINVAL;
    for (unsigned i = 0; i < ACE_HOST_CONFIG_WRITES; i++)
        if (!(of_window(w[i].offset) && ACE_MAP_GET(lock, CONFIG_LOCK_WINDOWS)) &&
            !(of_classes(w[i].offset) && older))
            TRY(put(h, w[i].offset, w[i].value));
    TRY(get(h, ACE_MAP_CONTROL, &control));
    TRY(get(h, ACE_MAP_STATUS, &status));
    if (ACE_MAP_GET(status, STATUS_MEMORY_LOST)) return ACE_EMEMORY;
    return ACE_MAP_GET(control, CONTROL_RUN) ? ACE_OK : ACE_EINVAL;
}

int ace_host_submit(ace_host *h, const ace_command *c) {
    ace_register_write w[ACE_HOST_COMMAND_WRITES];
    uint32_t status;
    TRY(get(h, ACE_MAP_STATUS, &status));
    if (ACE_MAP_GET(status, STATUS_FAILED)) return ACE_EFAILED;
    if (!ACE_MAP_GET(status, STATUS_ROOM) || h->outstanding_count == ACE_HOST_OUTSTANDING)
        return ACE_EBUSY;
    ace_host_command_writes(c, w);
    TRY(put_all(h, w, ACE_HOST_COMMAND_WRITES));
    h->outstanding[h->outstanding_count++] = c->tag;
    return ACE_OK;
}

/* Removes the oldest command with this tag from those outstanding. */
static void came_back(ace_host *h, uint16_t tag) {
    unsigned i = 0;
    while (i < h->outstanding_count && h->outstanding[i] != tag) i++;
    if (i == h->outstanding_count) return; /* of a slot */
    h->outstanding_count--;
    memmove(&h->outstanding[i], &h->outstanding[i + 1],
            (h->outstanding_count - i) * sizeof *h->outstanding);
}

int ace_host_poll(ace_host *h, ace_host_completion *c) {
    uint32_t w;
    TRY(get(h, ACE_MAP_COMPLETION, &w));
    if (!ACE_MAP_GET(w, COMPLETION_VALID)) return ACE_EBUSY;
    c->tag = (uint16_t)ACE_MAP_GET(w, COMPLETION_TAG);
    c->code = (ace_code)ACE_MAP_GET(w, COMPLETION_CODE);
    came_back(h, c->tag);
    return put(h, ACE_MAP_COMPLETION_TAKE, 1);
}

/* The interrupts are cleared before the look at completions: one that comes after the look sets
 * its bit again. */
int ace_host_wait(ace_host *h, uint64_t patience, ace_host_completion *c) {
    for (;;) {
        uint32_t events;
        TRY(get(h, ACE_MAP_INTERRUPT_STATUS, &events));
        TRY(put(h, ACE_MAP_INTERRUPT_STATUS, events));
        if (ACE_MAP_GET(events, INTERRUPT_STATUS_READ_ERROR) ||
            ACE_MAP_GET(events, INTERRUPT_STATUS_WRITE_ERROR) ||
            ACE_MAP_GET(events, INTERRUPT_STATUS_WATCHDOG) ||
            ACE_MAP_GET(events, INTERRUPT_STATUS_MISMATCH) ||
            ACE_MAP_GET(events, INTERRUPT_STATUS_LINK_FAILED) ||
            ACE_MAP_GET(events, INTERRUPT_STATUS_SCRATCHPAD_ERROR) ||
            ACE_MAP_GET(events, INTERRUPT_STATUS_TRANSFER) ||
            ACE_MAP_GET(events, INTERRUPT_STATUS_PARITY_ERROR) ||
            ACE_MAP_GET(events, INTERRUPT_STATUS_MEMORY_PROTOCOL) ||
            ACE_MAP_GET(events, INTERRUPT_STATUS_MEMORY_LOST))
            return ACE_EFAILED;
        const int err = ace_host_poll(h, c);
        if (err != ACE_EBUSY) return err;
        TRY(h->bus.wait_interrupt(h->bus.self, patience));
    }
}

int ace_host_error_read(ace_host *h, ace_host_error *e) {
    uint32_t w, low, high;
    TRY(get(h, ACE_MAP_ERROR, &w));
    TRY(get(h, ACE_MAP_ERROR_ADDRESS_LOW, &low));
    TRY(get(h, ACE_MAP_ERROR_ADDRESS_HIGH, &high));
    *e = (ace_host_error){ .valid = ACE_MAP_GET(w, ERROR_VALID),
                           .code = (ace_code)ACE_MAP_GET(w, ERROR_CODE),
                           .response = (uint8_t)ACE_MAP_GET(w, ERROR_RESPONSE),
                           .tag = (uint16_t)ACE_MAP_GET(w, ERROR_TAG),
                           .address = (uint64_t)high << 32 | low };
    return put(h, ACE_MAP_ERROR, ACE_MAP_PUT(1, ERROR_VALID));
}

int ace_host_error_text(const ace_host_error *e, char *to, size_t size) {
    if (!e->valid) return snprintf(to, size, "no error");
    if (e->code == ACE_CODE_READ_ERROR || e->code == ACE_CODE_WRITE_ERROR)
        return snprintf(to, size, "%s, %s, in the burst at 0x%" PRIx64, ace_code_text(e->code),
                        e->response == DECERR ? "DECERR" : "SLVERR", e->address);
    if (e->code == ACE_CODE_MEMORY_PROTOCOL)
        return snprintf(to, size, "%s: 0x%" PRIx64, ace_code_text(e->code), e->address);
    if (e->code == ACE_CODE_SCRATCHPAD_ERROR)
        return snprintf(to, size, "%s: bank %u, row %u", ace_code_text(e->code),
                        (unsigned)(e->address >> 12), (unsigned)(e->address & 0xfff));
    if (e->code == ACE_CODE_BAD_REMOTE || e->code == ACE_CODE_BAD_LIST)
        return snprintf(to, size, "%s: 0x%" PRIx64, ace_code_text(e->code), e->address);
    if (e->code == ACE_CODE_PARITY_ERROR && e->address < ACE_ROW_WRONG)
        return snprintf(to, size, "%s: phase %u, word %u", ace_code_text(e->code),
                        (unsigned)(e->address >> 7), (unsigned)(e->address & 127));
    if (e->code == ACE_CODE_PARITY_ERROR)
        return snprintf(to, size, "%s: a row %s", ace_code_text(e->code),
                        ace_row_use_text((unsigned)(e->address - ACE_ROW_WRONG)));
    if (e->code == ACE_CODE_LINK_FAILED || e->code == ACE_CODE_LINK_ENDED)
        return snprintf(to, size, "%s: links 0x%02x", ace_code_text(e->code), (unsigned)e->address);
    if (e->code < ACE_CODE_BAD_CONFIGURATION || e->code == ACE_CODE_BAD_FORMAT)
        return snprintf(to, size, "command %u refused: %s", e->tag, ace_code_text(e->code));
    return snprintf(to, size, "%s", ace_code_text(e->code));
}

static bool inside(uint64_t address, uint64_t start, uint64_t bytes) {
    enum { BURST = 4096 }; /* the longest; addresses are those of bursts */
    return address + BURST > start && address < start + bytes;
}

bool ace_host_concerns(const ace_host_error *e, const ace_command *c) {
    return e->valid &&
           ((e->code == ACE_CODE_READ_ERROR && inside(e->address, c->source, c->bytes)) ||
            (e->code == ACE_CODE_WRITE_ERROR && inside(e->address, c->destination, c->bytes)));
}

int ace_host_stop(ace_host *h, unsigned polls) {
    uint32_t status;
    TRY(put(h, ACE_MAP_CONTROL, 0));
    h->outstanding_count = 0;
    do TRY(get(h, ACE_MAP_STATUS, &status));
    while (ACE_MAP_GET(status, STATUS_MEMORY_BUSY) && polls-- > 0);
    if (ACE_MAP_GET(status, STATUS_MEMORY_LOST)) return ACE_EMEMORY;
    return ACE_MAP_GET(status, STATUS_MEMORY_BUSY) ? ACE_ETIME : ACE_OK;
}

/* Takes all queued completions of outstanding commands, and those of slots while `to` has room.
 * *slots: a bit for each slot that is armed or busy, read while the queue was empty. */
static int take_all(ace_host *h, ace_host_completion to[ACE_HOST_ENDED], unsigned *count,
                    uint32_t *slots) {
    for (bool room = true; room;) {
        ace_host_completion done;
        uint32_t state = 0;
        if (h->triggers) TRY(get(h, ACE_MAP_TRIGGER_STATE, &state));
        *slots = ACE_MAP_GET(state, TRIGGER_STATE_ARMED) | ACE_MAP_GET(state, TRIGGER_STATE_BUSY);
        const int err = ace_host_poll(h, &done);
        if (err == ACE_EBUSY) break;
        TRY(err);
        room = *count + h->outstanding_count + ACE_HOST_SLOTS < ACE_HOST_ENDED;
        if (room) to[(*count)++] = done;
    }
    return ACE_OK;
}

int ace_host_end(ace_host *h, unsigned polls, ace_host_error *error,
                 ace_host_completion to[ACE_HOST_ENDED], unsigned *count) {
    uint32_t slots = 0, w = 0;
    *count = 0;
    TRY(ace_host_error_read(h, error));
    const ace_code code = error->valid ? error->code : ACE_CODE_STOPPED;
    TRY(take_all(h, to, count, &slots));
    for (unsigned i = 0; i < h->outstanding_count; i++)
        to[(*count)++] = (ace_host_completion){ h->outstanding[i], code };
    if (slots) TRY(get(h, ACE_MAP_CONFIG_TRIGGER, &w));
    const unsigned first = ACE_MAP_GET(w, CONFIG_TRIGGER_TAG) & ~(h->triggers - 1);
    for (unsigned slot = 0; slot < ACE_HOST_SLOTS; slot++)
        if (slots >> slot & 1)
            to[(*count)++] = (ace_host_completion){ (uint16_t)(first | slot), code };
    return ace_host_stop(h, polls);
}

/* ---- prepared commands ---- */

void ace_host_triggers_writes(uint16_t tag, uint64_t first, uint64_t last,
                              ace_register_write to[ACE_HOST_TRIGGERS_WRITES]) {
    to[0] =
        (ace_register_write){ ACE_MAP_CONFIG_FLAG_WINDOW_FIRST, (uint32_t)(first / ACE_ROW_BYTES) };
    to[1] =
        (ace_register_write){ ACE_MAP_CONFIG_FLAG_WINDOW_LAST, (uint32_t)(last / ACE_ROW_BYTES) };
    to[2] =
        (ace_register_write){ ACE_MAP_CONFIG_TRIGGER, ACE_MAP_PUT(tag, CONFIG_TRIGGER_TAG) |
                                                          ACE_MAP_PUT(1, CONFIG_TRIGGER_ENABLE) };
}

void ace_host_prepare_writes(unsigned slot, const ace_host_trigger *t,
                             ace_register_write to[ACE_HOST_PREPARE_WRITES]) {
    ace_host_command_writes(&t->command, to);
    unsigned n = ACE_HOST_COMMAND_WRITES - 1; /* all but the doorbell */
    to[n++] = (ace_register_write){ ACE_MAP_TRIGGER_FLAG_LOW, (uint32_t)t->flag };
    to[n++] = (ace_register_write){ ACE_MAP_TRIGGER_FLAG_HIGH, (uint32_t)(t->flag >> 32) };
    to[n++] = (ace_register_write){ ACE_MAP_TRIGGER_VALUE, t->value };
    to[n++] = (ace_register_write){ ACE_MAP_TRIGGER_RULE,
                                    ACE_MAP_PUT(t->threshold, TRIGGER_RULE_THRESHOLD) |
                                        ACE_MAP_PUT(t->next, TRIGGER_RULE_NEXT) |
                                        ACE_MAP_PUT(t->chains, TRIGGER_RULE_CHAIN) |
                                        ACE_MAP_PUT(t->repeats, TRIGGER_RULE_REPEAT) |
                                        ACE_MAP_PUT(t->writes_flag, TRIGGER_RULE_FLAG) |
                                        ACE_MAP_PUT(t->queues, TRIGGER_RULE_QUEUE) };
    to[n] =
        (ace_register_write){ ACE_MAP_TRIGGER_PREPARE, ACE_MAP_PUT(slot, TRIGGER_PREPARE_SLOT) };
}

ace_register_write ace_host_store_write(unsigned slot, unsigned stores) {
    return (ace_register_write){ ACE_MAP_TRIGGER_STORE,
                                 ACE_MAP_PUT(slot, TRIGGER_STORE_SLOT) |
                                     ACE_MAP_PUT(stores, TRIGGER_STORE_COUNT) };
}

int ace_host_triggers(ace_host *h, uint16_t tag, uint64_t first, uint64_t last) {
    ace_register_write w[ACE_HOST_TRIGGERS_WRITES];
    if (!h->triggers) return ACE_EINVAL;
    ace_host_triggers_writes(tag, first, last, w);
    return put_all(h, w, ACE_HOST_TRIGGERS_WRITES);
}

int ace_host_prepare(ace_host *h, unsigned slot, const ace_host_trigger *t) {
    ace_register_write w[ACE_HOST_PREPARE_WRITES];
    uint32_t status;
    if (slot >= h->triggers) return ACE_EINVAL;
    TRY(get(h, ACE_MAP_STATUS, &status));
    if (ACE_MAP_GET(status, STATUS_FAILED)) return ACE_EFAILED;
    ace_host_prepare_writes(slot, t, w);
    return put_all(h, w, ACE_HOST_PREPARE_WRITES);
}

int ace_host_arm(ace_host *h, unsigned slot, bool armed) {
    return put(h, ACE_MAP_TRIGGER_ARM,
               ACE_MAP_PUT(slot, TRIGGER_ARM_SLOT) | ACE_MAP_PUT(armed, TRIGGER_ARM_ARMED));
}

int ace_host_store(ace_host *h, unsigned slot, unsigned stores) {
    const ace_register_write w = ace_host_store_write(slot, stores);
    return put(h, w.offset, w.value);
}

int ace_host_links(ace_host *h, ace_link_life state[ACE_LINKS]) {
    uint32_t w;
    TRY(get(h, ACE_MAP_LINK_STATE, &w));
    for (unsigned l = 0; l < ACE_LINKS; l++) state[l] = (ace_link_life)(w >> 2 * l & 3);
    return ACE_OK;
}

int ace_host_counts(ace_host *h, ace_counts counts) {
    uint32_t index = 0;
    memset(counts, 0, sizeof(ace_counts)); /* of links that are not there */
    for (unsigned u = 0; u < ACE_UNITS; u++)
        for (unsigned c = 0; c < ACE_CLASSES && ace_unit_is_there(u, h->built.dimensions); c++) {
            uint32_t low, high;
            TRY(put(h, ACE_MAP_COUNT_SELECT, index++));
            TRY(get(h, ACE_MAP_COUNT_LOW, &low));
            TRY(get(h, ACE_MAP_COUNT_HIGH, &high));
            counts[u][c] = (uint64_t)high << 32 | low;
        }
    return ACE_OK;
}
