/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra_process_groups.c -- finds the groups in a trace's metadata nodes
 *
 * Groups with the same name and the same members are kept once, and each NPU lists the ones of its
 * own trace. Reading goes through every trace once before the run.
 */
#include "chakra_process_groups.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chakra_file.h"
#include "exit_status.h"
#include "message.h"

static const char init[] = "## process_group:init ##";

/* Collects the groups of one trace. */
typedef struct collector {
    const astra_job *job; /* NULL: there are no jobs */
    unsigned npus, ranks; /* of the network; of the job, or of the network without jobs */
    unsigned npu;
    const char *file;
    astra_groups *g;
} collector;

/* Returns whether two groups have the same name and members. */
static bool is_same(const astra_group *a, const astra_group *b) {
    return a->count == b->count && !strcmp(a->name, b->name) &&
           !memcmp(a->npu, b->npu, a->count * sizeof *a->npu);
}

/* Sets *index to the index of an equal group of an earlier trace, or of a new one. Takes ownership
 * of the group's memory. */
static int index_of(const collector *c, astra_group *one, unsigned *index) {
    astra_groups *g = c->g;
    astra_group *more;

    for (*index = g->listed; *index < g->count; ++*index)
        if (is_same(&g->at[*index], one)) {
            free(one->name);
            free(one->npu);
            return EXIT_OK;
        }
    more = realloc(g->at, (g->count + 1) * sizeof *more);
    if (!more) return EXIT_CHECK;
    g->at = more;
    g->at[g->count++] = *one;
    return EXIT_OK;
}

static int add_own(const collector *c, unsigned index) {
    struct astra_own_groups *own = &c->g->own[c->npu];
    unsigned *more = realloc(own->group, (own->count + 1) * sizeof *more);

    if (!more) return EXIT_CHECK;
    own->group = more;
    own->group[own->count++] = index;
    return EXIT_OK;
}

/* Translates ranks to NPUs. Returns how many; 0: one is no rank, or occurs twice. */
static unsigned take_ranks(const collector *c, const cJSON *ranks, unsigned *npu) {
    const bool all = !cJSON_GetArraySize(ranks);
    unsigned count = 0;
    const cJSON *v;

    for (; all && count < c->ranks; count++) npu[count] = c->job ? c->job->npu[count] : count;
    cJSON_ArrayForEach(v, ranks) {
        const unsigned rank = cJSON_IsNumber(v) && v->valuedouble >= 0 && v->valuedouble < c->ranks
                                  ? (unsigned)v->valuedouble
                                  : c->ranks;

        if (rank == c->ranks) return 0;
        npu[count] = c->job ? c->job->npu[rank] : rank;
        for (unsigned i = 0; i < count; i++)
            if (npu[i] == npu[count]) return 0;
        count++;
    }
    return count;
}

/* Returns `JOB/NAME`, or the name without jobs; NULL when there is no memory. */
static char *name_of(const collector *c, const cJSON *name) {
    const char *const job = c->job ? c->job->name : "", *text = name->valuestring;
    char number[32], *to;
    size_t room;

    if (cJSON_IsNumber(name)) {
        snprintf(number, sizeof number, "%.0f", name->valuedouble);
        text = number;
    }
    room = strlen(job) + strlen(text) + 2;
    to = malloc(room);
    if (to) snprintf(to, room, "%s%s%s", job, c->job ? "/" : "", text);
    return to;
}

static int add_group(const collector *c, const cJSON *item) {
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(item, "pg_name");
    const cJSON *ranks = cJSON_GetObjectItemCaseSensitive(item, "ranks");
    const size_t room = (size_t)cJSON_GetArraySize(ranks) + c->ranks;
    astra_group one = { 0 };
    unsigned index;
    int rc = EXIT_CHECK;

    if (!(cJSON_IsString(name) || cJSON_IsNumber(name)) || !cJSON_IsArray(ranks)) return EXIT_OK;
    one.npu = malloc(room * sizeof *one.npu);
    one.count = one.npu ? take_ranks(c, ranks, one.npu) : 0;
    if (one.npu && !one.count) {
        free(one.npu);
        return EXIT_OK;
    }
    one.name = one.npu ? name_of(c, name) : NULL;
    if (one.name) rc = index_of(c, &one, &index);
    if (rc == EXIT_OK) return add_own(c, index);
    free(one.name);
    free(one.npu);
    return rc;
}

/* Adds the groups that a node's text lists. */
static int add_groups(const collector *c, const Chakra__Node *n) {
    const char *const text = n->inputs && n->inputs->values ? n->inputs->values : "";
    const size_t length = strlen(text);
    const cJSON *item;
    cJSON *root;
    int rc = EXIT_OK;

    if (length <= 4) return EXIT_OK;
    root = cJSON_ParseWithLength(text + 2, length - 4);
    if (!cJSON_IsArray(root)) {
        fprintf(stderr,
                "acesim: %s: node %" PRIu64 " (%s): found '%.40s', expected process groups: "
                "['[{\"pg_name\": \"1\", \"ranks\": [0, 1]}]']\n",
                c->file, n->id, n->name, text);
        rc = EXIT_USAGE;
    }
    cJSON_ArrayForEach(item, root) if (rc == EXIT_OK) rc = add_group(c, item);
    cJSON_Delete(root);
    return rc == EXIT_CHECK ? message_no_memory() : rc;
}

static int read_trace(const collector *c) {
    const Chakra__Node *n;
    chakra_file *f;
    int more = 0, rc = chakra_file_open(c->file, &f);

    if (rc != EXIT_OK) return rc;
    while (rc == EXIT_OK && (more = chakra_file_next(f, &n)) > 0)
        if (n->type == CHAKRA__NODE_TYPE__METADATA_NODE && !strcmp(n->name, init))
            rc = add_groups(c, n);
    chakra_file_close(f);
    return more < 0 ? EXIT_USAGE : rc;
}

int chakra_process_groups(const chakra_setup *s, unsigned npus, astra_groups *g) {
    int rc = EXIT_OK;

    g->own = calloc(npus, sizeof *g->own);
    if (!g->own) return message_no_memory();
    g->npus = npus;
    for (unsigned i = 0; rc == EXIT_OK && i < npus; i++) {
        const bool in_job = s->jobs && s->jobs->job[i] != ASTRA_NO_JOB;
        const astra_job *const job = in_job ? &s->jobs->at[s->jobs->job[i]] : NULL;
        char name[CHAKRA_TRACE_NAME];
        const collector c = { .job = job,
                              .npus = npus,
                              .ranks = job ? job->count : npus,
                              .npu = i,
                              .file = name,
                              .g = g };

        chakra_trace_name(s, i, name, sizeof name);
        if (*name && !access(name, R_OK) && chakra_file_has(name, init)) rc = read_trace(&c);
    }
    return rc;
}
