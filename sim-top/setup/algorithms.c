/* SPDX-License-Identifier: Apache-2.0 */
/*
 * algorithms.c -- assembles the programs of each dimension, and checks that they work
 *
 * ace_program_examine() runs each dimension's programs against each other without a clock. A switch
 * that reduces must also have room for everything that its members may send.
 */
#include "algorithms.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ace_hub_reducer.h"
#include "ace_program.h"
#include "data_path.h"
#include "exit_status.h"
#include "input_file.h"
#include "link_graph.h"
#include "message.h"
#include "refusal.h"
#include "schedule.h"
#include "setup_fields.h"
#include "values.h"

char *program_file(const char *file) {
    enum { MOST = 1 << 20 };
    char found[DATA_PATH];
    size_t n = 0;
    char *text = input_text(data_path_look(file, found) ? found : file, &n);

    if (text && n < MOST) return text;
    fprintf(stderr, "acesim: %s: %s, expected a file with programs of less than 1 MiB\n",
            input_name(file), text ? "too long" : strerror(errno));
    free(text);
    return NULL;
}

/* ---- what is wrong with the programs of a dimension ---------------------------------------- */

/* names_ring: a shipped algorithm on a ring. There the algorithm `ring` always works. */
static int refuse_program(const ace_program_verdict *v, unsigned dim, unsigned n, const char *name,
                          bool names_ring, refusal *why) {
    static const char *const kinds[] = { "", "reduce-scatter", "all-reduce", "all-gather" };

    if (!v->runs)
        return refuse_at(why, SETUP_ALGORITHM, "algorithm %s does not run on %u members%s", name, n,
                         strcmp(name, "halving-doubling")
                             ? ""
                             : ", expected a power of two; or ring, or direct");
    if (!v->kind) return EXIT_OK;
    (void)refuse_at(why, SETUP_ALGORITHM, "algorithm %s, dimension %c, %s of %s chunks: %s", name,
                    ACE_DIMENSION_LETTERS[dim], kinds[v->kind], v->odd ? "odd" : "even", v->reason);
    return names_ring ? refuse_more(why, "; expected --algorithm ring, or Switch(%u) for %c", n,
                                    ACE_DIMENSION_LETTERS[dim])
                      : EXIT_USAGE;
}

static int refuse_peers(const ace_program_verdict *v, unsigned dim, unsigned n, unsigned peers,
                        refusal *why) {
    if (v->blind == n) return EXIT_OK;
    return refuse_at(why, SETUP_ALGORITHM,
                     "on dimension %c member %u of %u waits for grants of members that have "
                     "one number modulo %u, which its engine does not tell apart: found "
                     "--peers %u, expected as many as there are members",
                     ACE_DIMENSION_LETTERS[dim], v->blind, n, peers, peers);
}

unsigned cluster_in_network(const ace_config *cfg, unsigned dim) {
    ace_config own = *cfg;

    if (!own.hub[dim] || !ace_program_has(cfg, dim) || ace_program_defaults(&own) != ACE_OK)
        return 0;
    return ace_program_in_network(own.program, dim, own.ring[dim]);
}

unsigned cluster_hub_contexts(const ace_parameters *p) {
    return p->fsms / (p->dimensions + 1) * p->contexts / 2 * p->dimensions;
}

/* A dimension whose members send to the switch is one, and its slots hold what they may send. */
static int check_switch(const machine *m, const ace_config *cfg, unsigned dim, unsigned shards,
                        const char *name, refusal *why) {
    const cluster *c = &m->cluster;
    const unsigned n = c->ring[dim], contexts = cluster_hub_contexts(&c->parameters);
    const unsigned shard = (cfg->chunk_rows + n - 1) / n;

    if (c->wiring[dim] != WIRING_SWITCH) {
        return refuse_at(why, SETUP_ALGORITHM,
                         "algorithm %s on dimension %c: its members send to a switch that reduces, "
                         "expected Switch(%u) there",
                         name, ACE_DIMENSION_LETTERS[dim], n);
    }
    if (c->endpoint != ENDPOINT_ACE) return EXIT_OK;
    if (m->op == ACE_AVERAGE || c->switch_GBps > 0) {
        return refuse_at(
            why, SETUP_ALGORITHM,
            "algorithm %s on dimension %c: found %s, expected %s: what a switch reduces is not %s",
            name, ACE_DIMENSION_LETTERS[dim],
            m->op == ACE_AVERAGE ? "averages" : "a switch with a bandwidth of its own",
            m->op == ACE_AVERAGE ? "--op sum, min, max or product" : "none",
            m->op == ACE_AVERAGE ? "divided" : "counted there");
    }
    if (shards * shard > ACE_HUB_ROWS) {
        return refuse_at(why, SETUP_ALGORITHM,
                         "algorithm %s on dimension %c: found chunks of %u rows, of which a member "
                         "may have %u on their way through the switch, expected at most the %d "
                         "that it holds: a smaller --chunk",
                         name, ACE_DIMENSION_LETTERS[dim], cfg->chunk_rows, shards * shard,
                         ACE_HUB_ROWS);
    }
    if (contexts > ACE_HUB_CONTEXTS) {
        return refuse_at(why, SETUP_ALGORITHM,
                         "algorithm %s on dimension %c: found up to %u chunks under way on a link, "
                         "expected at most the %d that the switch holds: fewer fsms or contexts",
                         name, ACE_DIMENSION_LETTERS[dim], contexts, ACE_HUB_CONTEXTS);
    }
    return EXIT_OK;
}

/* ---- the text of algorithms --------------------------------------------------------------- */

static int assemble(const char *file, unsigned dim, ace_config *cfg) {
    ace_program_error e;
    char *text = program_file(file);
    int rc = EXIT_OK;

    if (!text) return EXIT_USAGE;
    if (ace_program_assemble(text, 1u << dim, cfg->program, &e) != ACE_OK) {
        fprintf(stderr, "acesim: %s:%u:%u: %s\n", file, e.line, e.column, e.message);
        rc = EXIT_USAGE;
    }
    free(text);
    return rc;
}

size_t cluster_algorithm(const cluster *c, unsigned dim, const char **word) {
    *word = c->algorithms;
    for (const char *comma; dim && (comma = strchr(*word, ',')) && comma[1]; dim--)
        *word = comma + 1;
    return strcspn(*word, ",");
}

bool cluster_runs_ring(const cluster *c, unsigned dim) {
    const char *word;
    const size_t length = cluster_algorithm(c, dim, &word);

    if (!length) return c->wiring[dim] == WIRING_LINKS;
    return (length == 4 && !strncmp(word, "ring", length)) ||
           (length == 12 && !strncmp(word, "one-way-ring", length));
}

/* Sets the algorithm of an endpoint without an engine, which sends round a ring or directly and has
 * no programs. */
static int take_without_engine(const cluster *c, ace_config *cfg, unsigned dim, const char *word,
                               refusal *why) {
    const bool ring = !word || !strcmp(word, ace_program_names[0]);

    if (word && ring) cfg->algorithm[dim] = 1;
    if (ring || (cfg->hub[dim] && !strcmp(word, "direct"))) return EXIT_OK;
    return refuse_at(
        why, SETUP_ALGORITHM,
        "found algorithm %s on dimension %c of %u members, expected ring, or direct on a switch or "
        "fully connected: no engine has such a dimension, whose programs would run",
        word, ACE_DIMENSION_LETTERS[dim], c->ring[dim]);
}

/* Takes the name of an algorithm or of a file with programs. *known becomes the index of a name; it
 * stays for a file. */
static int take_word(const char *word, unsigned dim, ace_config *cfg, int *known, refusal *why) {
    if (parse_name(word, ace_program_names, known)) {
        cfg->algorithm[dim] = (uint8_t)(*known + 1);
        return EXIT_OK;
    }
    if (strchr(word, '/') || strchr(word, '.')) return assemble(word, dim, cfg);
    (void)refuse_at(why, SETUP_ALGORITHM, "found algorithm '%s', expected one of", word);
    for (unsigned i = 0; ace_program_names[i]; i++)
        (void)refuse_more(why, "%s %s", i ? "," : "", ace_program_names[i]);
    return refuse_more(why, ", or a file");
}

/* Does the collective take its algorithms from the table of small ones?  The table is of engines
 * whose switches have no limits.  A workload has collectives of any size, and the programs stay as
 * they are while it runs. */
static bool is_small(const machine *m) {
    const cluster *c = &m->cluster;
    const bool phases =
        m->kind == ACE_ALL_REDUCE || m->kind == ACE_REDUCE_SCATTER || m->kind == ACE_ALL_GATHER;

    return !*c->algorithms && !m->workload && phases && m->size <= ACE_SMALL_BYTES &&
           m->schedule == SCHEDULE_BASELINE && !endpoint_is_baseline(c->endpoint) &&
           !c->switch_rows && !(c->switch_GBps > 0);
}

/* May programs run that have one chunk in the engine at a time?  The collective is one chunk then,
 * and all dimensions are rings. */
static bool is_alone(const machine *m, const ace_config *cfg) {
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        if (m->cluster.ring[d] > 1 && (m->cluster.wiring[d] != WIRING_RING || cfg->hub[d] ||
                                       !cluster_engine_has(&m->cluster, d)))
            return false;
    return m->size <= (uint64_t)cfg->chunk_rows * ACE_ROW_BYTES;
}

/* Returns the fastest algorithm for the collective's phase on a dimension, or NULL: the default. */
static const char *small_algorithm(const machine *m, const ace_config *cfg, unsigned dim) {
    const cluster *c = &m->cluster;
    const ace_program_wires wires = c->wiring[dim] == WIRING_SWITCH   ? ACE_WIRES_SWITCH
                                    : c->wiring[dim] == WIRING_DIRECT ? ACE_WIRES_FULL
                                                                      : ACE_WIRES_RING;
    uint64_t block = m->size;
    unsigned before = 0, live = 0, at = m->dim_count;

    if (!is_small(m) || c->wiring[dim] == WIRING_LINKS) return NULL;
    if (wires == ACE_WIRES_RING && !is_alone(m, cfg)) return NULL;
    for (unsigned i = 0; i < m->dim_count; i++) {
        live += c->ring[m->dims[i]] > 1;
        if (m->dims[i] == dim) at = i;
    }
    if (at == m->dim_count) return NULL;
    for (unsigned i = 0; i < at; i++) {
        const unsigned n = c->ring[m->dims[i]];

        if (n == 1 || (m->kind == ACE_ALL_REDUCE && before++)) continue;
        block = (block + n - 1) / n;
    }
    const bool shards = m->kind != ACE_ALL_REDUCE || (live > 1 && !before);
    /* A link with less bandwidth in its latency is as long as one with a larger block. */
    const double longer = (double)cfg->link_cost[dim] * ACE_SMALL_LATENCY /
                          ((double)c->link_latency[dim] * ACE_SMALL_COST);

    const char *const name =
        ace_program_small(wires, shards ? ACE_PHASE_REDUCE_SCATTER : ACE_PHASE_ALL_REDUCE,
                          c->ring[dim], (uint64_t)ceil((double)block * (longer > 1 ? longer : 1)));
    /* a ring goes round by default */
    return name && wires == ACE_WIRES_RING && !strcmp(name, ace_program_names[0]) ? NULL : name;
}

const char *machine_small_algorithm(const machine *m, unsigned dim) {
    return m->config.algorithm[dim] && small_algorithm(m, &m->config, dim)
               ? ace_program_names[m->config.algorithm[dim] - 1]
               : NULL;
}

const char *machine_engine_algorithm(const machine *m, unsigned dim) {
    return small_algorithm(m, &m->config, dim);
}

/* Takes the algorithm of the table, if its programs fit the engine.  The rung calibrated has the
 * default alone. */
static int take_small(const machine *m, ace_config *cfg, unsigned dim) {
    const char *const name =
        strstr(m->cluster.rungs, "calibrated") ? NULL : small_algorithm(m, cfg, dim);
    ace_config own = *cfg;
    int known = -1;
    ace_program_verdict v;

    if (!name || !parse_name(name, ace_program_names, &known)) return EXIT_OK;
    own.algorithm[dim] = (uint8_t)(known + 1);
    if (ace_program_examine(&own, dim, m->cluster.parameters.peers, false, &v) != ACE_OK)
        return message_no_memory();
    if (v.runs && !v.kind && v.blind == own.ring[dim]) cfg->algorithm[dim] = own.algorithm[dim];
    return EXIT_OK;
}

/* Refuses programs that have one chunk in the engine at a time where nodes could wait for each
 * other for ever, and on a rung without their order. */
static int check_alone(const machine *m, const ace_config *cfg, refusal *why) {
    const cluster *c = &m->cluster;
    ace_config own = *cfg;
    const char *found = m->workload                         ? "a workload"
                        : strstr(c->rungs, "calibrated")    ? "the rung calibrated"
                        : endpoint_is_baseline(c->endpoint) ? "an endpoint without an engine"
                                                            : NULL;

    if (ace_program_defaults(&own) != ACE_OK || !ACE_PROGRAM_GET(own.program[0], MODE_ALONE))
        return EXIT_OK;
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        if (cfg->hub[d] && cfg->ring[d] > 1) found = "a dimension that is no ring";
    if (!found) return EXIT_OK;
    return refuse_at(why, SETUP_ALGORITHM,
                     "found %s, expected a single collective on rings: the programs have one chunk "
                     "in the engine at a time (alone)",
                     found);
}

int machine_programs(const machine *m, ace_config *cfg, unsigned *in_network, refusal *why) {
    const cluster *c = &m->cluster;
    char list[sizeof c->algorithms], *next = list, *word = NULL;

    memcpy(list, c->algorithms, sizeof list);
    if (in_network) *in_network = 0;
    for (unsigned dim = 0; dim < ACE_CLUSTER_DIMENSIONS; dim++) {
        int known = -1, rc = EXIT_OK;
        ace_program_verdict v;

        if (next && *next) {
            word = next;
            next = strchr(word, ',');
            if (next) *next++ = '\0';
        }
        if (c->ring[dim] == 1) continue;
        if (!cluster_engine_has(c, dim)) {
            if (take_without_engine(c, cfg, dim, word, why) != EXIT_OK) return EXIT_USAGE;
            continue;
        }
        if (!word && c->wiring[dim] == WIRING_LINKS) cfg->algorithm[dim] = 1; /* ring */
        rc = word ? take_word(word, dim, cfg, &known, why) : take_small(m, cfg, dim);
        if (rc != EXIT_OK) return rc;
        if (ace_program_examine(cfg, dim, c->parameters.peers, !word || known == 0, &v) != ACE_OK)
            return message_no_memory();
        if (word)
            rc = refuse_program(&v, dim, c->ring[dim], word,
                                known >= 0 && c->wiring[dim] == WIRING_RING, why);
        if (rc == EXIT_OK) rc = refuse_peers(&v, dim, c->ring[dim], c->parameters.peers, why);
        if (rc == EXIT_OK && v.shards) rc = check_switch(m, cfg, dim, v.shards, word, why);
        if (rc != EXIT_OK) return rc;
        if (in_network && v.shards) *in_network |= 1U << dim;
    }
    if (next && *next) {
        return refuse_at(
            why, SETUP_ALGORITHM,
            "found more algorithms than dimensions in '%s', expected one for all or one for each",
            c->algorithms);
    }
    return check_alone(m, cfg, why);
}
