/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accelerators.c -- reads the list of accelerators, and combines what a cluster has once
 *
 * The list has the form of rungs and speeds. Its files are read one by one.
 */
#include "accelerators.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster_file.h"
#include "exit_status.h"
#include "message.h"
#include "setup.h"
#include "setup_fields.h"
#include "values.h"

static bool set_node(void *self, unsigned node, const char *word, size_t length) {
    accelerators *const a = self;
    unsigned i = 0;

    while (i < a->count &&
           (strlen(a->of[i].file) != length || strncmp(a->of[i].file, word, length) != 0))
        i++;
    a->node[node] = (uint8_t)i;
    return i < a->count;
}

/* Returns where a value of an NPU is given in addition to the list, although the list's files give
 * it; NULL: nowhere. */
static const setup_source *own_value(const setup *o) {
    const setup_source *const list = &o->source[SETUP_ACCELERATOR];

    for (unsigned i = 0; i < SETUP_FIELDS; i++) {
        const setup_source *const s = &o->source[i];

        if (s == list || !setup_of_machine(&setup_fields[i])) continue;
        if (s->text) return s;
        if (list->file && s->file && (s->line != list->line || strcmp(s->file, list->file) != 0))
            return s;
    }
    return NULL;
}

static int refuse_own(const setup *o, const setup_source *s) {
    char position[300];

    setup_position(s, position, sizeof position);
    fprintf(stderr,
            "%s: found %s of NPUs beside several accelerators, expected it in their files\n",
            position,
            setup_fields[s - o->source].option ? setup_fields[s - o->source].option
                                               : setup_fields[s - o->source].key);
    return EXIT_USAGE;
}

/* Takes the worst of what the first has and another one has. */
static void combine(setup *o, const setup *a) {
    cluster_runs *const to = &o->machine.cluster.runs;
    const cluster_runs *const from = &a->machine.cluster.runs;
    npu *const n = &o->machine.cluster.npu;

    to->node_share = fmin(to->node_share, from->node_share);
    to->nodes_share = fmin(to->nodes_share, from->nodes_share);
    to->replica_share = fmin(to->replica_share, from->replica_share);
    to->stage_share = fmin(to->stage_share, from->stage_share);
    to->start_us = fmax(to->start_us, from->start_us);
    to->hop_us = fmax(to->hop_us, from->hop_us);
    to->iteration_us = fmax(to->iteration_us, from->iteration_us);
    n->host_us = fmax(n->host_us, a->machine.cluster.npu.host_us);
    for (machine_part p = 0; p < MACHINE_PARTS; p++)
        if (!strcmp(a->about.source[p], "data sheet"))
            memcpy(o->about.source[p], a->about.source[p], sizeof a->about.source[p]);
    if (strcmp(o->about.fitted_on, a->about.fitted_on) != 0) o->about.fitted_on[0] = 0;
    o->about.evidence[0] = 0; /* measured runs have one accelerator */
    o->about.unseen_error = 0;
}

static int read_one(setup *o, accelerator *to) {
    setup *const a = calloc(1, sizeof *a);
    int rc;

    if (!a) return message_no_memory();
    setup_initial(a);
    rc = accelerator_read(to->file, a);
    to->npu = a->machine.cluster.npu;
    if (rc == EXIT_OK) combine(o, a);
    free(a);
    return rc;
}

static bool known(const accelerators *a, const char *file) {
    for (unsigned i = 0; i < a->count; i++)
        if (!strcmp(a->of[i].file, file)) return true;
    return false;
}

int accelerators_read(setup *o, accelerators *to) {
    const char *const text = o->machine.cluster.accelerator;
    const unsigned nodes = cluster_nodes(&o->machine.cluster);
    const setup_source *const own = own_value(o);
    char file[ACCELERATOR_FILE];
    int rc = EXIT_OK;

    *to = (accelerators){ .node = malloc(nodes) };
    if (!to->node) return message_no_memory();
    if (own) return refuse_own(o, own);
    memset(to->node, ACCELERATORS_MOST, nodes);
    for (unsigned i = 0; accelerators_file(text, i, file); i++) {
        if (known(to, file)) continue;
        if (to->count == ACCELERATORS_MOST) break;
        memcpy(to->of[to->count++].file, file, sizeof file);
    }
    if (!parse_node_list(text, nodes, set_node, to) || memchr(to->node, ACCELERATORS_MOST, nodes)) {
        fprintf(stderr,
                "acesim: found accelerators '%s', expected a list such as FILE:0-3;FILE:rest that "
                "names each of nodes 0 to %u once, with %d files at most\n",
                text, nodes - 1, ACCELERATORS_MOST);
        return EXIT_USAGE;
    }
    for (unsigned i = 0; rc == EXIT_OK && i < to->count; i++) rc = read_one(o, &to->of[i]);
    return rc;
}

void accelerators_free(accelerators *a) {
    free(a->node);
    *a = (accelerators){ 0 };
}
