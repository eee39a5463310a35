/* SPDX-License-Identifier: Apache-2.0 */
/* ace_node_core_create.c -- a node made: what it can be made of, its parts, what follows from its
 * configuration */
#include <stdlib.h>

#include "ace_node_core.h"

static bool is_cost(uint32_t cost) { return cost >= ACE_COST_ONE && cost <= ACE_COST_MAX; }

/* Each parameter within its bounds. */
static bool within_bounds(const ace_parameters *p) {
#define ACE_PARAMETER(name, least, most, initial, text) \
    if (p->name < (least) || p->name > (most)) return false;
    ACE_PARAMETER_MAP(ACE_PARAMETER)
#undef ACE_PARAMETER
    return true;
}

int ace_parameters_check(const ace_parameters *p, const ace_config *cfg) {
    if (!within_bounds(p)) return ACE_EINVAL;
    const unsigned phases = p->dimensions + 1, per_phase = p->fsms / phases;
    if (p->fsms % phases || (per_phase != 1 && per_phase != 2 && per_phase != 4) ||
        (p->contexts != 2 && p->contexts != 4 && p->contexts != 8) || (p->peers & (p->peers - 1)) ||
        (p->sub_banks & (p->sub_banks - 1)) || per_phase * p->contexts < 4 ||
        (p->commands & (p->commands - 1)) ||
        p->link_input_rows + p->router_input_rows > ACE_LINK_PLACES_MAX ||
        p->memory_bursts + p->exchange_bursts > ACE_MEMORY_BURSTS_MAX)
        return ACE_EINVAL;
    if (cfg->wire_format >= ACE_WIRE_FORMATS || (cfg->wire_format && !p->wire_formats))
        return ACE_EINVAL;
    unsigned rows = 0;
    for (unsigned i = 0; i < ACE_PARTITIONS; i++) rows += cfg->partition_rows[i];
    for (unsigned i = 0; i < ACE_PARTITIONS; i++)
        if (cfg->partition_rows[i] > 4095) return ACE_EINVAL; /* the pins hold 12 bits */
    if (rows > p->bank_rows || cfg->chunk_rows < 1 || cfg->chunk_rows > 1024) return ACE_EINVAL;
    for (unsigned d = ACE_DIMENSIONS; d < ACE_CLUSTER_DIMENSIONS; d++)
        if (cfg->ring[d] > 1) return ACE_EINVAL;
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        if (cfg->ring[d] < 1 || cfg->ring[d] > (d < p->dimensions ? ACE_MEMBERS : 1) ||
            cfg->rank[d] >= cfg->ring[d] || (cfg->ring[d] > 1 && !is_cost(cfg->link_cost[d])) ||
            !ace_program_distinguishes(cfg, d, p->peers))
            return ACE_EINVAL;
    return is_cost(cfg->read_cost) && is_cost(cfg->write_cost) && cfg->memory_latency >= 2
               ? ACE_OK
               : ACE_EINVAL;
}

/* Derives constants from the configuration, and puts all units into their reset state. */
static void configure(ace_cycle_core *n) {
    const ace_parameters *p = &n->p;
    ace_scheduler_init(&n->front.scheduler, &n->cfg, p->dimensions,
                       n->phases.per_phase * p->contexts);
    for (unsigned f = 0; f < p->fsms; f++) {
        const unsigned phase = f / n->phases.per_phase;
        const uint16_t *base = n->front.scheduler.base, *rows = n->cfg.partition_rows;
        n->phases.fsm[f] =
            (ace_fsm){ .contexts = p->contexts,
                       .shift = (unsigned)__builtin_ctz(n->phases.per_phase),
                       .index = f % n->phases.per_phase,
                       .program = n->phases.words,
                       .peers = { .hub = (uint8_t)(n->cfg.hub[0] | n->cfg.hub[1] << 1 |
                                                   n->cfg.hub[2] << 2 | n->cfg.hub[3] << 3),
                                  .apart = (uint8_t)p->peers },
                       .source_part = { (uint16_t)(base[phase] + rows[phase] - 1), rows[phase] },
                       .target_part = { (uint16_t)(base[phase + 1] + rows[phase + 1] - 1),
                                        rows[phase + 1] } };
    }
    n->base.class_->reset(&n->base);
}

static void ace_cycle_core_destroy(ace_core *core) {
    ace_cycle_core *n = (ace_cycle_core *)core;
    ace_front_destroy(&n->front);
    ace_scratchpad_destroy(&n->datapath.scratchpad);
    ace_nic_destroy(&n->nic);
    ace_memory_port_destroy(&n->memory_port);
    free(n);
}

static const ace_core_class timing_class = {
    .rung = "cycle",
    .destroy = ace_cycle_core_destroy,
    .reset = ace_cycle_core_reset,
    .out = ace_cycle_core_out,
    .tick = ace_cycle_core_tick_timing,
    .skip = ace_cycle_core_skip,
    .counts = ace_cycle_core_counts,
    .dump = ace_cycle_core_dump,
    .state = ace_cycle_core_state,
};
static const ace_core_class payload_class = {
    .rung = "cycle",
    .destroy = ace_cycle_core_destroy,
    .reset = ace_cycle_core_reset,
    .out = ace_cycle_core_out,
    .tick = ace_cycle_core_tick_payload,
    .skip = ace_cycle_core_skip,
    .counts = ace_cycle_core_counts,
    .dump = ace_cycle_core_dump,
    .state = ace_cycle_core_state,
};

int ace_cycle_core_create(const ace_parameters *p, const ace_config *cfg, bool payload,
                          ace_core **core) {
    if (ace_parameters_check(p, cfg) != ACE_OK) return ACE_EINVAL;
    ace_cycle_core *n = calloc(1, sizeof *n);
    if (!n) return ACE_ENOMEM;
    n->base.class_ = payload ? &payload_class : &timing_class;
    n->p = *p;
    n->cfg = *cfg;
    if (ace_program_defaults(&n->cfg) != ACE_OK) {
        free(n);
        return ACE_EINVAL;
    }
    ace_phases_init(&n->phases, p);
    int err = ace_front_create(&n->front, p, &n->cfg);
    if (!err)
        err = ace_scratchpad_create(p->bank_rows, p->sub_banks, payload, &n->datapath.scratchpad);
    if (!err) err = ace_nic_create(&n->nic, p, 2 * p->dimensions, n->cfg.retry, payload);
    if (!err) err = ace_memory_port_create(&n->memory_port, p, payload);
    if (err) {
        ace_cycle_core_destroy(&n->base);
        return err;
    }
    configure(n);
    *core = &n->base;
    return ACE_OK;
}

int ace_cycle_core_configure(ace_core *core, const ace_config *cfg) {
    ace_cycle_core *n = (ace_cycle_core *)core;
    if (ace_parameters_check(&n->p, cfg) != ACE_OK) return ACE_EINVAL;
    const ace_config was = n->cfg;
    n->cfg = *cfg;
    if (ace_link_keep_frames(&n->nic.links, &n->p, cfg->retry) != ACE_OK) {
        n->cfg = was;
        return ACE_ENOMEM;
    }
    configure(n);
    return ACE_OK;
}
