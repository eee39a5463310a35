/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_host_core.c -- a state machine that plays the software of one engine
 *
 * The machine has one AXI4-Lite access under way at most, and the task says which. An interrupt
 * goes first, since a completion makes room for a command. In each cycle the bus drives the
 * engine's pins, sees its answers, and then the engine ticks. The answer of a finished access
 * chooses the next task.
 *
 * A prepared command has the access of its store only. The memory of flags holds one word, which
 * no payload has.
 */
#include "ace_host_core.h"

#include <stdlib.h>
#include <string.h>

#include "ace_axil_master.h"
#include "ace_flag_memory.h"
#include "ace_host.h"

/* The slot of the prepared command, its flag and the flag's value. */
enum { SLOT = 0, FLAG = 0, VALUE = 1 };

/* Software's next access ends in one of these. */
typedef enum task {
    TASK_NONE,
    TASK_START,   /* the last write of the configuration is answered */
    TASK_EVENTS,  /* reads INTERRUPT_STATUS */
    TASK_CLEAR,   /* and clears what it has read */
    TASK_POLL,    /* reads COMPLETION */
    TASK_TAKE,    /* and takes it */
    TASK_ROOM,    /* reads STATUS, for a command that waits */
    TASK_COMMAND, /* writes it */
    TASK_STORE,   /* starts a prepared command */
} task;

typedef struct host_core {
    ace_core base;
    ace_engine *engine;
    ace_config cfg;
    ace_core_class class_;
    ace_host_way way;
    ace_axil_master bus;
    ace_flag_memory flag;
    ace_counts before; /* cycles that were counted while a command was prepared */
    bool runs;         /* a prepared command has been taken from the pins and is not done */
    uint16_t tag;      /* its tag on the pins */
    uint32_t load;     /* cycles until the load has the flag; 0: there is no load */
    task task;
    bool waiting; /* a command has been taken from the pins and not yet been written */
    bool done_valid, mismatch, read_failed, write_failed, link_failed, scratchpad_failed;
    bool protocol_failed, memory_lost;
    bool transfer_failed, parity_failed;
    uint16_t done_tag;
    unsigned at;
    ace_register_write writes[ACE_HOST_COMMAND_WRITES];
    ace_pins_out out;
} host_core;

static host_core *self(ace_core *c) { return (host_core *)c; }
static ace_core *inner(const ace_core *c) { return &((const host_core *)c)->engine->core; }

/* Counts the load of a flag that was written. Returns whether the load ends. */
static bool load(host_core *h, bool written) {
    if (written) h->load = h->flag.latency ? h->flag.latency : 1;
    return h->load && !--h->load;
}

/* A cycle of the engine with what the bus and the memory of flags do. */
static bool cycle(host_core *h, const ace_pins_in *in) {
    (void)h->engine->core.class_->out(&h->engine->core);
    ace_axil_drive(&h->bus, &h->engine->in);
    ace_flag_drive(&h->flag, &h->engine->flag_in);
    const bool ended = ace_axil_step(&h->bus, &h->engine->out);
    h->done_valid = load(h, ace_flag_step(&h->flag, &h->engine->flag_out));
    h->engine->core.class_->tick(&h->engine->core, in);
    return ended;
}

/* Writes registers while nothing arrives on links and from the memory. */
static void write_all(host_core *h, const ace_register_write *w, unsigned writes) {
    const ace_pins_in quiet = { 0 };
    for (unsigned i = 0; i < writes; i++) {
        ace_axil_write(&h->bus, w[i].offset, w[i].value);
        while (!cycle(h, &quiet)) {
        }
    }
}

/* Up to the edge with which the engine starts to run. */
static void configure(host_core *h) {
    ace_register_write w[ACE_HOST_CONFIG_WRITES], triggers[ACE_HOST_TRIGGERS_WRITES];
    const ace_pins_in quiet = { 0 };
    ace_host_config_writes(&h->cfg, 0, w);
    h->bus = (ace_axil_master){ 0 };
    h->flag = (ace_flag_memory){ .latency = h->cfg.memory_latency };
    h->load = 0;
    memset(h->before, 0, sizeof h->before);
    ace_host_triggers_writes(0, FLAG, FLAG + ACE_ROW_BYTES - 1, triggers);
    if (h->way == ACE_HOST_TRIGGER) write_all(h, triggers, ACE_HOST_TRIGGERS_WRITES);
    write_all(h, w, ACE_HOST_CONFIG_WRITES - 1u);
    const ace_register_write *start = &w[ACE_HOST_CONFIG_WRITES - 1];
    ace_axil_write(&h->bus, start->offset, start->value);
    while (h->bus.aw || h->bus.w) (void)cycle(h, &quiet);
    (void)cycle(h, &quiet); /* it is done in the cycle after both halves are there */
    h->task = TASK_START;
    h->waiting = h->runs = h->done_valid = h->mismatch = h->read_failed = h->write_failed = false;
    h->protocol_failed = h->memory_lost = false;
    h->link_failed = h->scratchpad_failed = h->transfer_failed = h->parity_failed = false;
}

/* Prepares the command. Its cycles, and those in which the engine started, do not count. */
static void prepare(host_core *h, const ace_command *c) {
    const ace_host_trigger t = {
        .command = *c, .threshold = 1, .writes_flag = true, .flag = FLAG, .value = VALUE
    };
    ace_register_write w[ACE_HOST_PREPARE_WRITES];
    const ace_pins_in quiet = { 0 };

    while (h->bus.busy) (void)cycle(h, &quiet);
    ace_host_prepare_writes(SLOT, &t, w);
    write_all(h, w, ACE_HOST_PREPARE_WRITES);
    inner(&h->base)->class_->counts(inner(&h->base), h->before);
}

/* The core can take a command. A prepared one needs no answer of the engine's start. */
static bool takes(const host_core *h) {
    return h->way == ACE_HOST_TRIGGER ? !h->runs : h->task == TASK_NONE && !h->waiting;
}

static void host_reset(ace_core *core) {
    host_core *h = self(core);
    h->engine->core.class_->reset(&h->engine->core);
    configure(h);
}

static void host_destroy(ace_core *core) {
    host_core *h = self(core);
    h->engine->core.class_->destroy(&h->engine->core);
    free(h);
}

static const ace_pins_out *host_out(ace_core *core) {
    host_core *h = self(core);
    h->out = *h->engine->core.class_->out(&h->engine->core);
    h->out.cmd_ready = takes(h);
    h->out.done_valid = h->done_valid;
    h->out.done_tag = h->done_tag;
    h->out.mismatch = h->mismatch;
    h->out.read_failed = h->read_failed;
    h->out.write_failed = h->write_failed;
    h->out.protocol_failed = h->protocol_failed;
    h->out.memory_lost = h->memory_lost;
    h->out.scratchpad_failed = h->scratchpad_failed;
    h->out.transfer_failed = h->transfer_failed;
    h->out.parity_failed = h->parity_failed;
    h->out.link_failed = h->link_failed;
    h->out.idle = h->out.idle && h->task == TASK_NONE && !h->waiting && !h->runs &&
                  !h->done_valid && !h->engine->out.irq;
    return &h->out;
}

static void begin(host_core *h, task next) {
    const ace_register_write store = ace_host_store_write(SLOT, 1);

    h->task = next;
    switch (next) {
    case TASK_EVENTS: ace_axil_read(&h->bus, ACE_MAP_INTERRUPT_STATUS); break;
    case TASK_CLEAR: ace_axil_write(&h->bus, ACE_MAP_INTERRUPT_STATUS, h->bus.data); break;
    case TASK_POLL: ace_axil_read(&h->bus, ACE_MAP_COMPLETION); break;
    case TASK_TAKE: ace_axil_write(&h->bus, ACE_MAP_COMPLETION_TAKE, 1); break;
    case TASK_ROOM: ace_axil_read(&h->bus, ACE_MAP_STATUS); break;
    case TASK_COMMAND:
        ace_axil_write(&h->bus, h->writes[h->at].offset, h->writes[h->at].value);
        break;
    case TASK_STORE: ace_axil_write(&h->bus, store.offset, store.value); break;
    default: break;
    }
}

/* Completions first: they make room. */
static void begin_any(host_core *h, bool irq) {
    begin(h, irq ? TASK_EVENTS : h->waiting ? TASK_ROOM : TASK_NONE);
}

/* The access of the task has ended. */
static void ended(host_core *h, bool irq) {
    const uint32_t data = h->bus.data;
    switch (h->task) {
    case TASK_EVENTS:
        h->mismatch |= ACE_MAP_GET(data, INTERRUPT_STATUS_MISMATCH);
        h->link_failed |= ACE_MAP_GET(data, INTERRUPT_STATUS_LINK_FAILED);
        h->read_failed |= ACE_MAP_GET(data, INTERRUPT_STATUS_READ_ERROR);
        h->write_failed |= ACE_MAP_GET(data, INTERRUPT_STATUS_WRITE_ERROR);
        h->protocol_failed |= ACE_MAP_GET(data, INTERRUPT_STATUS_MEMORY_PROTOCOL);
        h->memory_lost |= ACE_MAP_GET(data, INTERRUPT_STATUS_MEMORY_LOST);
        h->scratchpad_failed |= ACE_MAP_GET(data, INTERRUPT_STATUS_SCRATCHPAD_ERROR);
        h->transfer_failed |= ACE_MAP_GET(data, INTERRUPT_STATUS_TRANSFER);
        h->parity_failed |= ACE_MAP_GET(data, INTERRUPT_STATUS_PARITY_ERROR);
        begin(h, TASK_CLEAR);
        return;
    case TASK_CLEAR: begin(h, TASK_POLL); return;
    case TASK_POLL:
        if (!ACE_MAP_GET(data, COMPLETION_VALID)) break;
        h->done_valid = ACE_MAP_GET(data, COMPLETION_CODE) == ACE_CODE_NONE;
        h->done_tag = (uint16_t)ACE_MAP_GET(data, COMPLETION_TAG);
        begin(h, TASK_TAKE);
        return;
    case TASK_TAKE: begin(h, TASK_POLL); return;
    case TASK_ROOM:
        if (!ACE_MAP_GET(data, STATUS_ROOM)) break;
        h->at = 0;
        begin(h, TASK_COMMAND);
        return;
    case TASK_COMMAND:
        if (++h->at < ACE_HOST_COMMAND_WRITES) {
            begin(h, TASK_COMMAND);
            return;
        }
        h->waiting = false;
        break;
    default: break;
    }
    begin_any(h, irq);
}

static void host_tick(ace_core *core, const ace_pins_in *pins) {
    host_core *h = self(core);
    const bool taken = pins->cmd_valid && takes(h);
    ace_pins_in in = *pins;
    in.cmd_valid = false;
    if (taken && h->way == ACE_HOST_TRIGGER) {
        prepare(h, &pins->cmd);
        h->runs = true;
        h->tag = pins->cmd.tag;
        begin(h, TASK_STORE); /* in this cycle */
    }
    const bool end = cycle(h, &in); /* engine->out still holds this cycle's outputs */
    const bool irq = h->engine->out.irq;
    if (taken && h->way == ACE_HOST_DOORBELL) {
        h->waiting = true;
        ace_host_command_writes(&pins->cmd, h->writes);
    }
    if (h->done_valid) {
        h->runs = false;
        h->done_tag = h->tag;
    }
    if (end)
        ended(h, irq);
    else if (h->task == TASK_NONE)
        begin_any(h, irq);
}

static void host_skip(ace_core *core, uint64_t cycles) {
    inner(core)->class_->skip(inner(core), cycles);
}
static void host_counts(const ace_core *core, ace_counts c) {
    inner(core)->class_->counts(inner(core), c);
    for (unsigned u = 0; u < ACE_UNITS; u++)
        for (unsigned k = 0; k < ACE_CLASSES; k++)
            c[u][k] -= ((const host_core *)core)->before[u][k];
}
static void host_dump(const ace_core *core, FILE *to) {
    inner(core)->class_->dump(inner(core), to);
}
static void host_time(ace_core *core, uint64_t now) {
    if (inner(core)->class_->time) inner(core)->class_->time(inner(core), now);
}

static void host_state(ace_core *core, ace_state *s) {
    host_core *h = self(core);
    inner(core)->class_->state(inner(core), s);
    ACE_STATE(s, h->bus);
    ACE_STATE(s, h->flag);
    ACE_STATE(s, h->before);
    ACE_STATE(s, h->runs);
    ACE_STATE(s, h->tag);
    ACE_STATE(s, h->load);
    ACE_STATE(s, h->task);
    ACE_STATE(s, h->waiting);
    ACE_STATE(s, h->done_valid);
    ACE_STATE(s, h->done_tag);
    ACE_STATE(s, h->mismatch);
    ACE_STATE(s, h->link_failed);
    ACE_STATE(s, h->read_failed);
    ACE_STATE(s, h->write_failed);
    ACE_STATE(s, h->protocol_failed);
    ACE_STATE(s, h->memory_lost);
    ACE_STATE(s, h->scratchpad_failed);
    ACE_STATE(s, h->transfer_failed);
    ACE_STATE(s, h->parity_failed);
    ACE_STATE(s, h->at);
    ACE_STATE(s, h->writes);
}

const ace_engine *ace_host_core_engine(const ace_core *core) {
    return ((const host_core *)core)->engine;
}

int ace_host_core_create(ace_engine *engine, const ace_node_setup *setup, ace_host_way way,
                         ace_core **core) {
    const int err = ace_parameters_check(&setup->parameters, &setup->config);
    host_core *h = err ? NULL : calloc(1, sizeof *h);
    if (!h) {
        engine->core.class_->destroy(&engine->core);
        return err ? err : ACE_ENOMEM;
    }
    h->class_ = (ace_core_class){ .rung = engine->core.class_->rung,
                                  .destroy = host_destroy,
                                  .reset = host_reset,
                                  .out = host_out,
                                  .tick = host_tick,
                                  .skip = host_skip,
                                  .counts = host_counts,
                                  .dump = host_dump,
                                  .time = host_time,
                                  .state = host_state };
    h->base.class_ = &h->class_;
    h->engine = engine;
    h->way = way;
    h->cfg = setup->config;
    configure(h);
    *core = &h->base;
    return ACE_OK;
}
