/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_rank_map.c -- moves arrays that are indexed by rank so that they are indexed by NPU
 *
 * A setup whose order does not change has no tables, and then each function leaves its argument
 * unchanged.
 */
#include "astra_rank_map.h"

#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"

int astra_rank_map_make(const machine *s, unsigned npus, astra_rank_map *p) {
    *p = (astra_rank_map){ .npus = npus };
    p->npu_of = malloc(npus * sizeof *p->npu_of);
    p->rank_of = malloc(npus * sizeof *p->rank_of);
    if (!p->npu_of || !p->rank_of) return message_no_memory();
    if (!machine_moved(s, p->npu_of)) {
        astra_rank_map_free(p);
        return EXIT_OK;
    }
    for (unsigned i = 0; i < npus; i++) p->rank_of[p->npu_of[i]] = i;
    return EXIT_OK;
}

void astra_rank_map_free(astra_rank_map *p) {
    free(p->npu_of);
    free(p->rank_of);
    *p = (astra_rank_map){ 0 };
}

bool astra_rank_map_move(const astra_rank_map *p, void *of_each, size_t bytes) {
    char *const at = of_each, *before;

    if (!p->npu_of || !at) return true;
    before = malloc(p->npus * bytes);
    if (!before) return (void)message_no_memory(), false;
    memcpy(before, at, p->npus * bytes);
    for (unsigned i = 0; i < p->npus; i++)
        memcpy(at + p->npu_of[i] * bytes, before + i * bytes, bytes);
    free(before);
    return true;
}

bool astra_rank_map_move_groups(const astra_rank_map *p, astra_groups *g) {
    for (unsigned i = 0; i < g->count; i++)
        for (unsigned k = 0; k < g->at[i].count; k++)
            g->at[i].npu[k] = astra_npu_of(p, g->at[i].npu[k]);
    return astra_rank_map_move(p, g->own, sizeof *g->own);
}

bool astra_rank_map_move_jobs(const astra_rank_map *p, astra_jobs *j) {
    for (unsigned i = 0; i < j->count; i++)
        for (unsigned k = 0; k < j->at[i].count; k++)
            j->at[i].npu[k] = astra_npu_of(p, j->at[i].npu[k]);
    return astra_rank_map_move(p, j->job, sizeof *j->job) &&
           astra_rank_map_move(p, j->rank, sizeof *j->rank);
}

bool astra_rank_map_move_plan(const astra_rank_map *p, node_plan *n) {
    return astra_rank_map_move(p, n->rung, sizeof *n->rung) &&
           astra_rank_map_move(p, n->speed, sizeof *n->speed);
}
