/* SPDX-License-Identifier: Apache-2.0 */
/* graph_npu.c -- small helpers that the parts of the graph engine share */
#include "graph_npu.h"

#include <stdlib.h>

#include "message.h"

bool graph_room_for(void **at, unsigned count, unsigned *room, size_t size) {
    const unsigned more = *room ? 2 * *room : 16;
    void *to;

    if (count < *room) return true;
    to = realloc(*at, more * size);
    if (!to) return false;
    *at = to;
    *room = more;
    return true;
}

int graph_no_memory(npu_run *n) { return n->failed = message_no_memory(); }

/* A host that receives waits for its NPU, so it is not ahead of what has come. */
void graph_finish(npu_run *n, uint32_t index) {
    if (n->window.at[index].node.kind == GRAPH_RECEIVE && n->host < n->account.now)
        n->host = n->account.now;
    if (!graph_window_finish(&n->window, index)) (void)graph_no_memory(n);
}

bool graph_is_due(const graph_window_entry *p) {
    return graph_by_messages(&p->node) && p->state == ENTRY_RUNNING && !p->progress.sending &&
           !p->progress.awaits && !p->progress.summing;
}
