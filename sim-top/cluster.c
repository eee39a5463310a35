/* SPDX-License-Identifier: Apache-2.0 */
/* cluster.c -- a cluster: its file, its configuration, its ideal bandwidth */
#include <math.h>
#include <string.h>

#include "ace_program.h"
#include "acesim.h"
#include "baseline.h"
#include "conf.h"
#include "programs.h"

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

unsigned cluster_nodes(const cluster *c) {
    unsigned nodes = 1;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) nodes *= c->ring[d];
    return nodes;
}

void cluster_settle(cluster *c) {
    ace_parameters *p = &c->parameters;

    p->dimensions = c->ring[3] > 1 ? 4 : 3;
    if (p->dimensions == 4 && p->fsms == 16) p->fsms = 20;
}

/* ---- the file -------------------------------------------------------------- */

static bool read_name(void *to, const char *s) {
    if (!*s || strlen(s) > 63) return false;
    memcpy(to, s, strlen(s) + 1);
    return true;
}
static bool read_rungs(void *to, const char *s) {
    if (!*s || strlen(s) > 255) return false;
    memcpy(to, s, strlen(s) + 1);
    return true;
}
static bool read_speeds(void *to, const char *s) {
    if (strlen(s) > 255) return false;
    memcpy(to, s, strlen(s) + 1);
    return true;
}
static bool read_topology(void *to, const char *s) {
    cluster *c = to;
    return (c->sizes = (uint8_t)parse_topology(s, c->ring, c->wiring)) != 0;
}
static bool read_clock(void *to, const char *s) { return parse_clock(s, to); }
static bool read_bandwidth(void *to, const char *s) { return parse_bandwidth(s, to); }
static bool read_fraction(void *to, const char *s) { return parse_fraction(s, to); }
static bool read_size(void *to, const char *s) { return parse_size(s, to); }
static bool read_u32(void *to, const char *s, uint64_t low, uint64_t high) {
    uint64_t v;

    if (!parse_unsigned(s, low, high, &v)) return false;
    *(uint32_t *)to = (uint32_t)v;
    return true;
}
static bool read_latency(void *to, const char *s) { return read_u32(to, s, 1, 1000000); }
static bool read_memory_latency(void *to, const char *s) { return read_u32(to, s, 2, 65535); }
static bool read_parameter(void *to, const char *s) { return read_u32(to, s, 1, 65536); }
static bool read_sms(void *to, const char *s) { return read_u32(to, s, 1, 1024); }
static bool read_switch(void *to, const char *s) { return parse_switch(s, to); }
static bool read_order(void *to, const char *s) {
    int v;

    if (!parse_name(s, order_names, &v)) return false;
    *(ace_order *)to = (ace_order)v;
    return true;
}
static bool read_endpoint(void *to, const char *s) {
    int v;

    if (!parse_name(s, endpoint_names, &v)) return false;
    *(endpoint *)to = (endpoint)v;
    return true;
}

static bool read_rate(void *to, const char *s) { return parse_rate(s, to); }
static bool read_launch(void *to, const char *s) { return parse_time(s, to); }

#define BANDWIDTH "a bandwidth above 0 such as 128 GB/s"
#define COUNT     "a count from 1 to 65536"
#define FRACTION  "a fraction above 0, at most 1"
#define RATE      "a rate above 0 such as 120 TFLOPS"

int cluster_read(const char *file, cluster *c) {
    conf_key link[ACE_DIMENSIONS][3];
    const conf_key links[] = { { .name = "x", .map = link[0] },
                               { .name = "y", .map = link[1] },
                               { .name = "z", .map = link[2] },
                               { .name = "w", .map = link[3] },
                               { 0 } };
    const conf_key memory[] = {
        { "bandwidth", false, read_bandwidth, &c->memory_GBps, BANDWIDTH, NULL },
        { "latency", false, read_memory_latency, &c->memory_latency, "2 to 65535 cycles", NULL },
        { 0 }
    };
    ace_parameters *p = &c->parameters;
    const conf_key parameters[] = {
        { "fsms", false, read_parameter, &p->fsms, COUNT, NULL },
        { "contexts", false, read_parameter, &p->contexts, COUNT, NULL },
        { "bank_rows", false, read_parameter, &p->bank_rows, COUNT, NULL },
        { "link_input_rows", false, read_parameter, &p->link_input_rows, COUNT, NULL },
        { "link_output_rows", false, read_parameter, &p->link_output_rows, COUNT, NULL },
        { "commands", false, read_parameter, &p->commands, COUNT, NULL },
        { "memory_bursts", false, read_parameter, &p->memory_bursts, COUNT, NULL },
        { "router_input_rows", false, read_parameter, &p->router_input_rows, COUNT, NULL },
        { "router_output_rows", false, read_parameter, &p->router_output_rows, COUNT, NULL },
        { "exchange_rows", false, read_parameter, &p->exchange_rows, COUNT, NULL },
        { "exchange_bursts", false, read_parameter, &p->exchange_bursts, COUNT, NULL },
        { 0 }
    };
    npu *n = &c->npu;
    const conf_key npu_keys[] = {
        { "sms", false, read_parameter, &n->sms, COUNT, NULL },
        { "matrix", false, read_rate, &n->matrix_TFLOPS, RATE, NULL },
        { "vector", false, read_rate, &n->vector_TFLOPS, RATE, NULL },
        { "memory_bandwidth", false, read_bandwidth, &n->memory_GBps, BANDWIDTH, NULL },
        { "gemm_efficiency", false, read_fraction, &n->gemm_efficiency, FRACTION, NULL },
        { "convolution_efficiency", false, read_fraction, &n->convolution_efficiency, FRACTION,
          NULL },
        { "vector_efficiency", false, read_fraction, &n->vector_efficiency, FRACTION, NULL },
        { "memory_efficiency", false, read_fraction, &n->memory_efficiency, FRACTION, NULL },
        { "launch", false, read_launch, &n->launch_us, "0 to 1000 us, such as 2 us", NULL },
        { 0 }
    };
    const conf_key baseline[] = {
        { "sms", false, read_sms, &c->sms, "a count from 1 to 1024", NULL },
        { "lazy_last_reduction", false, read_switch, &c->lazy_last_reduction, "on or off", NULL },
        { 0 }
    };
    const conf_key keys[] = {
        { "name", false, read_name, c->name, "a name of 1 to 63 characters", NULL },
        { "topology", true, read_topology, c,
          "one to four sizes of 1 to 128 such as 4x4x4 or Ring(4)_Switch(8)", NULL },
        { "algorithms", false, read_speeds, c->algorithms,
          "algorithms or files such as ring,halving-doubling", NULL },
        { "clock", false, read_clock, &c->clock_MHz, "a frequency such as 1245 MHz", NULL },
        { "links", false, NULL, NULL, NULL, links },
        { "link_efficiency", false, read_fraction, &c->efficiency, FRACTION, NULL },
        { "memory", false, NULL, NULL, NULL, memory },
        { "chunk", false, read_size, &c->chunk_bytes, "a size such as 64 KiB", NULL },
        { "order", false, read_order, &c->order, "one of lifo fifo", NULL },
        { "endpoint", false, read_endpoint, &c->endpoint,
          "one of ace ideal comm-opt comp-opt no-overlap", NULL },
        { "rung", false, read_rungs, c->rungs, "cycle, rtl, or a list such as rtl:0,5;cycle:rest",
          NULL },
        { "speed", false, read_speeds, c->speeds, "a list such as 0.5:3,7", NULL },
        { "ace", false, NULL, NULL, NULL, parameters },
        { "npu", false, NULL, NULL, NULL, npu_keys },
        { "baseline", false, NULL, NULL, NULL, baseline },
        { 0 }
    };

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        link[d][0] =
            (conf_key){ "bandwidth", false, read_bandwidth, &c->link_GBps[d], BANDWIDTH, NULL };
        link[d][1] =
            (conf_key){ "latency", false, read_latency, &c->link_latency[d], "1 to 1000000 cycles",
                        NULL };
        link[d][2] = (conf_key){ 0 };
    }
    return conf_read(file, keys) ? EXIT_USAGE : EXIT_OK;
}

npu_share cluster_communication(const cluster *c) {
    if (c->endpoint == ENDPOINT_IDEAL) return (npu_share){ 0, 0 };
    return (npu_share){ cluster_sms(c), cluster_memory_GBps(c) };
}

/* ---- the configuration ----------------------------------------------------- */

/* Cycles a row takes at a bandwidth, to the nearest. */
static bool cost(const cluster *c, double GBps, uint32_t *cycles) {
    const double r = round(ACE_ROW_BYTES * c->clock_MHz / (GBps * 1e3) * ACE_COST_ONE);

    if (!(r >= ACE_COST_ONE && r <= ACE_COST_MAX)) return false;
    *cycles = (uint32_t)r;
    return true;
}

static int refuse(const char *what, const char *expected) {
    fprintf(stderr, "acesim: %s, expected %s\n", what, expected);
    return EXIT_USAGE;
}

static uint32_t gcd(uint32_t a, uint32_t b) { return b ? gcd(b, a % b) : a; }

/* Rows of a chunk: the size asked for, rounded down so that every shard of every
 * collective is whole rows; where that leaves nothing, of the default all-reduce;
 * where that leaves nothing either, shards are padded. */
static uint16_t chunk_rows(const cluster *c) {
    const uint32_t rows = (uint32_t)(c->chunk_bytes / ACE_ROW_BYTES);
    uint32_t all = c->ring[0], others = 1;

    for (unsigned d = 1; d < ACE_DIMENSIONS; d++) {
        all *= c->ring[d];
        others = others / gcd(others, c->ring[d]) * c->ring[d];
    }
    const uint32_t reduce = c->ring[0] * others;

    if (rows >= all) return (uint16_t)(rows / all * all);
    if (rows >= reduce) return (uint16_t)(rows / reduce * reduce);
    return (uint16_t)rows;
}

int cluster_config(const cluster *c, ace_config *cfg) {
    const ace_parameters *p = &c->parameters;
    const unsigned phases = p->dimensions + 1;
    const double memory = cluster_memory_GBps(c);

    memset(cfg, 0, sizeof *cfg);
    if (p->fsms != phases && p->fsms != 2 * phases && p->fsms != 4 * phases)
        return refuse("bad fsms", phases == 4 ? "4, 8 or 16" : "5, 10 or 20: four dimensions");
    if (p->contexts != 2 && p->contexts != 4 && p->contexts != 8)
        return refuse("bad contexts", "2, 4 or 8");
    if (p->fsms / phases * p->contexts < 4) return refuse("bad contexts", "4 with so few FSMs");
    if (p->commands < 2 || (p->commands & (p->commands - 1)))
        return refuse("bad commands", "a power of two, at least 2");
    if (p->bank_rows < 64 || p->bank_rows > 4096) return refuse("bad bank_rows", "64 to 4096");
    if (c->chunk_bytes < ACE_ROW_BYTES || c->chunk_bytes > 1024 * ACE_ROW_BYTES)
        return refuse("bad chunk size", "256 B to 256 KiB");
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        cfg->ring[d] = c->ring[d];
        cfg->hub[d] = c->wiring[d] != WIRING_RING && c->ring[d] > 1;
        if (!cost(c, c->link_GBps[d] * c->efficiency, &cfg->link_cost[d]))
            return refuse("a link rate out of range",
                          "256 bytes in 1 to 65535 cycles, after link efficiency");
    }
    if (endpoint_is_baseline(c->endpoint) && !baseline_rate(memory * 1e3 / c->clock_MHz))
        return refuse("a memory bandwidth out of range",
                      "1/1024 to 4096 bytes a cycle (5099 GB/s at 1245 MHz)");
    if (!cost(c, memory, &cfg->read_cost)) {
        if (c->endpoint == ENDPOINT_ACE)
            return refuse("a memory bandwidth out of range",
                          "256 bytes in 1 to 65535 cycles (318.7 GB/s to 5 MB/s at 1245 MHz)");
        cfg->read_cost = ACE_COST_ONE; /* baselines have their own, the ideal endpoint none */
    }
    cfg->write_cost = cfg->read_cost;
    cfg->memory_latency = (uint16_t)c->memory_latency;
    cfg->order = c->order;
    cfg->chunk_rows = chunk_rows(c);
    if (c->endpoint == ENDPOINT_ACE && ace_plan_partitions(p, cfg) != ACE_OK)
        return refuse("a scratchpad too small for one chunk in each of its partitions",
                      "more bank_rows or a smaller chunk");
    return cluster_programs(c, cfg);
}

double cluster_ideal_GBps(const cluster *c, const uint64_t bytes[ACE_DIMENSIONS]) {
    double slowest = 0, sum = 0;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        const double t = (double)bytes[d] / (2 * c->link_GBps[d]);
        if (t > slowest) slowest = t;
        sum += (double)bytes[d];
    }
    return slowest > 0 ? sum / slowest : 0;
}
