/* SPDX-License-Identifier: Apache-2.0 */
/*
 * result_write.c -- writes the members that other commands read: see result_add() in report.h
 *
 *   command        the arguments that give the same result again
 *   configuration  all values that the options and the cluster file determine
 *   node_groups    nodes that have the same counters: bytes of each link, and each unit's
 *                  cycles [busy, starved, blocked, idle]
 *   samples        with --samples: sums over all nodes, in samples of equal width
 *
 * Nodes are grouped by their counts, independent of which nodes were simulated. A folded run and an
 * unfolded one therefore write the same.
 */
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "exit_status.h"
#include "fabric.h"
#include "figures.h"
#include "message.h"
#include "npu.h"
#include "processes.h"
#include "report.h"
#include "spans.h"
#include "traffic_samples.h"
#include "values.h"

enum { COLLECTIVES = 1000 }; /* listed with the samples, maximum */

static cJSON *number(cJSON *to, const char *name, uint64_t v) { return json_count(to, name, v); }

void result_add_command(cJSON *root, const setup_argument *arguments, unsigned count) {
    cJSON *to = cJSON_AddArrayToObject(root, "command");

    for (unsigned i = 0; i < count; i++) {
        const setup_argument *w = &arguments[i];
        char text[4096];

        snprintf(text, sizeof text, "%s%s%s%s", w->name ? "--" : "", w->name ? w->name : "",
                 w->name && w->value ? "=" : "", w->value ? w->value : "");
        cJSON_AddItemToArray(to, cJSON_CreateString(text));
    }
}

/* Adds what collectives leave of an NPU for compute. */
static void add_npu(cJSON *o, const report *r) {
    const cluster *c = &r->setup->machine.cluster;
    const npu_share left = npu_less(npu_whole(&c->npu), cluster_communication(c));

    cJSON_AddNumberToObject(o, "compute_keeps_sms", left.sms);
    cJSON_AddNumberToObject(o, "compute_keeps_memory_bandwidth_GBps", left.GBps);
    cJSON_AddStringToObject(o, "loop", loop_names[r->workload->optimised]);
}

/* Adds a field of setup_fields.def under its JSON name. */
static void add_field(cJSON *to, const setup_field *f, const setup *o) {
    const void *const at = (const char *)o + f->at;
    char text[300];
    cJSON *list;

    switch (f->type) {
    case SETUP_TYPE_COUNT: number(to, f->json, *(const unsigned *)at); return;
    case SETUP_TYPE_BANDWIDTH:
    case SETUP_TYPE_CLOCK:
    case SETUP_TYPE_RATE:
    case SETUP_TYPE_TIME:
    case SETUP_TYPE_FRACTION:
    case SETUP_TYPE_FACTOR: cJSON_AddNumberToObject(to, f->json, *(const double *)at); return;
    case SETUP_TYPE_BANDWIDTHS:
    case SETUP_TYPE_COUNTS:
        list = cJSON_AddArrayToObject(to, f->json);
        for (unsigned d = 0; d < o->machine.cluster.parameters.dimensions; d++)
            cJSON_AddItemToArray(list, cJSON_CreateNumber(f->type == SETUP_TYPE_COUNTS
                                                              ? (double)((const uint32_t *)at)[d]
                                                              : ((const double *)at)[d]));
        return;
    default: setup_print(f, o, text, sizeof text); cJSON_AddStringToObject(to, f->json, text);
    }
}

static bool begins(const char *s, const char *with) { return !strncmp(s, with, strlen(with)); }

/* Adds the configuration, links first. Values about compute are added only for training. */
static void add_configuration(cJSON *root, const report *r) {
    const unsigned dimensions = r->setup->machine.cluster.parameters.dimensions;
    cJSON *o = cJSON_AddObjectToObject(root, "configuration"), *a;

    for (unsigned links = 2; links-- > 0;)
        for (unsigned i = 0; i < SETUP_FIELDS; i++) {
            const setup_field *f = &setup_fields[i];

            if (!f->json || begins(f->key, "link") != (links == 1)) continue;
            if (!r->training && begins(f->key, "npu.")) continue;
            if (i == SETUP_FSMS) number(o, "dimensions", dimensions);
            add_field(o, f, r->setup);
            if (i != SETUP_BANK_ROWS) continue;
            a = cJSON_AddArrayToObject(o, "partition_rows");
            for (unsigned p = 0; p < dimensions + 2; p++)
                cJSON_AddItemToArray(
                    a, cJSON_CreateNumber(r->setup->machine.config.partition_rows[p]));
        }
    if (*r->setup->machine.rtl) { /* another RTL than the program's */
        cJSON_AddStringToObject(o, "rtl", r->setup->machine.rtl);
        cJSON_AddStringToObject(o, "rtl_digest", r->setup->machine.rtl_digest);
    }
    if (r->training) add_npu(o, r);
}

/* ---- nodes ------------------------------------------------------------------------ */

static bool is_class(const char *name, const char *class_, size_t *stem) {
    const size_t a = strlen(name), b = strlen(class_);

    *stem = a - b;
    return a > b && !strcmp(name + a - b, class_);
}

/* Writes the faults of each link: frames that were changed after this node sent them, the node's
 * counts of frames that arrived, and its own packets that were sent again. */
static void write_link_faults(FILE *to, const report *r, unsigned representative) {
    static const char *const counters[] = { ".resent", ".bad", ".dropped" };
    ace_statistic s[STATISTICS];
    size_t n = ace_node_statistics(fabric_node(r->f, representative), s, STATISTICS), stem;
    const char *comma = "";

    fprintf(to, "\"link_faults\":{\"changed\":[");
    for (unsigned l = 0; l < 2 * r->setup->machine.cluster.parameters.dimensions; l++)
        fprintf(to, "%s%" PRIu64, l ? "," : "", fabric_link_faults(r->f, representative, l));
    for (unsigned k = 0; k < 3; k++) {
        fprintf(to, "],\"%s\":[", counters[k] + 1);
        comma = "";
        for (size_t j = 0; j < n && j < STATISTICS; j++) {
            if (!is_class(s[j].name, counters[k], &stem)) continue;
            fprintf(to, "%s%" PRIu64, comma, s[j].value);
            comma = ",";
        }
    }
    fprintf(to, "]},");
}

/* Returns the faults of all links at hubs: frames that were changed after a hub sent them, and the
 * hubs' counts. Returns NULL if there is no memory. */
static cJSON *hub_faults(const report *r) {
    static const char *const names[] = { "changed", "resent", "bad", "dropped" };
    enum { COUNTS = sizeof names / sizeof *names };
    uint64_t here[COUNTS], (*all)[COUNTS] = malloc(processes_count() * sizeof *all);
    cJSON *o = cJSON_CreateObject();

    if (processes_agree(o && all ? EXIT_OK : EXIT_CHECK) != EXIT_OK) return NULL;
    fabric_hub_faults(r->f, &here[0], here + 1);
    processes_gather(here, all, sizeof here);
    for (unsigned i = 0; i < COUNTS; i++) {
        uint64_t sum = 0;

        for (unsigned p = 0; !processes_rank() && p < processes_count(); p++) sum += all[p][i];
        number(o, names[i], sum);
    }
    free(all);
    return o;
}

/* Returns what switches have reduced, for the link to each switch. The values come from
 * the process that reduced most. Returns NULL if no switch reduces, or, with *ok false, if there is
 * no memory. */
static cJSON *switch_reducers(const report *r, bool *ok) {
    const uint64_t beyond = fabric_now(r->f) - r->cycles; /* idle cycles after the end */
    hub_reduction_counts *all = malloc(processes_count() * sizeof *all);
    cJSON *list = NULL;

    *ok = processes_agree(all ? EXIT_OK : EXIT_CHECK) == EXIT_OK;
    for (unsigned l = 0; *ok && l < 2 * r->setup->machine.cluster.parameters.dimensions; l++) {
        const struct hub_reduction_counts here = fabric_reduced(r->f, l);
        const hub_reduction_counts *most = all;
        const char name[] = { ACE_DIMENSION_LETTERS[l / 2], "+-"[l % 2], 0 };
        cJSON *o;

        processes_gather(&here, all, sizeof here);
        for (unsigned p = 1; !processes_rank() && p < processes_count(); p++)
            if (all[p].there && (!most->there || all[p].rows > most->rows)) most = &all[p];
        if (processes_rank() || !most->there) continue;
        if (!list) list = cJSON_CreateArray();
        o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "link", name);
        cJSON_AddStringToObject(o, "rung", most->rtl ? "rtl" : "cycle");
        number(o, "rows", most->rows);
        number(o, "slots", most->slots);
        number(o, "waiting_cycles", most->waiting);
        const uint64_t classes[] = { most->class_.busy, most->class_.starved, most->class_.blocked,
                                     most->class_.idle - beyond };
        cJSON *cycles = cJSON_AddArrayToObject(o, "cycles");
        for (unsigned k = 0; k < 4; k++) json_count_item(cycles, classes[k]);
        cJSON_AddItemToArray(list, o);
    }
    free(all);
    return list;
}

/* Writes a line for each representative: the JSON of a group of nodes like it. */
static void write_representatives(FILE *to, const void *self) {
    static const char *const classes[] = { ".busy", ".starved", ".blocked", ".idle" };
    const report *r = self;
    const uint64_t beyond = fabric_now(r->f) - r->cycles; /* idle cycles after the end */

    for (unsigned i = 0; i < fabric_representatives(r->f); i++) {
        ace_statistic s[STATISTICS];
        const char *comma = "";
        size_t n, stem;

        if (!fabric_is_local(r->f, i)) continue;
        fprintf(to, "{\"link_bytes\":[");
        for (unsigned l = 0; l < 2 * r->setup->machine.cluster.parameters.dimensions; l++)
            fprintf(to, "%s%" PRIu64, l ? "," : "", fabric_link_bytes(r->f, i, l));
        fprintf(to, "],");
        if (r->setup->machine.fault_list) write_link_faults(to, r, i);
        fprintf(to, "\"cycles\":{");
        n = ace_node_statistics(fabric_node(r->f, i), s, STATISTICS);
        for (size_t j = 0; j + 4 <= n && j + 4 <= STATISTICS; j++) {
            bool unit = true;

            for (size_t k = 0; unit && k < 4; k++)
                unit = is_class(s[j + k].name, classes[k], &stem);
            if (!unit) continue;
            fprintf(to, "%s\"%.*s\":[%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", comma,
                    (int)stem, s[j + 3].name, s[j].value, s[j + 1].value, s[j + 2].value,
                    s[j + 3].value - beyond);
            comma = ",";
        }
        fprintf(to, "}}\n");
    }
}

/* Splits the text into the lines of all representatives, in their order. The caller frees both. */
static char **split(char *text, unsigned representatives) {
    char **line = calloc(representatives, sizeof *line);

    for (unsigned i = 0; line && i < representatives; i++) {
        char *end = strchr(text, '\n');

        if (!end) break;
        *end = '\0';
        line[i] = text;
        text = end + 1;
    }
    return line;
}

/* A group of nodes, with its list such as 0-3,7. */
typedef struct group {
    const char *line;
    uint64_t hash; /* of the line, to compare most groups quickly */
    char *nodes;
    size_t length;
    unsigned first, last, count; /* of the current run of numbers; of all nodes */
} group;

/* Writes the current run of numbers. Returns false if there is no memory. */
static bool end_run(group *g) {
    char text[32];
    const int n = g->first == g->last ? snprintf(text, sizeof text, "%u", g->first)
                                      : snprintf(text, sizeof text, "%u-%u", g->first, g->last);
    char *longer = realloc(g->nodes, g->length + (size_t)n + 2);

    if (!longer) return false;
    g->nodes = longer;
    g->length += (size_t)sprintf(g->nodes + g->length, "%s%s", g->length ? "," : "", text);
    return true;
}

static uint64_t hash(const char *line) { return fnv1a(FNV1A_START, line, strlen(line)); }

/* Returns the index of the group with this line, or n if there is none. */
static unsigned find_group(const group *groups, unsigned n, const char *line) {
    const uint64_t h = hash(line);
    unsigned g = 0;

    while (g < n && (groups[g].hash != h || strcmp(groups[g].line, line))) g++;
    return g;
}

/* Adds all groups. Returns false if there is no memory. */
static bool add_nodes(cJSON *root, const report *r, char *const *line) {
    const unsigned nodes = cluster_nodes(&r->setup->machine.cluster),
                   representatives = fabric_representatives(r->f);
    cJSON *list = cJSON_AddArrayToObject(root, "node_groups");
    group *groups = calloc(nodes, sizeof *groups);
    unsigned *of = malloc(representatives * sizeof *of); /* the group of each representative + 1 */
    unsigned n = 0;
    bool ok = groups && of;

    for (unsigned m = 0; of && m < representatives; m++) of[m] = 0;
    for (unsigned i = 0; ok && i < nodes; i++) {
        const unsigned m = fabric_representative_of(r->f, i);
        unsigned g;

        if (!of[m]) of[m] = 1 + find_group(groups, n, line[m]);
        g = of[m] - 1;
        if (g == n) {
            groups[n++] = (group){ .line = line[m], .hash = hash(line[m]), .first = i, .last = i };
        } else if (groups[g].last + 1 != i) {
            ok = end_run(&groups[g]);
            groups[g].first = i;
        }
        groups[g].last = i;
        groups[g].count++;
    }
    for (unsigned g = 0; g < n; g++) {
        cJSON *o = cJSON_CreateObject(), *counters = json_parse(groups[g].line, NULL, false);

        ok = end_run(&groups[g]) && ok;
        cJSON_AddStringToObject(o, "nodes", groups[g].nodes ? groups[g].nodes : "");
        number(o, "count", groups[g].count);
        while (counters && counters->child) {
            cJSON *item = cJSON_DetachItemViaPointer(counters, counters->child);
            char *name = strdup(item->string);

            ok = ok && name;
            cJSON_AddItemToObject(o, name ? name : "", item);
            free(name);
        }
        cJSON_Delete(counters);
        cJSON_AddItemToArray(list, o);
        free(groups[g].nodes);
    }
    free(groups);
    free(of);
    return ok;
}

/* ---- samples ---------------------------------------------------------------------- */

static void add_series(cJSON *to, const char *name, const traffic_samples *s, unsigned counter) {
    cJSON *a = cJSON_AddArrayToObject(to, name);

    for (unsigned i = 0; i < traffic_samples_count(s); i++)
        json_count_item(a, traffic_samples_sum(s, counter, i));
}

/* Adds the collectives of node 0, starting with the last one to complete. */
static void add_collectives(cJSON *to, const spans *v) {
    cJSON *list = cJSON_AddArrayToObject(to, "collectives");
    uint64_t left_out = 0;

    for (size_t i = 0; i < v->count; i++) {
        cJSON *o;

        if (cJSON_GetArraySize(list) == COLLECTIVES) {
            left_out++;
            continue;
        }
        o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "kind", v->at[i].what);
        cJSON_AddStringToObject(o, "name", v->at[i].name);
        number(o, "issued", v->at[i].from);
        number(o, "completed", v->at[i].to);
        cJSON_AddItemToArray(list, o);
    }
    if (left_out) number(to, "collectives_left_out", left_out);
}

static void add_samples(cJSON *root, const report *r) {
    const traffic_samples *s = r->samples;
    cJSON *o = cJSON_AddObjectToObject(root, "samples");

    number(o, "cycles_per_sample", traffic_samples_width(s));
    cJSON_AddStringToObject(o, "sums_over", "all nodes");
    static const char *const sent[] = { "sent_bytes_x", "sent_bytes_y", "sent_bytes_z",
                                        "sent_bytes_w" };

    for (unsigned d = 0; d < r->setup->machine.cluster.parameters.dimensions; d++)
        add_series(o, sent[d], s, SAMPLE_SENT + d);
    add_series(o, "memory_read_bytes", s, SAMPLE_READ);
    add_series(o, "memory_written_bytes", s, SAMPLE_WRITTEN);
    add_collectives(o, r->spans[0]);
}

int result_add(const report *r, cJSON *root) {
    traffic_samples *s = r->samples;
    char *text = NULL, **line = NULL;
    size_t size = 0;
    cJSON *hubs = NULL, *reducers = NULL;
    FILE *f = processes_rank() ? NULL : open_memstream(&text, &size);
    bool ok = !processes_agree(f || processes_rank() ? EXIT_OK : EXIT_CHECK);

    if (ok) processes_write(f, write_representatives, r);
    if (f) ok = !fclose(f) && ok && (line = split(text, fabric_representatives(r->f)));
    if (ok && s) ok = traffic_samples_end(s, r->cycles);
    if (ok && r->setup->machine.fault_list && fabric_has_hubs(r->f))
        ok = (hubs = hub_faults(r)) != NULL;
    if (ok && fabric_has_hubs(r->f)) reducers = switch_reducers(r, &ok);
    if (ok && root) {
        result_add_command(root, r->setup->arguments, r->setup->argument_count);
        add_configuration(root, r);
        if (hubs) cJSON_AddItemToObject(root, "hub_faults", hubs);
        if (reducers) cJSON_AddItemToObject(root, "switch_reducers", reducers);
        ok = add_nodes(root, r, line);
        if (r->setup->output.samples) add_samples(root, r);
    } else {
        cJSON_Delete(hubs);
        cJSON_Delete(reducers);
    }
    free(line);
    free(text);
    if (!ok) (void)message_no_memory();
    return ok ? EXIT_OK : EXIT_CHECK;
}
