/* SPDX-License-Identifier: Apache-2.0 */
/*
 * upset_node.c -- wrong bits in the hardware's registers and buffers: what becomes of them
 *
 *     upset_node RUNG COUNT SEED
 *
 * Four nodes of a 2x2 torus with frames that are sent again carry out an all-reduce of integers and
 * an all-to-all at once.  Node 0 stands on RUNG, `cycle` or `rtl`.  COUNT times, each from the same
 * beginning, one bit of node 0 changes in a cycle drawn at random:
 *
 *   rows       a row in the buffers of links, DMAs, memory interface and exchange, and in the
 *              registers between them.  On `cycle` one that is there, but for those under the CRC
 *              of a frame, which the twin does not sum.  On `rtl` any place of any register or
 *              buffer of rows, each as likely; most places are empty
 *   program    a word of the FSMs' programs
 *   registers  any other register (`rtl` alone) but for those of the scratchpad, which has SECDED
 *
 * Prints a line for each place with the number of changes by outcome. The outcomes are
 *
 *   right    the memory of all nodes is right
 *   told     a node reports an error, or a frame has a wrong CRC
 *   silent   bytes are wrong without a report
 *   hang     there is no end in four times the cycles
 *   stop     the process ends, for example at an array's bound in a model
 *
 * The numbers have no expected values: they show what the hardware does not protect.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ace_memory.h"
#include "ace_node_core.h"
#include "ace_node_driver.h"
#include "ace_plan.h"
#include "ace_random.h"
#include "ace_registers.h"
#include "ace_rtl_node.h"
#include "ace_rtl_registers.h"

enum { NODES = 4, LATENCY = 40, BYTES = 20000, COMMANDS = 2, ROW_BITS = 2048 };
enum { SOURCE = 0, TARGET = 1 << 20, APART = 1 << 22 };

typedef enum place { ROWS, PROGRAM, REGISTERS, PLACES } place;
static const char *const place_name[PLACES] = { "rows", "program", "registers" };
typedef enum end { RIGHT, TOLD, SILENT, HANG, STOP, NOWHERE, ENDS } end;

typedef struct cluster {
    ace_wire *wire[NODES * 4];
    ace_memory *memory[NODES];
    ace_node *node[NODES];
    unsigned done;
    uint64_t now;
} cluster;

static void fail(const char *what) {
    fprintf(stderr, "upset_node: %s\n", what);
    exit(1);
}

/* ---- the nodes ------------------------------------------------------------------------------ */

/* A core whose frames are compared with their CRC: drivers take them as they are. */
typedef struct checked {
    ace_core base;
    ace_core_class class_;
    ace_core *core;
    bool wrong;
} checked;
static checked rtl_node; /* one at a time */

static checked *checked_of(ace_core *core) { return (checked *)core; }
static void checked_destroy(ace_core *c) {
    checked_of(c)->core->class_->destroy(checked_of(c)->core);
}
static void checked_reset(ace_core *c) { checked_of(c)->core->class_->reset(checked_of(c)->core); }
static const ace_pins_out *checked_out(ace_core *c) {
    const ace_pins_out *o = checked_of(c)->core->class_->out(checked_of(c)->core);
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (o->tx_frame >> l & 1)
            checked_of(c)->wrong |= ace_link_sender_tx_crc(o, l) != o->tx_crc[l];
    return o;
}
static void checked_tick(ace_core *c, const ace_pins_in *in) {
    checked_of(c)->core->class_->tick(checked_of(c)->core, in);
}
static void checked_skip(ace_core *c, uint64_t cycles) {
    checked_of(c)->core->class_->skip(checked_of(c)->core, cycles);
}
static void checked_dump(const ace_core *c, FILE *to) {
    const checked *k = (const checked *)c;
    k->core->class_->dump(k->core, to);
}

static ace_core *check_frames(ace_core *core) {
    rtl_node = (checked){ .class_ = { .rung = "rtl",
                                      .destroy = checked_destroy,
                                      .reset = checked_reset,
                                      .out = checked_out,
                                      .tick = checked_tick,
                                      .skip = checked_skip,
                                      .dump = checked_dump },
                          .core = core };
    rtl_node.base.class_ = &rtl_node.class_;
    return &rtl_node.base;
}

static ace_node *make(const ace_node_setup *s, bool rtl) {
    ace_core *core = NULL;
    ace_node *node = NULL;

    if ((rtl ? ace_rtl_core_create(&s->parameters, &s->config, true, 1, NULL, &core)
             : ace_cycle_core_create(&s->parameters, &s->config, true, &core)) != ACE_OK ||
        ace_driver_create(rtl ? check_frames(core) : core, s, &node) != ACE_OK)
        fail("a node cannot be made");
    return node;
}

static void begin(cluster *c, bool rtl, uint64_t seed) {
    static const ace_kind kinds[COMMANDS] = { ACE_ALL_REDUCE, ACE_ALL_TO_ALL };
    uint32_t words[BYTES / 4];

    *c = (cluster){ .now = 0 };
    for (unsigned i = 0; i < NODES * 4; i++)
        if (!(c->wire[i] = ace_wire_create(LATENCY, LATENCY, true))) fail("no memory");
    for (unsigned i = 0; i < NODES; i++) {
        ace_node_setup s = { .parameters = ACE_PARAMETERS_DEFAULT };
        ace_config *f = &s.config;

        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
            f->ring[d] = d < 2 ? 2 : 1;
            f->rank[d] = d < 2 ? i >> d & 1 : 0;
            f->link_cost[d] = 2 * ACE_COST_ONE;
        }
        f->chunk_rows = 16;
        f->read_cost = f->write_cost = 5 * ACE_COST_ONE / 2;
        f->memory_latency = 60;
        f->retry = 400;
        if (ace_plan_partitions(&s.parameters, f)) fail("no partitions");
        for (unsigned l = 0; l < 4; l++) {
            s.out[l] = c->wire[4 * i + l];
            s.in[l] = c->wire[4 * (i ^ (l < 2 ? 1 : 2)) + (l ^ 1)];
        }
        if (!(s.memory = c->memory[i] = ace_memory_create())) fail("no memory");
        c->node[i] = make(&s, rtl && i == 0);
        for (unsigned k = 0; k < COMMANDS; k++) {
            const ace_command command = { .kind = kinds[k],
                                          .type = ACE_FP32,
                                          .dim_count = 2,
                                          .dims = { 0, 1 },
                                          .bytes = BYTES,
                                          .source = SOURCE + k * APART,
                                          .destination = TARGET + k * APART,
                                          .tag = (uint16_t)k };
            for (unsigned w = 0; w < BYTES / 4; w++)
                words[w] = 0x3f800000 | /* 1 to 2: a changed bit shows in the sum */
                           (uint32_t)ace_random_mix(seed + (i * COMMANDS + k) * BYTES + w) >> 9;
            if (ace_memory_write(s.memory, command.source, words, BYTES) != ACE_OK ||
                ace_node_submit(c->node[i], &command, 0) != ACE_OK)
                fail("a command was refused");
        }
    }
}

static void end_of(cluster *c) {
    for (unsigned i = 0; i < NODES; i++) ace_node_destroy(c->node[i]);
    for (unsigned i = 0; i < NODES; i++) ace_memory_destroy(c->memory[i]);
    for (unsigned i = 0; i < NODES * 4; i++) ace_wire_destroy(c->wire[i]);
}

/* All to a cycle; true: a node has reported an error. */
static bool run_to(cluster *c, uint64_t cycle) {
    ace_completion completion;
    bool error = false;

    while (c->now < cycle) {
        c->now = c->now + LATENCY < cycle ? c->now + LATENCY : cycle;
        for (unsigned i = 0; i < NODES; i++) {
            ace_node_run(c->node[i], c->now);
            while (ace_node_completion(c->node[i], &completion)) c->done++;
            error |= ace_node_error(c->node[i]) != ACE_OK;
        }
        if (error || c->done == NODES * COMMANDS) break;
    }
    return error;
}

/* Returns a digest of the memory of all nodes after the commands. */
static uint64_t results(const cluster *c) {
    uint64_t sum = 0;
    uint32_t words[BYTES / 4];

    for (unsigned i = 0; i < NODES * COMMANDS; i++) {
        ace_memory_read(c->memory[i / COMMANDS], TARGET + i % COMMANDS * APART, words, BYTES);
        for (unsigned w = 0; w < BYTES / 4; w++) sum = ace_random_mix(sum ^ words[w]);
    }
    return sum;
}

/* ---- one wrong bit -------------------------------------------------------------------------- */

typedef struct choice {
    place where;
    /* the bit that changes, of so many; counted first, then found.  Of rows in RTL it is a register
     * of so many, and fine says which bit of it. */
    uint64_t number, bits, fine;
    bool found;
} choice;

/* Is the row under the CRC of a frame? */
static bool in_a_frame(const ace_row_register *r) {
    static const char *const names[] = { "out_data_q", "tx_data_q", "kept_row_q" };
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(r->name, names[i])) return true;
    return strstr(r->unit, "u_receiver") || strstr(r->unit, "u_sender");
}

static void at_row(void *self, const ace_row_register *r) {
    choice *c = self;

    if (!r->row || r->row == ace_datapath_zero_row)
        return; /* nothing there, or what is no register */
    if (in_a_frame(r)) return;
    if (c->number >= c->bits && c->number - c->bits < ROW_BITS) {
        const uint64_t bit = c->number - c->bits;
        ((uint32_t *)(uintptr_t)r->row)[bit / 32] ^= UINT32_C(1) << bit % 32;
        c->found = true;
    }
    c->bits += ROW_BITS;
}

static place place_of(const ace_rtl_register *r) {
    if (r->bits == ROW_BITS) return ROWS; /* in the scratchpad those that were decoded */
    if (strstr(r->name, "u_scratchpad")) return PLACES;
    return strstr(r->name, "u_program") ? PROGRAM : REGISTERS;
}
static void at_register(void *self, const ace_rtl_register *r) {
    choice *c = self;
    const uint64_t all = (uint64_t)r->bits * r->depth, bits = c->where == ROWS ? 1 : all;

    if (place_of(r) != c->where) return;
    if (c->number >= c->bits && c->number - c->bits < bits) {
        const uint64_t at = c->where == ROWS ? c->fine % all : c->number - c->bits;
        const uint64_t bit = at % r->bits, entry = at / r->bits;
        ((uint8_t *)r->at)[entry * r->stride + bit / 8] ^= (uint8_t)(1u << bit % 8);
        c->found = true;
    }
    c->bits += bits;
}

/* Bits of a place, of which one changes unless number is past them. */
static uint64_t change(ace_core *core, bool rtl, place where, uint64_t number, uint64_t fine) {
    choice c = { .where = where, .number = number, .fine = fine };

    if (rtl) {
        ace_rtl_core_registers(core, at_register, &c);
        if (c.found) ace_rtl_core_settle(core, false);
    } else if (where == ROWS) {
        ace_cycle_core_rows(core, at_row, &c);
    } else if (where == PROGRAM) {
        uint32_t *words = ((ace_cycle_core *)core)->phases.words;
        c.bits = 32 * ACE_PROGRAM_WORDS;
        if (number < c.bits) words[number / 32] ^= UINT32_C(1) << number % 32;
    }
    return c.bits;
}

static end rest_of(cluster *c, uint64_t until, uint64_t expected) {
    if (run_to(c, until) || rtl_node.wrong) return TOLD;
    if (c->done < NODES * COMMANDS) return HANG;
    return results(c) == expected ? RIGHT : SILENT;
}

/* In a process of its own: a model may not survive it. */
static end upset(cluster *c, bool rtl, place where, uint64_t draw, uint64_t until,
                 uint64_t expected) {
    ace_core *core = rtl ? rtl_node.core : ((ace_driver *)c->node[0])->core;
    int status;
    const pid_t child = fork();

    if (child < 0) fail("no process");
    if (!child) {
        const uint64_t bits = change(core, rtl, where, UINT64_MAX, 0);
        if (!freopen("/dev/null", "w", stderr)) _exit(STOP);
        if (!bits) _exit(NOWHERE);
        change(core, rtl, where, draw % bits, ace_random_mix(draw));
        _exit((int)rest_of(c, until, expected));
    }
    if (waitpid(child, &status, 0) != child) fail("a process was lost");
    return WIFEXITED(status) && WEXITSTATUS(status) < ENDS ? (end)WEXITSTATUS(status) : STOP;
}

static int by_value(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void measure(bool rtl, place where, unsigned count, uint64_t seed) {
    cluster c;
    unsigned ends[ENDS] = { 0 };
    uint64_t *cycle = calloc(count, sizeof *cycle);

    if (!cycle) fail("no memory");
    begin(&c, rtl, seed);
    if (run_to(&c, UINT64_C(1) << 20) || c.done < NODES * COMMANDS)
        fail("it fails without a fault");
    const uint64_t cycles = c.now, expected = results(&c);
    for (unsigned i = 0; i < count; i++)
        cycle[i] = 200 + ace_random_mix(seed + 2 * i) % (cycles - 200); /* programs are there */
    qsort(cycle, count, sizeof *cycle, by_value);
    end_of(&c);
    begin(&c, rtl, seed);
    for (unsigned i = 0; i < count; i++) {
        run_to(&c, cycle[i]);
        ends[upset(&c, rtl, where, ace_random_mix(seed + 2 * i + 1), 4 * cycles, expected)]++;
    }
    printf("%-6s %-10s %7u %7u %7u %7u %7u %7u %7u\n", rtl ? "rtl" : "cycle", place_name[where],
           count - ends[NOWHERE], ends[RIGHT], ends[TOLD], ends[SILENT], ends[HANG], ends[STOP],
           ends[NOWHERE]);
    fflush(stdout);
    end_of(&c);
    free(cycle);
}

int main(int argc, char **argv) {
    const bool rtl = argc > 1 && !strcmp(argv[1], "rtl");

    if (argc != 4 || (!rtl && strcmp(argv[1], "cycle"))) fail("expected RUNG COUNT SEED");
    printf("%-6s %-10s %7s %7s %7s %7s %7s %7s %7s\n", "rung", "place", "changed", "right", "told",
           "silent", "hang", "stop", "nowhere");
    for (place p = ROWS; p < (rtl ? PLACES : REGISTERS); p++)
        measure(rtl, p, (unsigned)strtoul(argv[2], NULL, 0), strtoull(argv[3], NULL, 0));
    return 0;
}
