/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_program_examine.c -- examines the programs of a dimension before an engine runs them
 *
 * The programs of all members are assembled, and run against each other without a clock
 * (ace_program_check), for each kind of phase and for even and odd chunks.
 */
#include <stdlib.h>
#include <string.h>

#include "ace_program.h"

/* ---- whose grants a program waits for -------------------------------------------------- */

/* Records the members whose grants a program's sends wait for, by their number modulo `peers`.
 * Returns false if two members have the same number. */
static bool count_granters(const uint32_t *program, uint32_t entry, const ace_config *cfg,
                           unsigned dim, bool odd, unsigned peers, uint8_t granter[ACE_MEMBERS]) {
    const unsigned n = cfg->ring[dim], rank = cfg->rank[dim];
    const bool up = !odd || ACE_PROGRAM_GET(entry, ENTRY_ONE_WAY);
    ace_thread t;
    unsigned pieces = 0;

    ace_thread_begin(&t, program, ACE_PROGRAM_GET(entry, ENTRY_SEND), n, rank, up);
    for (; !t.end && pieces < ACE_PROGRAM_SHARDS_MAX;
         ace_thread_next(&t, program, n, rank, up), pieces++) {
        uint8_t *const of = &granter[t.peer % peers];

        if (ACE_PROGRAM_GET(t.word, GRANT) == ACE_GRANT_NONE || t.peer == rank) continue;
        if (*of && *of != t.peer + 1) return false;
        *of = (uint8_t)(t.peer + 1);
    }
    return true;
}

/* Returns whether all grants of a program come from members with different numbers modulo
 * `peers`. */
static bool distinguishes(const uint32_t *program, const ace_config *cfg, unsigned dim,
                          unsigned peers) {
    for (unsigned odd = 0; odd < 2; odd++) {
        uint8_t granter[ACE_MEMBERS] = { 0 }; /* its number and 1; 0: none */

        for (unsigned kind = ACE_PHASE_REDUCE_SCATTER; kind <= ACE_PHASE_ALL_GATHER; kind++) {
            const uint32_t entry = program[ace_program_entry(kind, dim, odd)];

            if (ACE_PROGRAM_GET(entry, ENTRY_THERE) &&
                !count_granters(program, entry, cfg, dim, odd, peers, granter))
                return false;
        }
    }
    return true;
}

/* Returns whether a dimension has members with the same number modulo `peers` that may grant one
 * member. */
static bool has_namesakes(const ace_config *cfg, unsigned dim, unsigned peers) {
    return cfg->hub[dim] && cfg->ring[dim] > peers;
}

bool ace_program_distinguishes(const ace_config *cfg, unsigned dim, unsigned peers) {
    ace_config own = *cfg;

    return !has_namesakes(cfg, dim, peers) || ace_program_defaults(&own) != ACE_OK ||
           distinguishes(own.program, cfg, dim, peers);
}

/* ---- what goes through a switch --------------------------------------------------------- */

unsigned ace_program_in_network(const uint32_t program[ACE_PROGRAM_WORDS], unsigned dim,
                                unsigned n) {
    unsigned most = 0;
    for (unsigned kind = ACE_PHASE_REDUCE_SCATTER; kind <= ACE_PHASE_ALL_GATHER; kind++)
        for (unsigned odd = 0; odd < 2; odd++) {
            const uint32_t entry = program[ace_program_entry(kind, dim, odd)];
            unsigned shards = 0;
            ace_thread t;
            if (!ACE_PROGRAM_GET(entry, ENTRY_THERE)) continue;
            for (ace_thread_begin(&t, program, ACE_PROGRAM_GET(entry, ENTRY_SEND), n, 0, true);
                 !t.end && shards <= ACE_PROGRAM_SHARDS_MAX;
                 ace_thread_next(&t, program, n, 0, true)) {
                const int bias = ACE_PROGRAM_SIGNED(t.word, BIAS);
                const bool bound = ACE_PROGRAM_GET(t.word, WAIT) == ACE_WAIT_ROWS && bias > 0;
                const unsigned in_flight = bound ? (unsigned)bias * t.shards : n;
                shards += t.shards;
                if (!t.peer && in_flight > most) most = in_flight;
            }
        }
    return most < n ? most : n;
}

/* ---- all of it -------------------------------------------------------------------------- */

/* The program words of all members of a dimension. */
typedef struct group {
    uint32_t program[ACE_MEMBERS][ACE_PROGRAM_WORDS];
} group;

static const uint32_t *program_of(void *self, unsigned member) {
    return ((group *)self)->program[member];
}

int ace_program_examine(const ace_config *cfg, unsigned dim, unsigned peers, bool proved,
                        ace_program_verdict *v) {
    const unsigned n = cfg->ring[dim];
    const bool namesakes = has_namesakes(cfg, dim, peers);

    *v = (ace_program_verdict){ .runs = true, .blind = n };
    if (proved && !namesakes) return ACE_OK;
    group *const g = malloc(sizeof *g);
    if (!g) return ACE_ENOMEM;
    for (unsigned i = 0; i < n; i++) {
        ace_config own = *cfg;

        own.rank[dim] = (uint16_t)i;
        const int rc = ace_program_defaults(&own);
        if (rc == ACE_ENOMEM) {
            free(g);
            return rc;
        }
        const bool assembled = rc == ACE_OK;
        v->runs = v->runs && (assembled || proved);
        if (v->blind == n && namesakes && assembled &&
            !distinguishes(own.program, &own, dim, peers))
            v->blind = i;
        memcpy(g->program[i], own.program, sizeof g->program[i]);
    }
    for (unsigned phase = 2 * ACE_PHASE_REDUCE_SCATTER;
         v->runs && !proved && !v->kind && phase <= 2 * ACE_PHASE_ALL_GATHER + 1; phase++) {
        v->odd = phase & 1;
        const int err = ace_program_check(program_of, g, phase / 2, dim, n, !cfg->hub[dim], v->odd,
                                          v->reason, sizeof v->reason);

        if (err == ACE_ENOMEM) {
            free(g);
            return err;
        }
        if (err != ACE_OK) v->kind = phase / 2;
    }
    if (v->runs && !proved && cfg->hub[dim])
        v->shards = ace_program_in_network(g->program[0], dim, n);
    free(g);
    return ACE_OK;
}
