/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layer_table.h -- layer tables of ASTRA-sim 1.0, as they are written
 *
 *     DATA                                                   how the layers are divided
 *     2                                                      layers
 *     conv1 -1 13003 NONE 0 12864 NONE 0 32291 ALLREDUCE 37632 3229
 *     ...
 *
 * A line a layer: name, -1, then cycles, collective and its bytes of the forward pass, the input gradient and
 * the weight gradient, and the update delay (not modelled).  Cycles are of a 1 GHz clock; bytes are
 * what an NPU holds.  With HYBRID_CUSTOMIZED each line ends with how its own layer is divided.
 *
 *   word                            collectives of forward and input gradient   of the weight gradient
 *   DATA, MICRO, HYBRID_DLRM n      none                                        all NPUs
 *   MODEL                           all NPUs                                    none
 *   HYBRID_DATA_MODEL               the first dimension                         the others
 *   HYBRID_MODEL_DATA               all but the first                           the first
 *   HYBRID_TRANSFORMER              the first dimensions, of                    the others
 *                                   `model_parallel_NPU_group: n` NPUs
 *   ..._FWD_IN_BCKWD                likewise; `checkpoints: n a b ...` and `checkpoint_initiates: n a b ...`
 *                                   name layers (below)
 *
 * The two words of transformers may have the keys of SimAI behind them, in any order.  Its NPUs are those of a stage of the
 * pipeline, and its rows their work for all micro-batches:
 *
 *   ep: n             NPUs of an expert parallel group: the next dimensions behind the model's.  ALLTOALL_EP and the
 *                     like are of those, ALLGATHER_DP_EP and the like of the dimensions that are left
 *   all_gpus: n, pp: n                                        NPUs in all; stages
 *   vpp: n, ga: n, pp_comm n                                  virtual stages, micro-batches, bytes between stages
 *
 * Bytes of an ALLGATHER are with them those of all members together; in other tables what an NPU brings.  But AICB's
 * tables have the sum without such keys.  BROADCAST is read as NONE.
 *
 * With HYBRID_DLRM the first layer's collectives are of all NPUs, and layer n is the last of the bottom.
 * The backward pass comes to a layer of checkpoint_initiates with nothing kept of it: it goes
 * forward again from the nearest checkpoint before it.
 */
#ifndef LAYER_TABLE_H
#define LAYER_TABLE_H

#include <stddef.h>
#include <stdio.h>

#include "ace_types.h"
#include "operations.h"

typedef enum table_word {
    TABLE_DATA,
    TABLE_MICRO,
    TABLE_MODEL,
    TABLE_DATA_MODEL,
    TABLE_MODEL_DATA,
    TABLE_TRANSFORMER,
    TABLE_TRANSFORMER_AGAIN, /* FWD_IN_BCKWD */
    TABLE_DLRM,
    TABLE_CUSTOMIZED,
    TABLE_WORDS
} table_word;
extern const char *const table_words[TABLE_WORDS + 1]; /* "HYBRID_DLRM"; NULL */

/* Whose a collective of a transformer is. */
typedef enum table_share {
    SHARE_OF_PASS,    /* as the pass says */
    SHARE_EXPERT,     /* _EP */
    SHARE_EXPERT_DATA /* _DP_EP */
} table_share;

typedef struct table_collective {
    ace_kind kind;
    table_share share;
    uint64_t bytes; /* 0: none */
    size_t column;  /* where its word stands */
} table_collective;

typedef struct table_layer {
    char name[64];
    table_word word; /* how it is divided */
    uint64_t cycles[PASSES];
    table_collective collective[PASSES];
    uint64_t update;        /* delay, not modelled */
    bool checkpoint, again; /* FWD_IN_BCKWD */
    size_t line;
} table_layer;

typedef struct layer_table {
    table_word word;
    unsigned last_bottom; /* HYBRID_DLRM */
    unsigned model_npus;  /* HYBRID_TRANSFORMER; below likewise, 1 where the table does not say */
    unsigned expert_npus, stages, virtual_stages, micro_batches;
    unsigned all_npus; /* 0: the table does not say */
    double stage_bytes;
    bool total;          /* bytes of all-gathers are those of all members together */
    unsigned broadcasts; /* that are read as NONE */
    table_layer *layer;
    unsigned count;
} layer_table;

/* any: all words and collectives; else those of data parallelism alone, whose weight gradients are
 * all-reduced.  EXIT_OK, or EXIT_USAGE after a message with file, line and column. */
int layer_table_read(const char *file, bool any, layer_table *t);
/* A table of data parallelism, as text and as a workload in YAML (layers.h). */
void layer_table_write(FILE *to, const layer_table *t);
void layer_table_write_yaml(FILE *to, const layer_table *t);
void layer_table_free(layer_table *t);

#endif
