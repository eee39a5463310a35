/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ring.c -- two nodes in C, joined to a ring by two wires in each direction
 *
 * Links 0 and 1 of a node lead up and down dimension x.  A flit that leaves link 0 arrives at link
 * 1 of the other node 90 cycles later.  Each call of ace_node_run() simulates 90 cycles.  All flits
 * that arrive in these cycles are on the wires before the call.
 *
 *     cc ring.c $(pkg-config --cflags --libs acesim)
 */
#include <stdio.h>

#include "ace_memory.h"
#include "pair.h"

static float vector[PAIR_BYTES / sizeof(float)];

int main(void) {
    const ace_command command = pair_command();
    ace_node_setup setup[2] = { { .parameters = pair_parameters },
                                { .parameters = pair_parameters } };
    ace_node *node[2];
    uint64_t last = 0;

    for (int i = 0; i < 2; i++)
        for (int l = 0; l < 2; l++)
            setup[i].out[l] = setup[!i].in[!l] =
                ace_wire_create(PAIR_LATENCY, PAIR_LATENCY + 1, true);
    for (int i = 0; i < 2; i++) {
        for (size_t k = 0; k < sizeof vector / sizeof *vector; k++) vector[k] = (float)(i + 1);
        setup[i].config = pair_config((unsigned)i);
        setup[i].memory = ace_memory_create();
        ace_memory_write(setup[i].memory, command.source, vector, sizeof vector);
        if (ace_cycle_node_create(&setup[i], &node[i]) != ACE_OK) return 1;
        if (ace_node_submit(node[i], &command, 0) != ACE_OK) return 1;
    }
    for (int done = 0; done < 2; last += PAIR_LATENCY)
        for (int i = 0; i < 2; i++) {
            ace_completion c;
            ace_node_run(node[i], last + PAIR_LATENCY);
            while (ace_node_completion(node[i], &c)) {
                printf("node %d: %llu cycles\n", i, (unsigned long long)c.cycle + 1);
                done++;
            }
        }
    for (int i = 0; i < 2; i++) {
        ace_memory_read(setup[i].memory, command.destination, vector, sizeof vector);
        for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
            if (vector[k] != 1.0F + 2.0F) return 1;
        ace_node_destroy(node[i]);
        ace_memory_destroy(setup[i].memory);
        for (int l = 0; l < 2; l++) ace_wire_destroy(setup[i].out[l]);
    }
    return 0;
}
