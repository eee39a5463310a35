/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_result.c -- the result of acesim astra as JSON
 *
 * The parts of the result belong to the rank that ends last. Its compute, communication that it
 * does not hide, memory, host and idle cycles add up to the run. The list of ranks has the parts of
 * the other ranks.
 */
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>

#include "astra_run.h"
#include "calibrated_error.h"
#include "figures.h"
#include "result_print.h"

/* Adds the parts of a rank's time. With ASTRA-sim's own times only compute and communication are
 * known. */
static void add_parts(cJSON *to, const compat_time *t, bool whole) {
    json_count(to, "compute_cycles", t->computing);
    json_count(to, "exposed_communication_cycles", t->exposed);
    json_count(to, "communication_cycles", t->communication);
    if (!whole) return;
    json_count(to, "memory_cycles", t->memory);
    json_count(to, "host_cycles", t->host);
    json_count(to, "idle_cycles", t->finished - t->computing - t->exposed - t->memory - t->host);
}

static void add_ranks(cJSON *root, const astra_run *r, const astra_outcome *of) {
    cJSON *const list = cJSON_AddArrayToObject(root, "rank_list");

    for (unsigned i = 0; i < r->network.npus; i++) {
        cJSON *const one = cJSON_CreateObject();

        json_count(one, "rank", i);
        json_count(one, "finished_cycles", of->time[i].finished);
        add_parts(one, &of->time[i], of->f != NULL);
        cJSON_AddItemToArray(list, one);
    }
}

static void add_jobs(cJSON *root, const astra_run *r, const astra_outcome *of, double clock_MHz) {
    cJSON *const list = cJSON_AddArrayToObject(root, "jobs");

    for (unsigned k = 0; k < r->jobs.count; k++) {
        const astra_job *const j = &r->jobs.at[k];
        cJSON *const one = cJSON_CreateObject();
        uint64_t last = 0;

        for (unsigned i = 0; i < j->count; i++) {
            const uint64_t t = of->time[astra_rank_of(&r->rank_map, j->npu[i])].finished;

            if (t > last) last = t;
        }
        cJSON_AddStringToObject(one, "job", j->name);
        json_count(one, "ranks", j->count);
        cJSON_AddNumberToObject(one, "started_us", j->start_ns / 1e3);
        cJSON_AddNumberToObject(one, "finished_us", (double)last / clock_MHz);
        cJSON_AddItemToArray(list, one);
    }
}

/* Adds what the nodes are. */
static void add_machine(cJSON *root, const astra_run *r, const astra_outcome *of) {
    const cluster *const c = &r->o.machine.cluster;
    char topology[ASTRA_ARGUMENT_BYTES];

    if (!of->f) {
        astra_topology(&r->network, topology, sizeof topology);
        cJSON_AddStringToObject(root, "topology", topology);
        cJSON_AddStringToObject(root, "rung", "astra-sim-2");
        cJSON_AddStringToObject(root, "compatibility", r->aware ? "aware" : "unaware");
        return;
    }
    print_topology(c, topology);
    cJSON_AddStringToObject(root, "topology", topology);
    cJSON_AddStringToObject(root, "endpoint", endpoint_name(c->endpoint));
    cJSON_AddStringToObject(root, "rung",
                            c->endpoint == ENDPOINT_ACE ? c->rungs : fabric_rung(of->f, 0));
    cJSON_AddStringToObject(root, "folding", fabric_folding(of->f));
}

cJSON *astra_result(const astra_run *r, const astra_outcome *of) {
    const double clock_MHz = of->f ? r->o.machine.cluster.clock_MHz : 1000;
    cJSON *const root = result_begin();
    char digest[24];
    unsigned last = 0;

    if (!root) return NULL;
    for (unsigned i = 1; i < r->network.npus; i++)
        if (of->time[i].finished > of->time[last].finished) last = i;
    cJSON_AddItemToObject(root, "command", option_line_arguments(&r->line));
    snprintf(digest, sizeof digest, "%016" PRIx64, r->digest);
    cJSON_AddStringToObject(root, "config_digest", digest);
    cJSON_AddStringToObject(root, "trace", r->a.workload);
    add_machine(root, r, of);
    json_count(root, "ranks", r->network.npus);
    json_count(root, "nodes", r->ranks.nodes);
    json_count(root, "collectives", r->ranks.collectives);
    json_count(root, "messages", r->ranks.sent);
    json_count(root, "bytes", r->ranks.bytes);
    cJSON_AddNumberToObject(root, "clock_MHz", clock_MHz);
    json_count(root, "cycles", of->time[last].finished);
    cJSON_AddNumberToObject(root, "time_us", (double)of->time[last].finished / clock_MHz);
    if (of->f)
        calibrated_error_add(root, &r->o.machine, r->o.output.interval, NULL,
                             of->time[last].finished, of->unsure);
    json_count(root, "last_rank", last);
    add_parts(root, &of->time[last], of->f != NULL);
    if (r->a.jobs) add_jobs(root, r, of, clock_MHz);
    add_ranks(root, r, of);
    return root;
}
