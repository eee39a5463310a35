/* SPDX-License-Identifier: Apache-2.0 */
/* cluster.c -- a cluster: its file, its configuration, its ideal bandwidth */
#include "cluster.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ace_core.h"
#include "ace_plan.h"
#include "ace_program.h"
#include "algorithms.h"
#include "baseline.h"
#include "data_path.h"
#include "digest.h"
#include "exit_status.h"
#include "gemm_table.h"
#include "input_file.h"
#include "link_graph.h"
#include "message.h"
#include "npu.h"
#include "setup_fields.h"
#include "setup_schema.h"
#include "values.h"
#include "yaml_file.h"

/* What each endpoint gives to communication, unless something else is asked for. */
static const struct share {
    double memory_GBps;
    unsigned sms;
} shares[] = { [ENDPOINT_ACE] = { 128, 0 },
               [ENDPOINT_IDEAL] = { 0, 0 },
               [ENDPOINT_COMM_OPT] = { 450, 6 },
               [ENDPOINT_COMP_OPT] = { 128, 2 },
               [ENDPOINT_NO_OVERLAP] = { 900, 80 } };

double cluster_memory_GBps(const cluster *c) {
    return c->memory_GBps > 0 ? c->memory_GBps : shares[c->endpoint].memory_GBps;
}
unsigned cluster_sms(const cluster *c) {
    return c->sms && endpoint_is_baseline(c->endpoint) ? c->sms : shares[c->endpoint].sms;
}
bool endpoint_is_baseline(endpoint e) { return shares[e].sms != 0; }

const char *endpoint_name(endpoint e) { return endpoint_names[e]; }

unsigned cluster_nodes(const cluster *c) {
    uint64_t nodes = 1;

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) nodes *= c->ring[d];
    return nodes < UINT_MAX ? (unsigned)nodes : UINT_MAX;
}

/* The dimensions in front of the last one that has members, `least` at the least. */
static unsigned dimensions_of(const cluster *c, unsigned least) {
    for (unsigned d = ACE_CLUSTER_DIMENSIONS; d > least; d--)
        if (c->ring[d - 1] > 1) return d;
    return least;
}

unsigned cluster_said(const cluster *c) { return dimensions_of(c, ACE_DIMENSIONS); }

unsigned cluster_engine_members(const cluster *c, unsigned dimension) {
    return dimension >= ACE_DIMENSIONS           ? 1
           : c->wiring[dimension] == WIRING_RING ? ACE_MEMBERS
                                                 : LINK_GRAPH_NPUS;
}

bool cluster_engine_has(const cluster *c, unsigned dimension) {
    return c->ring[dimension] <= cluster_engine_members(c, dimension);
}

bool cluster_of_engines(const cluster *c) {
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        if (!cluster_engine_has(c, d)) return false;
    return true;
}

int cluster_links_dimension(const cluster *c) {
    for (int d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        if (c->wiring[d] == WIRING_LINKS && c->ring[d] > 1) return d;
    return -1;
}

void cluster_settle(cluster *c) {
    ace_parameters *p = &c->parameters;

    p->dimensions = dimensions_of(c, ACE_LEAST_dimensions);
    if (p->fsms == 16) p->fsms = 4 * (p->dimensions + 1);
}

cluster cluster_default(void) {
    run_fields o;

    setup_initial(&o);
    return o.cluster;
}

/* ---- the file: its keys are those of setup_fields.def ----------------------------------- */

enum {
    MAPPINGS = 8 + ACE_CLUSTER_DIMENSIONS,
    KEYS = 24
}; /* of a cluster file, and of a mapping, at most */

/* What a key of the file sets, and where the file has it. */
typedef struct slot {
    const setup_field *field;
    unsigned dimension; /* where the field has a value for each */
    run_fields *o;
    const char *file;
    size_t line, column; /* line 0: the file does not have it */
} slot;

typedef struct cluster_keys {
    yaml_key keys[MAPPINGS][KEYS]; /* the first are those of the file itself */
    unsigned count[MAPPINGS], mappings;
    char names[MAPPINGS * KEYS][32];
    unsigned name_count;
    slot slots[SETUP_FIELDS + 3 * ACE_CLUSTER_DIMENSIONS];
    unsigned slot_count;
    char accepted[SETUP_FIELDS][96];
} cluster_keys;

static bool take_slot(void *to, const char *value) {
    const slot *s = to;

    return s->field->type == SETUP_TYPE_BANDWIDTHS || s->field->type == SETUP_TYPE_COUNTS
               ? setup_take_one(s->field, value, s->dimension, s->o)
               : setup_take(s->field, value, s->o);
}

static void slot_seen(void *to, size_t line, size_t column) {
    slot *s = to;

    s->line = line;
    s->column = column;
    s->o->source[s->field - setup_fields] =
        (setup_source){ .file = s->file, .line = line, .column = column };
}

/* The key of a name in a mapping, made where it is not there yet. */
static yaml_key *key_of(cluster_keys *k, unsigned mapping, const char *name, size_t length) {
    yaml_key *key = k->keys[mapping];

    for (; key->name; key++)
        if (strlen(key->name) == length && !strncmp(key->name, name, length)) return key;
    snprintf(k->names[k->name_count], sizeof k->names[0], "%.*s", (int)length, name);
    key->name = k->names[k->name_count++];
    return key;
}

/* Adds what a path such as "links.*.latency" stands for to a mapping. */
static void add_key(cluster_keys *k, unsigned mapping, const char *path, const slot *to) {
    const char *const dot = strchr(path, '.');
    yaml_key *key;

    if (*path == '*') {
        for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
            char one[64];
            slot s = *to;

            snprintf(one, sizeof one, "%c%s", ACE_DIMENSION_LETTERS[d], path + 1);
            s.dimension = d;
            add_key(k, mapping, one, &s);
        }
        return;
    }
    key = key_of(k, mapping, path, dot ? (size_t)(dot - path) : strlen(path));
    if (dot) {
        if (!key->map) key->map = k->keys[++k->mappings];
        add_key(k, (unsigned)((const yaml_key(*)[KEYS])key->map - k->keys), dot + 1, to);
        return;
    }
    k->slots[k->slot_count] = *to;
    key->parse = take_slot;
    key->to = &k->slots[k->slot_count++];
    key->required = to->field == &setup_fields[SETUP_TOPOLOGY];
    key->accepted = k->accepted[to->field - setup_fields];
}

static bool is_of_npu(const setup_field *f) { return f->key && !strncmp(f->key, "npu.", 4); }

/* alone: of an accelerator, whose file has its name and what a cluster's has of its NPUs. */
static cluster_keys *make_keys(run_fields *o, const char *file, bool alone) {
    cluster_keys *k = calloc(1, sizeof *k);

    for (unsigned i = 0; k && i < SETUP_FIELDS; i++) {
        const slot s = { .field = &setup_fields[i], .o = o, .file = file };

        if (!s.field->key || (alone && i != SETUP_NAME && !is_of_npu(s.field))) continue;
        setup_accepted(s.field, k->accepted[i], sizeof k->accepted[i]);
        add_key(k, 0, s.field->key, &s);
    }
    if (!k) (void)message_no_memory();
    return k;
}

/* The table of products that it names. */
static int read_products(run_fields *o) {
    char found[DATA_PATH];

    if (!*o->cluster.gemm_table) return EXIT_OK;
    return data_path_find(o->cluster.gemm_table, found)
               ? gemm_table_of(found, &o->cluster.npu.products)
               : EXIT_USAGE;
}

static const slot *slot_of(const cluster_keys *k, setup_id id, unsigned dimension) {
    for (unsigned i = 0; i < k->slot_count; i++)
        if (k->slots[i].field == &setup_fields[id] && k->slots[i].dimension == dimension)
            return &k->slots[i];
    return NULL;
}

/* A dimension's bandwidth is said once: of both ports of an NPU, or of each. */
static int check_bandwidths(const cluster_keys *k, const char *file) {
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        const slot *npu = slot_of(k, SETUP_NPU_BANDWIDTH, d);
        const slot *port = slot_of(k, SETUP_LINK_BANDWIDTH, d);
        char found[64];

        if (!npu || !npu->line || !port->line) continue;
        snprintf(found, sizeof found, "npu_bandwidth and bandwidth of %c",
                 ACE_DIMENSION_LETTERS[d]);
        yaml_error(file, npu->line, npu->column, found,
                   "one: npu_bandwidth of all that an NPU sends into the dimension, or bandwidth "
                   "of each of its two ports");
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

/* The fields that a file has.  Later messages name it as it was written, which lasts longer. */
static int read_fields(const char *file, bool alone, run_fields *o) {
    char found[DATA_PATH];

    if (!data_path_find(file, found)) return EXIT_USAGE;
    cluster_keys *const k = make_keys(o, input_name(file), alone);
    const int rc = !k                                             ? EXIT_CHECK
                   : yaml_read_seen(found, k->keys[0], slot_seen) ? EXIT_USAGE
                                                                  : check_bandwidths(k, found);
    free(k);
    return rc;
}

/* What the file of its NPUs says, and the cluster's own does not.  A message about such a value names
 * the line that names the accelerator. */
static int take_accelerator(run_fields *o) {
    run_fields *const a = calloc(1, sizeof *a);

    if (!a) return message_no_memory();
    setup_initial(a);
    const int rc = read_fields(o->cluster.accelerator, true, a);
    for (unsigned i = 0; rc == EXIT_OK && i < SETUP_FIELDS; i++) {
        const setup_field *const f = &setup_fields[i];

        if (!is_of_npu(f) || !setup_given(a, (setup_id)i) || setup_given(o, (setup_id)i)) continue;
        memcpy((char *)o + f->at, (const char *)a + f->at, f->bytes);
        o->source[i] = o->source[SETUP_ACCELERATOR];
    }
    free(a);
    return rc;
}

int cluster_read(const char *file, run_fields *o) {
    int rc = read_fields(file, false, o);

    if (rc == EXIT_OK && *o->cluster.accelerator) rc = take_accelerator(o);
    return rc == EXIT_OK ? read_products(o) : rc;
}

int accelerator_read(const char *file, run_fields *o) {
    const int rc = read_fields(file, true, o);

    return rc == EXIT_OK ? read_products(o) : rc;
}

bool cluster_file_digest(const char *file, uint64_t *hash) {
    char found[DATA_PATH];
    run_fields o;

    setup_initial(&o);
    if (cluster_read(file, &o) != EXIT_OK) return false;
    if (!data_path_find(file, found) || !digest_file(found, hash)) return false;
    if (*o.cluster.accelerator &&
        (!data_path_find(o.cluster.accelerator, found) || !digest_file(found, hash)))
        return false;
    if (o.cluster.npu.products) *hash = gemm_table_digest(o.cluster.npu.products, *hash);
    return true;
}

static cJSON *slot_schema(const yaml_key *key) {
    return setup_schema(((const slot *)key->to)->field);
}

static cJSON *schema_of(bool alone) {
    run_fields o;
    cluster_keys *k = make_keys(&o, "", alone);
    cJSON *schema = k ? yaml_schema(k->keys[0], slot_schema) : NULL;

    free(k);
    return schema;
}

cJSON *cluster_schema(void) { return schema_of(false); }
cJSON *accelerator_schema(void) { return schema_of(true); }

npu_share cluster_communication(const cluster *c) {
    if (c->endpoint == ENDPOINT_IDEAL) return (npu_share){ 0, 0 };
    return (npu_share){ cluster_sms(c), cluster_memory_GBps(c) };
}

npu_share cluster_reserved(const cluster *c) {
    if (!c->reserved || c->endpoint == ENDPOINT_NO_OVERLAP) return (npu_share){ 0, 0 };
    return cluster_communication(c);
}

/* ---- the configuration ----------------------------------------------------- */

#define NO_COST 1e-9 /* in 1/256 cycle: what a division of doubles may be off */

/* Cycles a row takes at a bandwidth, to the nearest, or so many that it is never faster. */
static bool cost(const cluster *c, double GBps, bool never_faster, uint32_t *cycles) {
    const double exact = ACE_ROW_BYTES * c->clock_MHz / (GBps * 1e3) * ACE_COST_ONE;
    const double r = never_faster ? ceil(exact - NO_COST) : round(exact);

    if (!(r >= ACE_COST_ONE && r <= ACE_COST_MAX)) return false;
    *cycles = (uint32_t)r;
    return true;
}

enum {
    /* Cycles in both nodes: 15 until a packet's credit is back, 8 that an acknowledgement may wait. */
    ROUND_TRIP = 23,
    KEPT_FREE = 3 /* rows kept for a retry that stay free (ace_link_guard.v) */
};

unsigned cluster_round_trip(const cluster *c, unsigned dimension) {
    const wiring w = (wiring)c->wiring[dimension];
    const uint64_t there = w == WIRING_LINKS ? c->shortest_link : c->link_latency[dimension];
    const uint64_t back = w == WIRING_LINKS || w == WIRING_DIRECT ? 0 : there;
    const uint64_t cycles = there + back + ROUND_TRIP;
    uint32_t each;

    if (c->ring[dimension] < 2 ||
        !cost(c, c->link_GBps[dimension] * c->efficiency, c->npu_GBps[dimension] > 0, &each))
        return 0;
    return (unsigned)((cycles * ACE_COST_ONE + each - 1) / each) + KEPT_FREE;
}

unsigned cluster_link_rows(const cluster *c) {
    const ace_parameters initial = ACE_PARAMETERS_DEFAULT;
    unsigned rows = initial.link_input_rows;

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        while (rows < cluster_round_trip(c, d) && rows < ACE_LINK_PLACES_MAX / 2) rows *= 2;
    return rows;
}

unsigned cluster_shared(const cluster *c) {
    unsigned dims = 0;

    for (const char *p = c->shared_links; *p; p++) {
        const char *at = strchr(ACE_DIMENSION_LETTERS, *p);
        const unsigned d = at ? (unsigned)(at - ACE_DIMENSION_LETTERS) : ACE_CLUSTER_DIMENSIONS;

        if (d >= ACE_CLUSTER_DIMENSIONS || c->ring[d] < 2 || dims >> d & 1) return 0;
        dims |= 1U << d;
    }
    return dims;
}

unsigned cluster_interface(const cluster *c, unsigned dimension) {
    const unsigned dims = cluster_shared(c);

    return dims >> dimension & 1 ? (unsigned)__builtin_ctz(dims) : dimension;
}

double cluster_pass_cycles(const cluster *c) {
    return c->switch_GBps > 0 ? ACE_ROW_BYTES * c->clock_MHz / (c->switch_GBps * 1e3) : 0;
}

/* Where the value of a field stands, what it is, and what it could be. */
static int refuse(const run_fields *o, setup_id id, const char *expected) {
    char found[400];

    setup_found(o, id, found, sizeof found);
    fprintf(stderr, "%s, expected %s\n", found, expected);
    return EXIT_USAGE;
}

static uint32_t gcd(uint32_t a, uint32_t b) { return b ? gcd(b, a % b) : a; }

/* The fewest rows of a chunk of which every shard of the default all-reduce is whole rows. */
static uint32_t reduced_rows(const cluster *c) {
    uint32_t others = 1;

    for (unsigned d = 1; d < ACE_CLUSTER_DIMENSIONS; d++)
        others = others / gcd(others, c->ring[d]) * c->ring[d];
    return c->ring[0] * others;
}

/* Rows of a chunk: the size asked for, rounded down so that every shard of every
 * collective is whole rows; where that leaves nothing, of the default all-reduce;
 * where that leaves nothing either, shards are padded. */
static uint16_t chunk_rows(const cluster *c) {
    const uint32_t rows = (uint32_t)(c->chunk_bytes / ACE_ROW_BYTES), reduce = reduced_rows(c);
    uint32_t all = 1;

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) all *= c->ring[d];
    if (rows >= all) return (uint16_t)(rows / all * all);
    if (rows >= reduce) return (uint16_t)(rows / reduce * reduce);
    return (uint16_t)rows;
}

enum { BURST = 16 }; /* rows of the longest burst to memory: other chunks go row by row */

void cluster_settle_chunk(cluster *c) {
    for (;;) {
        const uint64_t bytes = c->chunk_bytes;
        ace_config cfg = { .chunk_rows = 0 };

        if (bytes / ACE_ROW_BYTES >= reduced_rows(c)) return;
        memcpy(cfg.ring, c->ring, sizeof cfg.ring);
        c->chunk_bytes = 2 * bytes;
        cfg.chunk_rows = chunk_rows(c);
        if (cfg.chunk_rows % BURST == 0 && ace_plan_partitions(&c->parameters, &cfg) == ACE_OK)
            continue;
        c->chunk_bytes = bytes;
        return;
    }
}

/* FSMs come 1, 2 or 4 to a phase, with at least four contexts for one. */
static int check_hardware(const run_fields *o) {
    const ace_parameters *p = &o->cluster.parameters;
    const unsigned phases = p->dimensions + 1;

    if (p->fsms != phases && p->fsms != 2 * phases && p->fsms != 4 * phases) {
        char expected[80];

        snprintf(expected, sizeof expected, "%u, %u or %u%s", phases, 2 * phases, 4 * phases,
                 phases == 4   ? ""
                 : phases == 5 ? ": four dimensions"
                               : ": one, two or four a phase");
        return refuse(o, SETUP_FSMS, expected);
    }
    if (p->fsms / phases * p->contexts < 4)
        return refuse(o, SETUP_CONTEXTS, "4 or 8 with one FSM a phase");
    if (p->link_input_rows + p->router_input_rows > ACE_LINK_PLACES_MAX)
        return refuse(o,
                      setup_given(o, SETUP_LINK_INPUT_ROWS) ? SETUP_LINK_INPUT_ROWS
                                                            : SETUP_ROUTER_INPUT_ROWS,
                      "link_input_rows and router_input_rows of together at most 4096");
    if (p->memory_bursts + p->exchange_bursts > 256)
        return refuse(
            o, setup_given(o, SETUP_EXCHANGE_BURSTS) ? SETUP_EXCHANGE_BURSTS : SETUP_MEMORY_BURSTS,
            "memory_bursts and exchange_bursts of together at most 256");
    return EXIT_OK;
}

/* The names that a parameter of the ALUs has bits of, set apart by commas. */
static void names_of(unsigned bits, const char *const *names, char *to, size_t size) {
    size_t at = 0;

    *to = 0;
    for (unsigned i = 0; names[i] && at < size; i++)
        if (bits >> i & 1)
            at += (size_t)snprintf(to + at, size - at, "%s%s", at ? ", " : "", names[i]);
}

int cluster_reduces(const run_fields *o, ace_kind kind, ace_type type) {
    const ace_parameters *p = &o->cluster.parameters;
    char types[80], ops[80];

    if (o->cluster.endpoint != ENDPOINT_ACE || ace_can_reduce(p, kind, type, o->op)) return EXIT_OK;
    names_of(p->alu_types, type_names, types, sizeof types);
    names_of(p->alu_ops, op_names, ops, sizeof ops);
    fprintf(stderr,
            "acesim: found %s of %s, expected %s of %s: this hardware has no other ALUs "
            "(alu_types %u, alu_ops %u)\n",
            op_names[o->op], type_names[type], ops, types, p->alu_types, p->alu_ops);
    return EXIT_USAGE;
}

static int check_memory(const run_fields *o, ace_config *cfg) {
    const cluster *c = &o->cluster;
    const double memory = cluster_memory_GBps(c);

    if (endpoint_is_baseline(c->endpoint) && !baseline_rate(memory * 1e3 / c->clock_MHz))
        return refuse(o, SETUP_MEMORY_BANDWIDTH,
                      "a memory bandwidth of 1/1024 to 4096 bytes a cycle (5099 GB/s at 1245 MHz)");
    if (!cost(c, memory, false, &cfg->read_cost)) {
        if (c->endpoint == ENDPOINT_ACE)
            return refuse(o, SETUP_MEMORY_BANDWIDTH,
                          "a memory bandwidth of 256 bytes in 1 to 65535 cycles (318.7 GB/s to 5 "
                          "MB/s at 1245 MHz)");
        cfg->read_cost = ACE_COST_ONE; /* baselines have their own, the ideal endpoint none */
    }
    cfg->write_cost = cfg->read_cost;
    return EXIT_OK;
}

#define SLOWEST_PASS 4096.0 /* cycles of a row: as slow as no switch is */

static int refuse_scratchpad(const run_fields *o) {
    char place[300];

    setup_place(o, SETUP_BANK_ROWS, place, sizeof place);
    fprintf(stderr,
            "%s: a scratchpad too small for one chunk in each of its partitions: found %u rows, "
            "expected more bank_rows or a smaller chunk\n",
            place, o->cluster.parameters.bank_rows);
    return EXIT_USAGE;
}

int cluster_config(const run_fields *o, ace_config *cfg) {
    const cluster *c = &o->cluster;
    int rc;

    memset(cfg, 0, sizeof *cfg);
    rc = check_hardware(o);
    if (rc != EXIT_OK) return rc;
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        cfg->ring[d] = c->ring[d];
        cfg->hub[d] = c->wiring[d] != WIRING_RING && c->ring[d] > 1;
        const bool of_npu = c->npu_GBps[d] > 0;

        if (!cost(c, c->link_GBps[d] * c->efficiency, of_npu, &cfg->link_cost[d]))
            return refuse(o, of_npu ? SETUP_NPU_BANDWIDTH : SETUP_LINK_BANDWIDTH,
                          "256 bytes in 1 to 65535 cycles on each link, after link efficiency");
    }
    if (c->switch_GBps > 0 &&
        !(cluster_pass_cycles(c) > 1e-3 && cluster_pass_cycles(c) <= SLOWEST_PASS))
        return refuse(o, SETUP_SWITCH_BANDWIDTH,
                      "at most 1000 rows of 256 bytes in a cycle, and one in 4096 cycles at least");
    rc = check_memory(o, cfg);
    if (rc != EXIT_OK) return rc;
    cfg->memory_latency = (uint16_t)c->memory_latency;
    cfg->order = c->order == CLUSTER_FIFO ? ACE_FIFO : ACE_LIFO;
    for (unsigned d = 0; c->order == CLUSTER_AGREED && d < ACE_CLUSTER_DIMENSIONS; d++)
        cfg->agreed = (uint8_t)(cfg->agreed | (c->ring[d] > 1) << d);
    cfg->chunk_rows = chunk_rows(c);
    if (c->endpoint == ENDPOINT_ACE && ace_plan_partitions(&c->parameters, cfg) != ACE_OK)
        return refuse_scratchpad(o);
    return cluster_programs(o, cfg);
}

double cluster_npu_GBps(const cluster *c, unsigned dimension) {
    return c->npu_GBps[dimension] > 0 ? c->npu_GBps[dimension] : 2 * c->link_GBps[dimension];
}

double cluster_ideal_GBps(const cluster *c, const uint64_t bytes[ACE_CLUSTER_DIMENSIONS]) {
    double slowest = 0, sum = 0, time[ACE_CLUSTER_DIMENSIONS] = { 0 };

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        double *const t = &time[cluster_interface(c, d)];

        *t += (double)bytes[d] / (2 * c->link_GBps[d]);
        if (*t > slowest) slowest = *t;
        sum += (double)bytes[d];
    }
    return slowest > 0 ? sum / slowest : 0;
}
