/* SPDX-License-Identifier: Apache-2.0 */
/* machine_config.c -- makes the configuration of a machine's nodes, and refuses what no node can
 * be; see machine_config.h */
#include "machine_config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ace_core.h"
#include "ace_plan.h"
#include "algorithms.h"
#include "baseline.h"
#include "exit_status.h"
#include "refusal.h"
#include "setup_fields.h"
#include "values.h"

/* A phase has 1, 2 or 4 FSMs; a single FSM needs at least four contexts. */
static int check_hardware(const machine *m, refusal *why) {
    const ace_parameters *p = &m->cluster.parameters;
    const unsigned phases = p->dimensions + 1;

    if (p->fsms != phases && p->fsms != 2 * phases && p->fsms != 4 * phases)
        return refuse_value(why, SETUP_FSMS, "%u, %u or %u%s", phases, 2 * phases, 4 * phases,
                            phases == 4   ? ""
                            : phases == 5 ? ": four dimensions"
                                          : ": one, two or four a phase");
    if (p->fsms / phases * p->contexts < 4)
        return refuse_value(why, SETUP_CONTEXTS, "4 or 8 with one FSM a phase");
    if (p->link_input_rows + p->router_input_rows > ACE_LINK_PLACES_MAX) {
        (void)refuse_value(why, SETUP_LINK_INPUT_ROWS,
                           "link_input_rows and router_input_rows of together at most 4096");
        why->instead = SETUP_ROUTER_INPUT_ROWS;
        return EXIT_USAGE;
    }
    if (p->memory_bursts + p->exchange_bursts > 256) {
        (void)refuse_value(why, SETUP_EXCHANGE_BURSTS,
                           "memory_bursts and exchange_bursts of together at most 256");
        why->instead = SETUP_MEMORY_BURSTS;
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

#define SLOWEST_PASS 4096.0 /* cycles of a row; no real switch is slower */

/* Checks that links, switches and memory are neither too slow nor too fast for the hardware. */
static int check_rates(const cluster *c, const cluster_rates *r, refusal *why) {
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        if (!r->link[d])
            return refuse_value(
                why, c->npu_GBps[d] > 0 ? SETUP_NPU_BANDWIDTH : SETUP_LINK_BANDWIDTH,
                "links of 256 bytes in 1 to 65535 cycles, after link efficiency (339 GB/s to 5.2 "
                "MB/s at 1245 MHz and 0.94)");
    if (c->switch_GBps > 0 && !(r->pass_cycles > 1e-3 && r->pass_cycles <= SLOWEST_PASS))
        return refuse_value(
            why, SETUP_SWITCH_BANDWIDTH,
            "at most 1000 rows of 256 bytes in a cycle, and one in 4096 cycles at least");
    if (endpoint_is_baseline(c->endpoint) && !baseline_rate(r->memory_GBps * 1e3 / c->clock_MHz))
        return refuse_value(
            why, SETUP_MEMORY_BANDWIDTH,
            "a memory bandwidth of 1/1024 to 4096 bytes a cycle (5099 GB/s at 1245 MHz)");
    if (c->endpoint == ENDPOINT_ACE && !r->memory)
        return refuse_value(why, SETUP_MEMORY_BANDWIDTH,
                            "a memory bandwidth of 256 bytes in 1 to 65535 cycles (318.7 GB/s to 5 "
                            "MB/s at 1245 MHz)");
    return EXIT_OK;
}

/* Checks that the nodes can send rows in the format, and that all of them are of FP32. */
static int check_wire_format(const machine *m, refusal *why) {
    const cluster *c = &m->cluster;
    if (!c->wire_format) return EXIT_OK;
    if (c->endpoint != ENDPOINT_ACE)
        return refuse_value(why, SETUP_WIRE_FORMAT,
                            "none: only the endpoint ace converts rows on its links");
    if (strstr(c->rungs, "calibrated"))
        return refuse_value(why, SETUP_WIRE_FORMAT,
                            "none: no calibration has measured links with a format; --rung cycle "
                            "has");
    if (m->workload)
        return refuse_value(why, SETUP_WIRE_FORMAT,
                            "none: a workload may have collectives of other types than fp32");
    return EXIT_OK;
}

int machine_config(const machine *m, ace_config *cfg, unsigned *in_network, refusal *why) {
    const cluster *c = &m->cluster;
    const cluster_rates rates = cluster_rates_of(c);
    int rc = check_hardware(m, why);

    memset(cfg, 0, sizeof *cfg);
    if (rc == EXIT_OK) rc = check_rates(c, &rates, why);
    if (rc == EXIT_OK) rc = check_wire_format(m, why);
    if (rc != EXIT_OK) return rc;
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        cfg->ring[d] = c->ring[d];
        cfg->hub[d] = c->wiring[d] != WIRING_RING && c->ring[d] > 1;
        cfg->link_cost[d] = rates.link[d];
    }
    /* baselines have their own cost, the ideal endpoint has none */
    cfg->read_cost = cfg->write_cost = rates.memory ? rates.memory : ACE_COST_ONE;
    cfg->memory_latency = (uint16_t)c->memory_latency;
    cfg->wire_format = (uint8_t)c->wire_format;
    cfg->order = c->order == CLUSTER_FIFO ? ACE_FIFO : ACE_LIFO;
    for (unsigned d = 0; c->order == CLUSTER_AGREED && d < ACE_CLUSTER_DIMENSIONS; d++)
        cfg->agreed = (uint8_t)(cfg->agreed | (c->ring[d] > 1) << d);
    cfg->chunk_rows = rates.chunk_rows;
    if (c->endpoint == ENDPOINT_ACE && ace_plan_partitions(&c->parameters, cfg) != ACE_OK)
        return refuse_at(why, SETUP_BANK_ROWS,
                         "a scratchpad too small for one chunk in each of its partitions: found %u "
                         "rows, expected "
                         "more --bank-rows or a smaller chunk",
                         c->parameters.bank_rows);
    rc = machine_programs(m, cfg, in_network, why);
    if (rc == EXIT_OK && c->wire_format && *in_network)
        return refuse_value(why, SETUP_WIRE_FORMAT, "none where a switch reduces");
    return rc;
}

/* ---- what a collective needs --------------------------------------------------------------- */

/* Lists the names of the bits in a parameter of the ALUs, separated by commas. */
static void names_of(unsigned bits, const char *const *names, char *to, size_t size) {
    size_t at = 0;

    *to = 0;
    for (unsigned i = 0; names[i] && at < size; i++)
        if (bits >> i & 1)
            at += (size_t)snprintf(to + at, size - at, "%s%s", at ? ", " : "", names[i]);
}

int machine_reduces(const machine *m, ace_kind kind, ace_type type, refusal *why) {
    const ace_parameters *p = &m->cluster.parameters;
    char types[80], ops[80];

    if (m->cluster.wire_format &&
        ((kind != ACE_ALL_REDUCE && kind != ACE_REDUCE_SCATTER) || type != ACE_FP32 ||
         m->op == ACE_AVERAGE || m->op == ACE_PRODUCT))
        return refuse(why,
                      "found %s of %s, %s, with --wire-format %s, expected all-reduce or "
                      "reduce-scatter of fp32, sum, min or max",
                      kind_names[kind], type_names[type], op_names[m->op],
                      wire_format_names[m->cluster.wire_format]);

    names_of(p->alu_types, type_names, types, sizeof types);
    names_of(p->alu_ops, op_names, ops, sizeof ops);
    if (m->cluster.endpoint != ENDPOINT_ACE || ace_can_reduce(p, kind, type, m->op)) return EXIT_OK;
    return refuse(why,
                  "found %s of %s, expected %s of %s: this hardware has no other ALUs; a cluster "
                  "file with ace: {alu_types: %u, alu_ops: %u} has all",
                  op_names[m->op], type_names[type], ops, types, (1U << ACE_TYPES) - 1,
                  (1U << ACE_OPS) - 1);
}

/* Checks that there is memory for each node's vector, its reference, and the simulated memory,
 * which holds source and destination. */
int machine_payload(const machine *m, refusal *why) {
    const double bytes = (double)m->command.bytes * (m->check ? 4 : 3) * m->nodes;
    const double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);

    if (!m->payload || bytes <= memory) return EXIT_OK;
    return refuse(why,
                  "--payload: found %.1f GiB of payload over %u nodes, expected what the %.1f GiB "
                  "of memory here can hold: a smaller --size, or no --payload",
                  bytes / 0x1p30, m->nodes, memory / 0x1p30);
}
