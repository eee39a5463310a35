/* SPDX-License-Identifier: Apache-2.0 */
/*
 * faults_scratchpad.c -- faults of scratchpads: their text, sorted by node
 *
 * The list is sorted by node, so each node gets a slice of the list. The node itself draws random
 * upsets.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ace_secded.h"
#include "exit_status.h"
#include "faults.h"
#include "refusal.h"

static bool read_number(const char **at, char end, uint64_t high, uint64_t *v) {
    char *past;

    if (**at < '0' || **at > '9') return false;
    *v = strtoull(*at, &past, 0);
    if (past == *at || *past != end || *v > high) return false;
    *at = past + (end != '\0');
    return true;
}

static bool read_rate(const char *item, scratchpad_faults *to) {
    char *past;
    const double rate = strtod(item, &past);
    const char *seed = past + 1;

    if (past == item || !(rate > 0 && rate <= 1) || to->chance) return false;
    to->chance = rate < 1 ? (uint64_t)ldexp(rate, 64) : UINT64_MAX;
    to->seed = 1;
    return to->chance &&
           (!*past || (*past == ':' && read_number(&seed, '\0', UINT64_MAX, &to->seed)));
}

/* Inserts an upset so that the list stays sorted by node. */
static bool add(scratchpad_faults *to, unsigned node, const ace_upset *u) {
    unsigned *nodes = realloc(to->node, (to->count + 1) * sizeof *nodes);
    ace_upset *listed = nodes ? realloc(to->listed, (to->count + 1) * sizeof *listed) : NULL;
    size_t at = to->count;

    if (nodes) to->node = nodes;
    if (!listed) return false;
    to->listed = listed;
    while (at && nodes[at - 1] > node) at--;
    memmove(nodes + at + 1, nodes + at, (to->count - at) * sizeof *nodes);
    memmove(listed + at + 1, listed + at, (to->count - at) * sizeof *listed);
    nodes[at] = node;
    listed[at] = *u;
    to->count++;
    return true;
}

bool scratchpad_faults_read(const char *item, scratchpad_faults *to) {
    uint64_t node, bank, row, word, mask, cycle;
    const char *at = item;

    if (!strchr(item, '@')) return read_rate(item, to);
    if (!read_number(&at, '.', UINT32_MAX, &node) || !read_number(&at, '.', ACE_BANKS - 1, &bank) ||
        !read_number(&at, '.', 4095, &row) || !read_number(&at, '.', ACE_STORED_WORDS - 1, &word) ||
        !read_number(&at, '@', UINT32_MAX, &mask) || !mask ||
        !read_number(&at, '\0', UINT64_MAX, &cycle))
        return false;
    return add(
        to, (unsigned)node,
        &(ace_upset){ cycle, { (uint8_t)bank, (uint8_t)word, (uint16_t)row, (uint32_t)mask } });
}

int scratchpad_faults_check(const scratchpad_faults *f, const cluster *c, unsigned nodes,
                            refusal *why) {
    for (size_t i = 0; i < f->count; i++) {
        if (f->node[i] >= nodes) {
            return refuse(why, "--faults: found node %u, expected one of 0 to %u", f->node[i],
                          nodes - 1);
        }
        if (f->listed[i].fault.row >= c->parameters.bank_rows) {
            return refuse(why, "--faults: found row %u, expected one of 0 to %u",
                          f->listed[i].fault.row, c->parameters.bank_rows - 1);
        }
        for (size_t k = 0; k < i; k++)
            if (f->node[k] == f->node[i] && f->listed[k].cycle == f->listed[i].cycle)
                return refuse(why,
                              "--faults: found two upsets of node %u in cycle %" PRIu64
                              ", expected one at most",
                              f->node[i], f->listed[i].cycle);
    }
    return EXIT_OK;
}

ace_upsets scratchpad_faults_of(const scratchpad_faults *f, unsigned node) {
    size_t first = 0, past;

    while (first < f->count && f->node[first] < node) first++;
    past = first;
    while (past < f->count && f->node[past] == node) past++;
    return (ace_upsets){ .chance = f->chance,
                         .seed = f->seed * UINT64_C(0x2545F4914F6CDD1D) + node,
                         .listed = past > first ? f->listed + first : NULL,
                         .count = past - first };
}
