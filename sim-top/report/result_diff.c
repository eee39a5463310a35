/* SPDX-License-Identifier: Apache-2.0 */
/*
 * result_diff.c -- walks two results in parallel, and collects and sorts what differs
 *
 * Members at the top level are put into groups by a table, and then compared recursively. Cycles of
 * units and bytes of links are averaged over the nodes first. Options are compared only if the
 * results have no member for them.
 */
#include "result_diff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figures.h"
#include "result_members.h"

/* The groups of top-level members that the list of members does not decide. In that list, inputs of
 * the run are settings and all other members are results. */
static const struct {
    const char *name;
    diff_group group;
} tops[] = {
    { "nodes_simulated", DIFF_WAY }, { "folding", DIFF_WAY },
    { "fast_forward", DIFF_WAY },    { "configuration", DIFF_SETTINGS },
    { "hub_faults", DIFF_COUNTERS }, { "switch_reducers", DIFF_COUNTERS },
    { "statistics", DIFF_COUNTERS },
};
/* Members that are compared in another way, or that follow from others. */
static const char *const left_out[] = { "tool", "command", "utilisation", "node_groups",
                                        "samples" };

static const char *const class_names[CLASSES] = { "busy", "starved", "blocked", "idle" };

/* ---- the list ---------------------------------------------------------------------------------
 */

static difference *append(result_diff *d, diff_group group, const char *name) {
    difference *e;

    if (d->count == d->room) {
        const size_t room = d->room ? 2 * d->room : 64;
        difference *longer = realloc(d->at, room * sizeof *longer);

        if (!longer) {
            d->failed = true;
            return NULL;
        }
        d->at = longer;
        d->room = room;
    }
    e = &d->at[d->count++];
    *e = (difference){ .group = group, .name = strdup(name), .value = { NAN, NAN } };
    if (!e->name) d->failed = true;
    return e;
}

static void add_numbers(result_diff *d, diff_group group, const char *name, double a, double b) {
    difference *e;

    if (!(a < b || a > b) && isnan(a) == isnan(b)) return;
    e = append(d, group, name);
    if (!e) return;
    e->number = true;
    e->value[0] = a;
    e->value[1] = b;
}

static char *text_of(const cJSON *v) {
    char *text;

    if (!v) return strdup("");
    if (cJSON_IsString(v)) return strdup(v->valuestring);
    text = json_text(v, false);
    return text;
}

static double number_of(const cJSON *v) { return cJSON_IsNumber(v) ? v->valuedouble : NAN; }

/* Adds a member of both results, one of which may lack it. */
static void add_values(result_diff *d, diff_group group, const char *name, const cJSON *a,
                       const cJSON *b) {
    difference *e;

    if (json_equal(a, b)) return;
    e = append(d, group, name);
    if (!e) return;
    e->number = (!a || cJSON_IsNumber(a)) && (!b || cJSON_IsNumber(b));
    e->value[0] = number_of(a);
    e->value[1] = number_of(b);
    e->text[0] = text_of(a);
    e->text[1] = text_of(b);
    if (!e->text[0] || !e->text[1]) d->failed = true;
}

/* ---- the first lines ---------------------------------------------------------------------
 */

static bool is_class(const char *name) {
    const char *dot = strrchr(name, '.');

    for (int i = 0; dot && i < CLASSES; i++)
        if (!strcmp(dot + 1, class_names[i])) return true;
    return false;
}

static void walk(result_diff *d, diff_group group, const char *name, const cJSON *a,
                 const cJSON *b);

/* Compares the members of two objects, or the elements of two arrays: those of the first in its
 * order, then those that only the second has. */
static void walk_members(result_diff *d, diff_group group, const char *name, const cJSON *a,
                         const cJSON *b) {
    const bool list = cJSON_IsArray(a) || cJSON_IsArray(b);
    const bool plain = !strcmp(name, "statistics") || !strcmp(name, "configuration");
    const cJSON *both[2] = { a, b }, *v;

    for (int i = 0; i < 2; i++) {
        int k = 0;

        cJSON_ArrayForEach(v, both[i]) {
            const cJSON *other = list ? cJSON_GetArrayItem(both[!i], k)
                                      : cJSON_GetObjectItemCaseSensitive(both[!i], v->string);
            char path[200];

            if (list)
                snprintf(path, sizeof path, "%s[%d]", name, k);
            else
                snprintf(path, sizeof path, "%s%s%s", plain ? "" : name, plain ? "" : ".",
                         v->string);
            k++;
            if (i && other) continue;
            if (!list && group == DIFF_COUNTERS && is_class(v->string)) continue;
            walk(d, group, path, i ? other : v, i ? v : other);
        }
    }
}

static void walk(result_diff *d, diff_group group, const char *name, const cJSON *a,
                 const cJSON *b) {
    const cJSON *some = a ? a : b;

    if (cJSON_IsObject(some) || (cJSON_IsArray(some) && group == DIFF_ITERATIONS))
        walk_members(d, group, name, a, b);
    else
        add_values(d, group, name, a, b);
}

static bool is_left_out(const char *name) {
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (!strcmp(name, left_out[i])) return true;
    return false;
}

static diff_group group_of(const char *command, const cJSON *v) {
    for (size_t i = 0; i < sizeof tops / sizeof *tops; i++)
        if (!strcmp(v->string, tops[i].name)) return tops[i].group;
    if (cJSON_IsArray(v)) return cJSON_IsObject(v->child) ? DIFF_ITERATIONS : DIFF_RESULTS;
    return result_member_is_asked(command, v->string) ? DIFF_SETTINGS : DIFF_RESULTS;
}

static void find_tops(result_diff *d, const char *command, const cJSON *a, const cJSON *b) {
    const cJSON *both[2] = { a, b }, *v;

    for (int i = 0; i < 2; i++) cJSON_ArrayForEach(v, both[i]) {
            const cJSON *other = cJSON_GetObjectItemCaseSensitive(both[!i], v->string);

            if (is_left_out(v->string) || (i && other)) continue;
            walk(d, group_of(command, v), v->string, i ? other : v, i ? v : other);
        }
}

/* ---- the command: options that no other member of a result has
 * -------------------------------- */

static const char *option_value(const cJSON *command, const char *name, char *to, size_t room) {
    const size_t n = strlen(name);
    const cJSON *v;

    cJSON_ArrayForEach(v, command) {
        const char *s = cJSON_IsString(v) ? v->valuestring : "";

        if (strncmp(s, "--", 2) || strncmp(s + 2, name, n)) continue;
        if (s[n + 2] && s[n + 2] != '=') continue;
        snprintf(to, room, "%s", s[n + 2] ? s + n + 3 : "given");
        return to;
    }
    return "";
}

/* Adds an option whose value differs. */
static void compare_option(result_diff *d, const cJSON *const commands[2], const char *option) {
    char room[2][4096], name[64];
    const char *text[2];
    difference *e;

    for (int k = 0; k < 2; k++)
        text[k] = option_value(commands[k], option, room[k], sizeof room[k]);
    if (!strcmp(text[0], text[1])) return;
    snprintf(name, sizeof name, "--%s", option);
    e = append(d, DIFF_SETTINGS, name);
    if (!e) return;
    for (int k = 0; k < 2; k++) e->text[k] = strdup(text[k]);
    if (!e->text[0] || !e->text[1]) d->failed = true;
}

/* Compares all options of both commands. Arguments that differ show in other members of the
 * results. */
static void compare_options(result_diff *d, const cJSON *const commands[2]) {
    for (int k = 0; k < 2; k++) {
        const cJSON *v;

        cJSON_ArrayForEach(v, commands[k]) {
            const char *const s = cJSON_IsString(v) ? v->valuestring : "";
            char option[48], room[4096];

            if (strncmp(s, "--", 2)) continue;
            snprintf(option, sizeof option, "%.*s", (int)strcspn(s + 2, "="), s + 2);
            if (k && *option_value(commands[0], option, room, sizeof room)) continue;
            compare_option(d, commands, option);
        }
    }
}

/* Members of a collective, a workload or a strategy already contain most options. */
static void find_command(result_diff *d, const saved_run *a, const saved_run *b) {
    static const char *const options[] = { "root",   "from",    "to",        "counts",
                                           "skew",   "experts", "transpose", "type",
                                           "faults", "payload", "check",     "iterations" };
    const cJSON *const commands[2] = { saved_item(a->root, "command"),
                                       saved_item(b->root, "command") };

    if (!saved_run_is_run(a) && strcmp(a->command, "train")) {
        compare_options(d, commands);
        return;
    }
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        compare_option(d, commands, options[i]);
}

/* ---- units and links ------------------------------------------------------------------------- */

/* Returns a counter of an average node: cycles of a unit's class, or bytes of a link. Returns NAN
 * if no node has the counter. */
static double average(const saved_run *r, const char *unit, int index) {
    double sum = 0, nodes = 0;
    const cJSON *g;

    cJSON_ArrayForEach(g, saved_item(r->root, "node_groups")) {
        const cJSON *list = unit ? cJSON_GetObjectItemCaseSensitive(saved_item(g, "cycles"), unit)
                                 : saved_item(g, "link_bytes");
        const cJSON *v = cJSON_GetArrayItem(list, index);

        if (!cJSON_IsNumber(v)) continue;
        sum += v->valuedouble * saved_number(g, "count");
        nodes += saved_number(g, "count");
    }
    return nodes > 0 ? sum / r->nodes : NAN;
}

static bool has_unit(const saved_run *r, const char *unit) { return !isnan(average(r, unit, 0)); }

/* Compares the units of the groups of `of`, except those that `but` also has. */
static void find_units_of(result_diff *d, const saved_run *a, const saved_run *b,
                          const saved_run *of, const saved_run *but) {
    const cJSON *g = saved_item(of->root, "node_groups"), *unit;

    cJSON_ArrayForEach(unit, saved_item(g ? g->child : NULL, "cycles")) {
        if (but && has_unit(but, unit->string)) continue;
        for (int i = 0; i < CLASSES; i++) {
            char name[120];

            snprintf(name, sizeof name, "%s.%s", unit->string, class_names[i]);
            add_numbers(d, DIFF_UNITS, name, average(a, unit->string, i),
                        average(b, unit->string, i));
        }
    }
}

static void find_links(result_diff *d, const saved_run *a, const saved_run *b) {
    for (int i = 0; i < 2 * ACE_CLUSTER_DIMENSIONS; i++) {
        char name[16];

        snprintf(name, sizeof name, "link.%c%c", ACE_DIMENSION_LETTERS[i / 2], "+-"[i % 2]);
        add_numbers(d, DIFF_LINKS, name, average(a, NULL, i), average(b, NULL, i));
    }
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static const cJSON *group_of_node(const saved_run *r, unsigned node) {
    const cJSON *g;

    cJSON_ArrayForEach(
        g, saved_item(r->root, "node_groups")) if (saved_nodes_have(saved_text(g, "nodes"),
                                                                    node)) return g;
    return NULL;
}

static bool same_counters(const cJSON *a, const cJSON *b) {
    static const char *const parts[] = { "link_bytes", "link_faults", "cycles" };

    if (!a || !b) return a == b;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const cJSON *x = saved_item(a, parts[i]), *y = saved_item(b, parts[i]);

        if ((x || y) && !cJSON_Compare(x, y, 1)) return false;
    }
    return true;
}

/* Writes a list of nodes such as 0-3,7. */
static void write_node(FILE *to, unsigned *first, unsigned *last, unsigned node, bool *any) {
    if (*any && node == *last + 1) {
        *last = node;
        return;
    }
    if (*any) fprintf(to, *first == *last ? "%u," : "%u-%u,", *first, *last);
    *first = *last = node;
    *any = true;
}

static void find_nodes(result_diff *d, const saved_run *a, const saved_run *b) {
    unsigned first = 0, last = 0;
    const cJSON *before[2] = { NULL, NULL };
    bool any = false, same = true;
    size_t size = 0;
    FILE *to;

    d->same_nodes = a->nodes == b->nodes;
    if (!d->same_nodes) return;
    to = open_memstream(&d->node_list, &size);
    if (!to) {
        d->failed = true;
        return;
    }
    for (unsigned i = 0; i < a->nodes; i++) {
        const cJSON *g[2] = { group_of_node(a, i), group_of_node(b, i) };

        if (!i || g[0] != before[0] || g[1] != before[1]) same = same_counters(g[0], g[1]);
        before[0] = g[0];
        before[1] = g[1];
        if (same) continue;
        d->nodes++;
        write_node(to, &first, &last, i, &any);
    }
    if (any) fprintf(to, first == last ? "%u" : "%u-%u", first, last);
    if (fclose(to)) d->failed = true;
}

/* ---- all of it ------------------------------------------------------------------------------- */

double difference_change(const difference *e) { return e->value[1] - e->value[0]; }

/* Members without a counterpart come last, because another endpoint has other units. */
static double size_of(const difference *e) {
    const double change = fabs(difference_change(e));

    return isnan(change) ? -1 : change;
}

static int by_size(const void *a, const void *b) {
    const difference *x = a, *y = b;
    const double s = size_of(x), t = size_of(y);

    if (s > t || s < t) return s > t ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* Sorts only groups that are ordered by size of change. The others keep their order. */
static bool sort(result_diff *d) {
    difference *sorted = malloc((d->count + 1) * sizeof *sorted);
    size_t n = 0;

    if (!sorted) return false;
    for (diff_group g = 0; g < DIFF_GROUPS; g++) {
        const size_t from = n;

        for (size_t i = 0; i < d->count; i++)
            if (d->at[i].group == g) sorted[n++] = d->at[i];
        if (g >= DIFF_UNITS) qsort(sorted + from, n - from, sizeof *sorted, by_size);
    }
    free(d->at);
    d->at = sorted;
    d->room = d->count + 1;
    return true;
}

bool result_diff_find(const saved_run *a, const saved_run *b, result_diff *d) {
    *d = (result_diff){ .same_kind = a->training == b->training && !strcmp(a->what, b->what) };
    find_command(d, a, b);
    find_tops(d, a->command, a->root, b->root);
    find_units_of(d, a, b, a, NULL);
    find_units_of(d, a, b, b, a);
    find_links(d, a, b);
    find_nodes(d, a, b);
    return !d->failed && sort(d);
}

void result_diff_free(result_diff *d) {
    for (size_t i = 0; i < d->count; i++) {
        free(d->at[i].name);
        free(d->at[i].text[0]);
        free(d->at[i].text[1]);
    }
    free(d->at);
    free(d->node_list);
}

bool result_diff_numbers(const result_diff *d) {
    for (size_t i = 0; i < d->count; i++)
        if (d->at[i].group >= DIFF_RESULTS) return true;
    return d->nodes > 0;
}
