/* SPDX-License-Identifier: Apache-2.0 */
/*
 * node_plan.c -- reads the lists of rungs and speeds, and finds the RTL that fits
 *
 * The word `switch` is removed from the list first, because it is not a node. If no RTL has the
 * run's parameters, the message names the options or the build that would fit.
 */
#include "node_plan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ace_random.h"
#include "ace_rtl_engine.h"
#include "ace_rtl_hub.h"
#include "ace_rtl_node.h"
#include "ace_rtl_set.h"
#include "exit_status.h"
#include "machine.h"
#include "message.h"
#include "output.h"
#include "refusal.h"
#include "setup_fields.h"
#include "values.h"

const char *const rung_names[] = { "cycle", "rtl", "calibrated", "ideal", "baseline" };

static bool set_rung(void *self, unsigned node, const char *word, size_t length) {
    uint8_t *rung = &((node_plan *)self)->rung[node];

    for (*rung = RUNG_CYCLE; *rung <= RUNG_CALIBRATED; ++*rung)
        if (length == strlen(rung_names[*rung]) && !strncmp(word, rung_names[*rung], length))
            return true;
    return false;
}

/* Reads a speed such as "0.5". With "0.8-1@7" each node gets its own random number in this range,
 * from the seed 7. */
static bool set_speed(void *self, unsigned node, const char *word, size_t length) {
    const char *const past = word + length;
    char *end;
    const double low = strtod(word, &end);
    double v = low, high;

    if (end < past && *end == '-') {
        high = strtod(end + 1, &end);
        if (!(high > low && high <= 1) || *end != '@' || !isdigit((unsigned char)end[1]))
            return false;
        const uint64_t seed = strtoull(end + 1, &end, 10);
        const uint64_t random = ace_random_mix(seed * ACE_RANDOM_STEP + node);

        v = low + (high - low) * (double)(random >> 11) * 0x1p-53;
    }
    if (end != past || !(low > 0 && v <= 1)) return false;
    ((float *)self)[node] = (float)v;
    return true;
}

/* Returns the name of the set of parameters with this number that the rtl rung has. NULL: after the
 * last. */
static const char *rtl_set(const machine *m, unsigned set, const ace_parameters **p) {
    const char *name;
    unsigned completions;

    for (unsigned i = 0; (*p = ace_rtl_parameters(i, &name)); i++) {
        const ace_parameters *engine;
        bool both = m->control == CONTROL_PINS;
        for (unsigned k = 0; !both && (engine = ace_rtl_engine_parameters(k, &completions)); k++)
            both = engine == *p;
        if (both && set-- == 0) return name;
    }
    return NULL;
}

/* Adds the parameters that differ from the default ones to the message, as acesim rtl build takes
 * them. */
static void add_parameters(const ace_parameters *p, refusal *why) {
    const ace_parameters initial = ACE_PARAMETERS_DEFAULT;

#define ACE_PARAMETER(name, least, most, initially, text) \
    if (p->name != initial.name) (void)refuse_more(why, " %s=%u", #name, p->name);
    ACE_PARAMETER_MAP(ACE_PARAMETER)
#undef ACE_PARAMETER
}

/* If buffers were derived from the links' round trip, adds the options with which the program's RTL
 * runs. */
static void add_rows(const machine *m, refusal *why) {
    const ace_parameters initial = ACE_PARAMETERS_DEFAULT;
    const unsigned rows = m->cluster.round_trip_rows;
    ace_parameters as = m->cluster.parameters;
    const ace_parameters *built;

    if (as.link_input_rows != rows || as.router_input_rows != rows) return;
    as.link_input_rows = initial.link_input_rows;
    as.router_input_rows = initial.router_input_rows;
    for (unsigned i = 0; rtl_set(m, i, &built); i++)
        if (!memcmp(built, &as, sizeof as))
            (void)refuse_more(why,
                              "\n(%u packets cover the longest link's round trip; --link-rows %u "
                              "--router-rows %u "
                              "runs that RTL, whose links wait for credits)",
                              rows, as.link_input_rows, as.router_input_rows);
}

bool node_plan_has_rtl(const machine *m) {
    const ace_parameters *built;

    for (unsigned i = 0; rtl_set(m, i, &built); i++)
        if (!memcmp(built, &m->cluster.parameters, sizeof *built)) return true;
    return false;
}

/* Checks that there is RTL for the nodes at that rung. */
static int check_rtl(const machine *m, refusal *why) {
    const ace_rtl_parameter_set *const loaded = *m->rtl ? ace_rtl_set_loaded() : NULL;
    const bool upsets = m->fault_list && strstr(m->fault_list, "scratchpad");
    const ace_parameters *built;
    const char *name;

    if (loaded && !loaded->payload && (m->payload || upsets))
        return refuse(why,
                      "%s: found --rtl %s, whose rows have no values, expected one made by acesim "
                      "rtl build without PAYLOAD=0",
                      m->payload ? "--payload" : "--faults scratchpad", m->rtl);
    if (loaded && !loaded->engine && m->control != CONTROL_PINS)
        return refuse(why,
                      "--control: found --rtl %s, which has no engine, expected one made "
                      "by acesim rtl build --engine",
                      m->rtl);
    if (loaded || node_plan_has_rtl(m)) return EXIT_OK;
    (void)refuse(why,
                 "found --rung '%s' with hardware parameters that no RTL%s is built with, expected "
                 "those of",
                 m->cluster.rungs, m->control ? " with registers" : "");
    for (unsigned i = 0; (name = rtl_set(m, i, &built)); i++)
        (void)refuse_more(why, "%s %s", i ? "," : "", name);
    (void)refuse_more(why,
                      " (cmake/node_sets/; default: without any given), rung cycle, or --rtl mine "
                      "after\nacesim rtl build --name mine%s --parameters",
                      m->control ? " --engine" : "");
    add_parameters(&m->cluster.parameters, why);
    add_rows(m, why);
    return EXIT_USAGE;
}

bool node_plan_speeds(const cluster *c, unsigned nodes, float *speed) {
    for (unsigned i = 0; i < nodes; i++) speed[i] = 1;
    return !*c->speeds || parse_node_list(c->speeds, nodes, set_speed, speed);
}

/* Copies the list without the word `switch`, which may be in the list of one rung. Returns false if
 * it appears twice, or without a rung. */
static bool take_switch(const char *list, node_plan *p, char *rest) {
    static const char word[] = "switch";
    const char *at = strstr(list, word), *end = at ? at + strlen(word) : NULL, *begin = at;
    const size_t all = strlen(list);
    size_t before, length;

    p->switch_rung = NO_RUNG;
    memcpy(rest, list, all + 1);
    if (!at) return true;
    if (at == list || !strchr(":,", at[-1]) || !strchr(",;", *end) || strstr(end, word))
        return false;
    while (begin > list && begin[-1] != ';') begin--;
    length = strcspn(begin, ":");
    for (uint8_t k = RUNG_CYCLE; k <= RUNG_RTL; k++)
        if (length == strlen(rung_names[k]) && !strncmp(begin, rung_names[k], length))
            p->switch_rung = k;
    if (p->switch_rung == NO_RUNG) return false;
    if (at[-1] == ':' && *end != ',') { /* no node is listed for this rung */
        if (*end == ';')
            end++;
        else if (begin > list)
            begin--;
        at = begin;
    } else if (*end == ',') {
        end++;
    } else {
        at--;
    }
    before = (size_t)(at - list);
    memcpy(rest + before, end, strlen(end) + 1);
    return true;
}

/* Checks that nodes exist for the outputs about single nodes. */
static int check_output(const machine *m, const node_plan *p, const output *o, refusal *why) {
    const endpoint e = m->cluster.endpoint;
    const wave_request *w = &o->wave;

    if (w->file && (w->node >= p->nodes || p->rung[w->node] != RUNG_RTL))
        return refuse(why,
                      "found --wave-node %u, expected a node on the rtl rung, as with "
                      "--rung 'rtl:%u;cycle:rest'",
                      w->node, w->node);
    if (o->record && (o->record_node >= p->nodes || e != ENDPOINT_ACE))
        return refuse(why,
                      "found --record-node %u of endpoint %s, expected a node from 0 to %u of "
                      "endpoint ace",
                      o->record_node, endpoint_name(e), p->nodes - 1);
    if (e == ENDPOINT_IDEAL && o->samples)
        return refuse(why, "the ideal endpoint puts nothing on links or memory, expected it "
                           "without --samples");
    return EXIT_OK;
}

/* Sets the rung of the switches that reduce, in these dimensions. They are at the rung rtl if the
 * list names `switch` there. If the list does not name `switch`, they are RTL if all nodes are and
 * there is RTL of such a switch. */
static int plan_switches(const machine *m, unsigned in_network, node_plan *p, refusal *why) {
    const cluster *c = &m->cluster;
    const bool alu = (ACE_RTL_HUB_TYPES >> m->type & 1) && (ACE_RTL_HUB_OPS >> m->op & 1);
    bool all = true;

    p->in_network = p->switch_rtl = 0;
    for (unsigned i = 0; i < p->nodes; i++) all = all && p->rung[i] == RUNG_RTL;
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS && c->endpoint == ENDPOINT_ACE; d++) {
        const bool built = ace_rtl_hub_is_there() && c->ring[d] <= ACE_RTL_HUB_PORTS && alu;

        if (!(in_network >> d & 1)) continue;
        p->in_network = (uint8_t)(p->in_network | 1u << d);
        if (p->switch_rung == RUNG_RTL && !built) {
            return refuse(why,
                          "--rung: found the switch of %u members on the rung rtl%s, expected at "
                          "most %d members, --type fp32 or int32, and --op sum or min, of which "
                          "there is RTL; or cycle:switch",
                          c->ring[d],
                          ace_rtl_hub_is_there() ? "" : " in a program that holds no RTL",
                          ACE_RTL_HUB_PORTS);
        }
        if (p->switch_rung == RUNG_RTL || (p->switch_rung == NO_RUNG && all && built))
            p->switch_rtl = (uint8_t)(p->switch_rtl | 1u << d);
    }
    if (p->switch_rung == NO_RUNG || p->in_network) return EXIT_OK;
    return refuse(
        why,
        "--rung: found the word switch, expected a switch that reduces: --algorithm in-network");
}

/* Makes the arrays of rungs and speeds from the cluster's lists. */
static int read_nodes(const machine *m, node_plan *p, refusal *why) {
    const cluster *c = &m->cluster;
    char nodes[sizeof c->rungs];

    *p = (node_plan){ .nodes = m->nodes,
                      .rung = malloc(m->nodes),
                      .speed = malloc(m->nodes * sizeof *p->speed) };
    if (!p->rung || !p->speed) return message_no_memory();
    memset(p->rung, NO_RUNG, p->nodes);
    const bool listed = take_switch(c->rungs, p, nodes);
    const bool speeds = node_plan_speeds(c, p->nodes, p->speed);
    if (!listed || !parse_node_list(nodes, p->nodes, set_rung, p) ||
        memchr(p->rung, NO_RUNG, p->nodes))
        return refuse_at(why, SETUP_RUNG,
                         "found rung '%s', expected cycle, rtl, calibrated, or a list such as "
                         "rtl:0,5;cycle:rest that names each of nodes 0 to %u once, and the switch "
                         "at most once",
                         c->rungs, p->nodes - 1);
    if (!speeds)
        return refuse_at(why, SETUP_SPEED,
                         "found speed '%s', expected a list such as 0.5:3,7 or 0.8-1@7:rest of "
                         "fractions above 0, at most 1, that names any of nodes 0 to %u once",
                         c->speeds, p->nodes - 1);
    if (c->endpoint != ENDPOINT_ACE && (m->payload || strcmp(c->rungs, "cycle")))
        return refuse(why,
                      "endpoint '%s' carries no payload and has one rung, expected it without "
                      "--payload and --rung",
                      endpoint_name(c->endpoint));
    if (*m->rtl && c->endpoint == ENDPOINT_ACE && !memchr(p->rung, RUNG_RTL, p->nodes))
        return refuse(why, "--rtl: found no node on the rung rtl, expected --rung rtl with it, or "
                           "a list such as rtl:0;cycle:rest");
    return memchr(p->rung, RUNG_RTL, p->nodes) ? check_rtl(m, why) : EXIT_OK;
}

int node_plan_make(const machine *m, const output *o, unsigned in_network, node_plan *p,
                   refusal *why) {
    int rc = read_nodes(m, p, why);

    if (rc == EXIT_OK) rc = check_output(m, p, o, why);
    return rc == EXIT_OK ? plan_switches(m, in_network, p, why) : rc;
}
