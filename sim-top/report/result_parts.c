/* SPDX-License-Identifier: Apache-2.0 */
/* result_parts.c -- tables of the members that divide a run's time, for each command */
#include "result_parts.h"

#include <string.h>

static const result_part of_train[] = {
    { "compute_cycles", "compute", "faster matrix units, or more NPUs", PART_COMPUTE },
    { "exposed_tensor_cycles", "tensor parallelism",
      "faster links of the dimension that holds its groups, or a smaller tp", PART_NETWORK },
    { "exposed_context_cycles", "context parallelism",
      "faster links of the dimension that holds its groups, or a smaller cp", PART_NETWORK },
    { "exposed_expert_cycles", "expert parallelism",
      "faster links of the dimension that holds its groups, or a smaller ep", PART_NETWORK },
    { "exposed_data_cycles", "data parallelism",
      "faster links of the dimension that holds the replicas, or more micro-batches",
      PART_NETWORK },
    { "exposed_pipeline_cycles", "messages of the pipeline", "faster links between the stages",
      PART_NETWORK },
    { "bubble_cycles", "the bubble of the pipeline", "more micro-batches, or chunks (vN)",
      PART_BUBBLE },
    { 0 },
};
/* The parts of the rank that ends last. */
static const result_part of_astra[] = {
    { "compute_cycles", "compute", "faster NPUs", PART_COMPUTE },
    { "exposed_communication_cycles", "communication", "faster links, or another endpoint",
      PART_NETWORK },
    { "memory_cycles", "memory", "a faster remote memory", PART_OTHER },
    { "host_cycles", "the host", "a faster host", PART_OTHER },
    { "idle_cycles", "waiting for other ranks", "ranks that begin sooner, or are more alike",
      PART_OTHER },
    { 0 },
};
static const result_part of_msccl[] = {
    { "bound_cycles", "the busiest link", "faster links, or an algorithm that uses more of them",
      PART_NETWORK },
    { "waiting_cycles", "latency, memory and the order of steps",
      "shorter links, more loops, or more memory bandwidth", PART_LATENCY },
    { 0 },
};

const result_part *result_parts(const saved_run *r) {
    static const struct {
        const char *command;
        const result_part *parts;
    } all[] = { { "train", of_train }, { "astra", of_astra }, { "msccl", of_msccl } };

    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(r->command, all[i].command)) return all[i].parts;
    return NULL;
}
