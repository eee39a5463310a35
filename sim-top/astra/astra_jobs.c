/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_jobs.c -- reads a file of jobs, and translates their groups of ranks to groups of NPUs
 *
 * Keys are taken in the order of the file, and `workload` creates the jobs, so it has to stand
 * first. Groups of a job get the name JOB/GROUP. The first group of each job has all its ranks.
 */
#include "astra_jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "astra_shares.h"
#include "exit_status.h"
#include "message.h"
#include "yaml_file.h"

typedef struct reader {
    const char *file;
    astra_jobs *to;
    unsigned npus;
} reader;

static bool refuse(const reader *r, const yaml_item *i, const char *what, const char *expected) {
    char found[128];

    snprintf(found, sizeof found, "%s%s'%.60s'", what, *what ? " " : "", i->value);
    yaml_error(r->file, i->line, i->column, found, expected);
    return false;
}

/* Returns the job of a name. `workload` has created the jobs. NULL after a message. */
static astra_job *job_of(const reader *r, const yaml_item *i) {
    char found[128];

    for (unsigned k = 0; k < r->to->count; k++)
        if (!strcmp(r->to->at[k].name, i->key)) return &r->to->at[k];
    snprintf(found, sizeof found, "'%.60s'", i->key);
    yaml_error(r->file, i->key_line, i->key_column, found,
               "the name of a job of workload, which stands first");
    return NULL;
}

static bool take_workload(void *self, const yaml_item *i) {
    reader *r = self;
    astra_job *at;

    for (unsigned k = 0; k < r->to->count; k++)
        if (!strcmp(r->to->at[k].name, i->key)) return refuse(r, i, "again", "each job once");
    if (strlen(i->key) >= ASTRA_JOB_NAME || strchr(i->key, '/') || !*i->value ||
        strlen(i->value) >= sizeof at->prefix)
        return refuse(r, i, "a name too long, or with '/', of", "NAME: PREFIX of its traces");
    if (r->to->count == ASTRA_JOBS) return refuse(r, i, "another job", "256 at most");
    at = &r->to->at[r->to->count++];
    at->npu = malloc(r->npus * sizeof *at->npu);
    if (!at->npu) return (void)message_no_memory(), false;
    snprintf(at->name, sizeof at->name, "%s", i->key);
    snprintf(at->prefix, sizeof at->prefix, "%s", i->value);
    return true;
}

static bool take_npus(void *self, const yaml_item *i) {
    const reader *r = self;
    astra_job *j = job_of(r, i);
    unsigned first, last;

    if (!j) return false;
    if (!astra_shares_range(i->value, r->npus, &first, &last))
        return refuse(r, i, "", "NPUs of the network, such as 3 or 4-7");
    for (unsigned n = first; n <= last; n++) {
        if (r->to->job[n] != ASTRA_NO_JOB)
            return refuse(r, i, "an NPU that a job has already in", "NPUs of one job each");
        r->to->job[n] = (uint32_t)(j - r->to->at);
        r->to->rank[n] = j->count;
        j->npu[j->count++] = n;
    }
    return true;
}

static bool take_start(void *self, const yaml_item *i) {
    const reader *r = self;
    astra_job *j = job_of(r, i);

    return j &&
           (astra_share_delay(i->value, &j->start_ns) || refuse(r, i, "", "a time such as 2ms"));
}

static bool take_groups(void *self, const yaml_item *i) {
    const reader *r = self;
    astra_job *j = job_of(r, i);

    if (!j) return false;
    if (strlen(i->value) >= sizeof j->groups) return refuse(r, i, "", "a shorter name of a file");
    snprintf(j->groups, sizeof j->groups, "%s", i->value);
    return true;
}

static int read_file(reader *r) {
    yaml_items workload = { .take = take_workload, .self = r };
    yaml_items npus = { .take = take_npus, .self = r }, start = { .take = take_start, .self = r };
    yaml_items groups = { .take = take_groups, .self = r };
    const yaml_key keys[] = { { "workload", true, NULL, &workload, "NAME: PREFIX", NULL },
                              { "npus", true, NULL, &npus, "NAME: NPUs", NULL },
                              { "start", false, NULL, &start, "NAME: a time", NULL },
                              { "groups", false, NULL, &groups, "NAME: a file of groups", NULL },
                              { 0 } };

    if (yaml_read(r->file, keys)) return EXIT_USAGE;
    for (unsigned k = 0; k < r->to->count; k++) {
        char found[128];

        if (r->to->at[k].count) continue;
        snprintf(found, sizeof found, "job '%.60s' without npus", r->to->at[k].name);
        yaml_error(r->file, 1, 1, found, "some of each");
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

/* Adds a group of a job, and translates its ranks to NPUs. */
static bool add_group(astra_groups *g, const astra_job *j, const char *name, const unsigned *rank,
                      unsigned count) {
    const size_t room = strlen(j->name) + strlen(name) + 2;
    astra_group *at = realloc(g->at, (g->count + 1) * sizeof *at);

    if (!at) return false;
    g->at = at;
    at += g->count++;
    *at = (astra_group){ malloc(room), malloc(count * sizeof *at->npu), count };
    if (!at->name || !at->npu) return false;
    snprintf(at->name, room, "%s/%s", j->name, name);
    for (unsigned i = 0; i < count; i++) at->npu[i] = j->npu[rank ? rank[i] : i];
    return true;
}

static int read_groups(astra_job *j, astra_groups *g) {
    astra_groups own = { 0 };
    int rc = *j->groups ? astra_groups_read(j->groups, j->count, &own) : EXIT_OK;

    j->everyone = g->count;
    if (rc == EXIT_OK && !add_group(g, j, "", NULL, j->count)) rc = message_no_memory();
    for (unsigned i = 0; rc == EXIT_OK && i < own.count; i++)
        if (!add_group(g, j, own.at[i].name, own.at[i].npu, own.at[i].count))
            rc = message_no_memory();
    astra_groups_free(&own);
    return rc;
}

int astra_jobs_read(const char *file, unsigned npus, astra_jobs *j, astra_groups *g) {
    reader r = { .file = file, .to = j, .npus = npus };
    int rc;

    *g = (astra_groups){ 0 };
    *j = (astra_jobs){ .at = calloc(ASTRA_JOBS, sizeof *j->at),
                       .job = malloc(npus * sizeof *j->job),
                       .rank = calloc(npus, sizeof *j->rank) };
    if (!j->at || !j->job || !j->rank) return message_no_memory();
    for (unsigned i = 0; i < npus; i++) j->job[i] = ASTRA_NO_JOB;
    rc = read_file(&r);
    for (unsigned i = 0; i < j->count && rc == EXIT_OK; i++) rc = read_groups(&j->at[i], g);
    g->listed = g->count;
    return rc;
}

void astra_jobs_free(astra_jobs *j) {
    for (unsigned i = 0; j->at && i < ASTRA_JOBS; i++) free(j->at[i].npu);
    free(j->at);
    free(j->job);
    free(j->rank);
    *j = (astra_jobs){ 0 };
}
