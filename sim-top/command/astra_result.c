/* SPDX-License-Identifier: Apache-2.0 */
/* astra_result.c -- prints the result of acesim astra as ASTRA-sim 2.x does; writes its tables */
#include <inttypes.h>
#include <stdlib.h>

#include "astra_bound.h"
#include "astra_run.h"
#include "calibrated_error.h"
#include "compat_csv.h"
#include "exit_status.h"
#include "figures.h"
#include "message.h"
#include "processes.h"

enum { TIMES = 6 };

/* In the order in which they finished, then by number; a cycle of theirs is so many ns. */
void astra_result_ranks(const compat_time *time, unsigned npus, double ns) {
    uint64_t last = 0, next;

    for (bool first = true;; first = false) {
        next = UINT64_MAX;
        for (unsigned i = 0; i < npus; i++)
            if ((first || time[i].finished > last) && time[i].finished < next)
                next = time[i].finished;
        if (next == UINT64_MAX) return;
        for (unsigned i = 0; i < npus; i++) {
            const compat_time *t = &time[i];

            if (t->finished != next) continue;
            printf("[workload] [info] sys[%u] finished, %" PRIu64
                   " cycles, exposed communication %" PRIu64 " cycles.\n",
                   i, figure_scaled(t->finished, ns), figure_scaled(t->exposed, ns));
            printf("[statistics] [info] sys[%u], Wall time: %" PRIu64 "\n", i,
                   figure_scaled(t->finished, ns));
            printf("[statistics] [info] sys[%u], Comm time: %" PRIu64 "\n", i,
                   figure_scaled(t->communication, ns));
            printf("[statistics] [info] sys[%u], GPU time: %" PRIu64 "\n", i,
                   figure_scaled(t->computing, ns));
        }
        last = next;
    }
}

/* An array of what each NPU has, to one of what each rank has.  False: no memory. */
static bool by_rank(const astra_run *r, void *of_each, size_t bytes) {
    const astra_places *p = &r->places;
    const astra_places back = { p->rank_of, p->npu_of, p->npus };

    return astra_places_move(&back, of_each, bytes);
}

/* When each job was over, and how long that was after its start. */
static void print_jobs(const astra_run *r, const compat_time *time, double ns) {
    for (unsigned k = 0; r->a.jobs && k < r->jobs.count; k++) {
        const astra_job *j = &r->jobs.at[k];
        uint64_t last = 0;

        for (unsigned i = 0; i < j->count; i++) {
            const compat_time *t = &time[astra_rank_of(&r->places, j->npu[i])];

            if (t->finished > last) last = t->finished;
        }
        printf("[acesim] [info] job %s of %u NPUs finished, %" PRIu64
               " cycles, begun at %.0f, took %" PRIu64 "\n",
               j->name, j->count, figure_scaled(last, ns), j->start_ns,
               figure_scaled(last, ns) - (uint64_t)j->start_ns);
    }
}

uint64_t astra_result_messages(const astra_run *r) {
    return r->ranks.messages ? graph_messages_count(r->ranks.messages) : 0;
}

static int write_links(const astra_run *r, fabric *f) {
    fabric_link_count *of = fabric_links(f, r->network.npus, r->network.dims);
    int rc = of && by_rank(r, of, 2 * r->network.dims * sizeof *of) ? EXIT_OK : EXIT_CHECK;

    if (rc == EXIT_OK && !processes_rank())
        rc = compat_csv_links(r->a.csv, of, r->network.npus, r->network.dims,
                              1000 / r->o.cluster.clock_MHz);
    free(of);
    return processes_agree(rc);
}

/* Of the rung calibrated: as of all that was held out beside others. */
static void print_error(const astra_run *r, uint64_t unsure) {
    cJSON *root = cJSON_CreateObject();

    calibrated_error_add(root, r->setup.calibration, &r->o, NULL, 0, unsure);
    calibrated_error_print(root, 10);
    cJSON_Delete(root);
}

/* All that an NPU's links carry in a dimension, one way. */
static double links_of(const astra_run *r, unsigned npu, unsigned dimension) {
    unsigned rank = npu;

    if (r->network.wiring[dimension] != WIRING_LINKS)
        return astra_network_npu_GBps(&r->network, dimension);
    for (unsigned d = 0; d < dimension; d++) rank /= r->network.members[d];
    return run_setup_member_GBps(&r->setup, rank % r->network.members[dimension]);
}

/* What an NPU sent into a dimension.  Ideal endpoints pass the messages of others on at no cost. */
static uint64_t sent_by(const astra_run *r, const fabric *f, unsigned representative, unsigned d) {
    const unsigned npu = fabric_place(f, representative);
    const graph_messages *const m = r->ranks.messages;
    const uint64_t all = fabric_sent(f, representative, d);

    if (!m || r->o.cluster.endpoint != ENDPOINT_IDEAL) return all;
    return all - graph_messages_bytes(m, npu, d) + graph_messages_own_bytes(m, npu, d);
}

/* Law 13: no result beats the links that the file describes. */
static int check_bound(const astra_run *r, const fabric *f, const compat_time *time) {
    astra_sent sent = { .clock_MHz = r->o.cluster.clock_MHz };

    for (unsigned i = 0; i < r->network.npus; i++)
        if (time[i].finished > sent.cycles) sent.cycles = time[i].finished;
    for (unsigned i = 0; i < fabric_representatives(f); i++)
        for (unsigned d = 0; d < r->network.dims && fabric_here(f, i); d++) {
            sent.npu = fabric_place(f, i);
            sent.dimension = d;
            sent.bytes = sent_by(r, f, i, d);
            sent.GBps = links_of(r, sent.npu, d);
            if (astra_bound_check(r->a.network, &sent) != EXIT_OK) return EXIT_CHECK;
        }
    return EXIT_OK;
}

int astra_result_print(const astra_run *r, fabric *f, const graph_engine *e) {
    const unsigned count = fabric_representatives(f), npus = r->network.npus;
    uint64_t *sum = calloc((size_t)count * TIMES, sizeof *sum);
    compat_time *time = calloc(npus, sizeof *time);
    char topology[TOPOLOGY_TEXT];
    int rc = EXIT_OK;

    if (!sum || !time) {
        free(sum);
        free(time);
        return message_no_memory();
    }
    for (unsigned i = 0; i < count; i++) {
        const graph_account a = graph_engine_account(e, i);

        sum[TIMES * i] = a.now;
        sum[TIMES * i + 1] = a.exposed;
        sum[TIMES * i + 2] = a.communication;
        sum[TIMES * i + 3] = a.computing;
        sum[TIMES * i + 4] = a.memory;
        sum[TIMES * i + 5] = a.host;
    }
    processes_maximum(sum, count * TIMES);
    const uint64_t unsure = r->setup.calibration ? fabric_most(f, "calibrated.unsure") : 0;
    for (unsigned i = 0; i < npus; i++) {
        const uint64_t *t = &sum[TIMES * fabric_representative_of(f, i)];

        time[i] = (compat_time){ t[0], t[1], t[2], t[3], t[4], t[5] };
    }
    const int bound = check_bound(r, f, time); /* which counts by NPU */
    if (!by_rank(r, time, sizeof *time)) rc = EXIT_CHECK;
    print_topology(&r->o.cluster, topology);
    if (rc == EXIT_OK && !processes_rank()) {
        printf("[acesim] [info] %u NPUs on %s, endpoint %s, %" PRIu64 " nodes, %" PRIu64
               " collectives, %" PRIu64 " messages, %" PRIu64 " bytes; folding: %s\n",
               npus, topology, endpoint_name(r->o.cluster.endpoint), r->ranks.nodes,
               r->ranks.collectives, astra_result_messages(r), r->ranks.bytes, fabric_folding(f));
        print_error(r, unsure);
        astra_result_ranks(time, npus, 1000 / r->o.cluster.clock_MHz);
        print_jobs(r, time, 1000 / r->o.cluster.clock_MHz);
    }
    if (rc == EXIT_OK) rc = bound;
    if (rc == EXIT_OK && !processes_rank() && r->a.csv)
        rc = compat_csv_end_to_end(r->a.csv, time, npus, 1000 / r->o.cluster.clock_MHz, true);
    free(sum);
    free(time);
    rc = processes_agree(rc);
    if (rc == EXIT_OK && r->a.csv && r->o.cluster.endpoint != ENDPOINT_IDEAL)
        rc = write_links(r, f);
    return rc == EXIT_OK ? fabric_check_bytes(f) : rc;
}
