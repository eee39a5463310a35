/* SPDX-License-Identifier: Apache-2.0 */
/*
 * faults_dead.c -- a link or a node that is dead from a cycle on: its text, and where it may be
 *
 * From this cycle on each frame of a dead link is wrong in both directions. A dead node is all of
 * its links. The run itself is that of failure_run.h.
 */
#include <stdlib.h>

#include "exit_status.h"
#include "faults.h"
#include "refusal.h"

static bool read_number(const char **at, uint64_t high, uint64_t *v) {
    char *past;

    if (**at < '0' || **at > '9') return false;
    *v = strtoull(*at, &past, 10);
    *at = past;
    return *v <= high;
}

bool dead_part_read(const char *item, dead_part *to) {
    uint64_t node, link = 0, cycle;
    bool one_link;

    if (to->any || !read_number(&item, UINT32_MAX, &node)) return false;
    one_link = *item == '.';
    if (one_link) item++;
    if (one_link && !read_number(&item, ACE_LINKS - 1, &link)) return false;
    if (*item++ != '@' || !read_number(&item, UINT64_MAX, &cycle) || *item) return false;
    *to = (dead_part){ .any = true,
                       .whole_node = !one_link,
                       .node = (unsigned)node,
                       .link = (unsigned)link,
                       .cycle = cycle };
    return true;
}

int dead_part_check(const dead_part *f, const cluster *c, unsigned nodes, refusal *why) {
    if (f->node >= nodes)
        return refuse(why, "--faults dead: found node %u, expected one of 0 to %u", f->node,
                      nodes - 1);
    if (nodes == 1) return refuse(why, "--faults dead: found one node, expected others that go on");
    if (!f->whole_node && c->ring[f->link / 2] == 1)
        return refuse(why,
                      "--faults dead: found link %u, expected one of a dimension of more than one "
                      "node",
                      f->link);
    return EXIT_OK;
}
