/* SPDX-License-Identifier: Apache-2.0 */
#include "node_plan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ace_random.h"
#include "ace_rtl_engine.h"
#include "ace_rtl_hub.h"
#include "ace_rtl_node.h"
#include "ace_rtl_set.h"
#include "algorithms.h"
#include "exit_status.h"
#include "values.h"

const char *const rung_names[] = { "cycle", "rtl", "calibrated", "ideal", "baseline" };

static bool set_rung(void *self, unsigned node, const char *word, size_t length) {
    uint8_t *rung = &((node_plan *)self)->rung[node];

    for (*rung = RUNG_CYCLE; *rung <= RUNG_CALIBRATED; ++*rung)
        if (length == strlen(rung_names[*rung]) && !strncmp(word, rung_names[*rung], length))
            return true;
    return false;
}

/* "0.5"; or "0.8-1@7": for each node a number between these of its own, which follows from the seed. */
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

/* The name of a parameter set that the rtl rung is built with, by number, NULL past the last. */
static const char *rtl_set(const run_fields *o, unsigned set, const ace_parameters **p) {
    const char *name;
    unsigned completions;

    for (unsigned i = 0; (*p = ace_rtl_parameters(i, &name)); i++) {
        const ace_parameters *engine;
        bool both = !o->registers;
        for (unsigned k = 0; !both && (engine = ace_rtl_engine_parameters(k, &completions)); k++)
            both = engine == *p;
        if (both && set-- == 0) return name;
    }
    return NULL;
}

/* Those other than the default ones, as acesim rtl build takes them. */
static void print_parameters(const ace_parameters *p) {
    const ace_parameters initial = ACE_PARAMETERS_DEFAULT;

#define ACE_PARAMETER(name, least, most, initially, text) \
    if (p->name != initial.name) fprintf(stderr, " %s=%u", #name, p->name);
    ACE_PARAMETER_MAP(ACE_PARAMETER)
#undef ACE_PARAMETER
    fprintf(stderr, "\n");
}

/* Where buffers follow from the links' round trip: the options with which the program's RTL runs. */
static void print_rows(const run_fields *o) {
    const ace_parameters initial = ACE_PARAMETERS_DEFAULT;
    ace_parameters as = o->cluster.parameters;
    const ace_parameters *built;

    if (setup_given(o, SETUP_LINK_INPUT_ROWS) || setup_given(o, SETUP_ROUTER_INPUT_ROWS)) return;
    as.link_input_rows = initial.link_input_rows;
    as.router_input_rows = initial.router_input_rows;
    for (unsigned i = 0; rtl_set(o, i, &built); i++)
        if (!memcmp(built, &as, sizeof as))
            fprintf(
                stderr,
                "(%u packets cover the longest link's round trip; --link-rows %u --router-rows %u "
                "runs that RTL, whose links wait for credits)\n",
                o->cluster.parameters.link_input_rows, as.link_input_rows, as.router_input_rows);
}

bool node_plan_has_rtl(const run_fields *o) {
    const ace_parameters *built;

    for (unsigned i = 0; rtl_set(o, i, &built); i++)
        if (!memcmp(built, &o->cluster.parameters, sizeof *built)) return true;
    return false;
}

static bool is_rtl_built(const run_fields *o) {
    const ace_parameters *built;
    const char *name;

    const ace_rtl_parameter_set *const asked = *o->rtl ? ace_rtl_set_loaded() : NULL;

    if (asked && !asked->payload &&
        (o->payload || (o->faults && strstr(o->faults, "scratchpad")))) {
        fprintf(
            stderr,
            "acesim: %s: found --rtl %s, whose rows have no values, expected one made by acesim rtl "
            "build without PAYLOAD=0\n",
            o->payload ? "--payload" : "--faults scratchpad", o->rtl);
        return false;
    }
    if (asked && (asked->engine || !o->registers)) return true;
    if (asked) {
        fprintf(stderr,
                "acesim: --control registers: found --rtl %s, which has no engine, expected one "
                "made by acesim rtl build --engine\n",
                o->rtl);
        return false;
    }
    if (node_plan_has_rtl(o)) return true;
    fprintf(stderr,
            "acesim: found --rung '%s' with hardware parameters that no RTL%s is built "
            "with, expected those of",
            o->cluster.rungs, o->registers ? " with registers" : "");
    for (unsigned i = 0; (name = rtl_set(o, i, &built)); i++)
        fprintf(stderr, "%s %s", i ? "," : "", name);
    fprintf(stderr,
            " (cmake/node_sets/; default: without any given), rung cycle, or --rtl mine after\n"
            "acesim rtl build --name mine%s --parameters",
            o->registers ? " --engine" : "");
    print_parameters(&o->cluster.parameters);
    print_rows(o);
    return false;
}

bool node_plan_speeds(const cluster *c, unsigned nodes, float *speed) {
    for (unsigned i = 0; i < nodes; i++) speed[i] = 1;
    return !*c->speeds || parse_node_list(c->speeds, nodes, set_speed, speed);
}

/* The list without the word `switch`, which stands among the nodes of one rung.  False: it is there twice,
 * or behind no rung. */
static bool take_switch(const char *words, node_plan *p, char *rest) {
    static const char word[] = "switch";
    const char *at = strstr(words, word), *end = at ? at + strlen(word) : NULL, *begin = at;
    const size_t all = strlen(words);
    size_t before, length;

    p->switch_rung = NO_RUNG;
    memcpy(rest, words, all + 1);
    if (!at) return true;
    if (at == words || !strchr(":,", at[-1]) || !strchr(",;", *end) || strstr(end, word))
        return false;
    while (begin > words && begin[-1] != ';') begin--;
    length = strcspn(begin, ":");
    for (uint8_t k = RUNG_CYCLE; k <= RUNG_RTL; k++)
        if (length == strlen(rung_names[k]) && !strncmp(begin, rung_names[k], length))
            p->switch_rung = k;
    if (p->switch_rung == NO_RUNG) return false;
    if (at[-1] == ':' && *end != ',') { /* nothing else is there of this rung */
        if (*end == ';')
            end++;
        else if (begin > words)
            begin--;
        at = begin;
    } else if (*end == ',') {
        end++;
    } else {
        at--;
    }
    before = (size_t)(at - words);
    memcpy(rest + before, end, strlen(end) + 1);
    return true;
}

int node_plan_switches(const run_fields *o, const ace_config *cfg, node_plan *p) {
    const cluster *c = &o->cluster;
    const bool alu = (ACE_RTL_HUB_TYPES >> o->type & 1) && (ACE_RTL_HUB_OPS >> o->op & 1);
    bool all = true, any = false;

    p->switch_rtl = 0;
    for (unsigned i = 0; i < p->nodes; i++) all = all && p->rung[i] == RUNG_RTL;
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS && c->endpoint == ENDPOINT_ACE; d++) {
        const bool built = ace_rtl_hub_is_there() && c->ring[d] <= ACE_RTL_HUB_PORTS && alu;

        if (!cluster_in_network(cfg, d)) continue;
        any = true;
        if (p->switch_rung == RUNG_RTL && !built) {
            fprintf(stderr,
                    "acesim: --rung: found the switch of %u members on the rung rtl%s, expected at "
                    "most %d members, --type fp32 or int32, and --op sum or min, of which there is "
                    "RTL; or cycle:switch\n",
                    c->ring[d], ace_rtl_hub_is_there() ? "" : " in a program that holds no RTL",
                    ACE_RTL_HUB_PORTS);
            return EXIT_USAGE;
        }
        if (p->switch_rung == RUNG_RTL || (p->switch_rung == NO_RUNG && all && built))
            p->switch_rtl = (uint8_t)(p->switch_rtl | 1u << d);
    }
    if (p->switch_rung == NO_RUNG || any) return EXIT_OK;
    fprintf(stderr,
            "acesim: --rung: found the word switch, expected a switch that reduces: --algorithm "
            "in-network\n");
    return EXIT_USAGE;
}

int node_plan_read(const run_fields *o, node_plan *p) {
    const cluster *c = &o->cluster;
    char place[300], nodes[sizeof c->rungs];

    memset(p->rung, NO_RUNG, p->nodes);
    if (!take_switch(c->rungs, p, nodes) || !parse_node_list(nodes, p->nodes, set_rung, p) ||
        memchr(p->rung, NO_RUNG, p->nodes)) {
        setup_place(o, SETUP_RUNG, place, sizeof place);
        fprintf(stderr,
                "%s: found rung '%s', expected cycle, rtl, calibrated, or a list such as "
                "rtl:0,5;cycle:rest that names each of nodes 0 to %u once, and the switch at most "
                "once\n",
                place, c->rungs, p->nodes - 1);
        return EXIT_USAGE;
    }
    if (!node_plan_speeds(c, p->nodes, p->speed)) {
        setup_place(o, SETUP_SPEED, place, sizeof place);
        fprintf(
            stderr,
            "%s: found speed '%s', expected a list such as 0.5:3,7 or 0.8-1@7:rest of fractions above 0, "
            "at most 1, that names any of nodes 0 to %u once\n",
            place, c->speeds, p->nodes - 1);
        return EXIT_USAGE;
    }
    if (o->wave_file && (o->wave_node >= p->nodes || p->rung[o->wave_node] != RUNG_RTL)) {
        fprintf(stderr, "acesim: found --wave-node %u, expected a node on the rtl rung\n",
                o->wave_node);
        return EXIT_USAGE;
    }
    if (o->record && (o->record_node >= p->nodes || c->endpoint != ENDPOINT_ACE)) {
        fprintf(stderr,
                "acesim: found --record-node %u of endpoint %s, expected a node from 0 to %u of "
                "endpoint ace\n",
                o->record_node, endpoint_name(c->endpoint), p->nodes - 1);
        return EXIT_USAGE;
    }
    if (c->endpoint == ENDPOINT_IDEAL && o->samples) {
        fprintf(stderr, "acesim: the ideal endpoint puts nothing on links or memory, expected it "
                        "without --samples\n");
        return EXIT_USAGE;
    }
    if (c->endpoint != ENDPOINT_ACE && (o->payload || strcmp(c->rungs, "cycle"))) {
        fprintf(stderr,
                "acesim: endpoint '%s' carries no payload and has one rung, expected it without "
                "--payload and --rung\n",
                endpoint_name(c->endpoint));
        return EXIT_USAGE;
    }
    if (*o->rtl && c->endpoint == ENDPOINT_ACE && !memchr(p->rung, RUNG_RTL, p->nodes)) {
        fprintf(stderr,
                "acesim: --rtl: found no node on the rung rtl, expected --rung rtl with it, or a "
                "list such as rtl:0;cycle:rest\n");
        return EXIT_USAGE;
    }
    return memchr(p->rung, RUNG_RTL, p->nodes) && !is_rtl_built(o) ? EXIT_USAGE : EXIT_OK;
}
