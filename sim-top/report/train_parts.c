/* SPDX-License-Identifier: Apache-2.0 */
/* train_parts.c -- the parts of an iteration by name, see train_parts.h */
#include "train_parts.h"

#include <string.h>

const train_part train_parts[TRAIN_PARTS] = {
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
};

bool saved_run_is_train(const saved_run *r) {
    const cJSON *const first = cJSON_GetArrayItem(saved_item(r->root, "command"), 0);

    return cJSON_IsString(first) && !strcmp(first->valuestring, "train");
}
