/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layer_table.h -- layer tables of ASTRA-sim 1.0
 *
 *     DATA                                                   how the layers are divided
 *     2                                                      layers
 *     conv1 -1 13003 NONE 0 12864 NONE 0 32291 ALLREDUCE 37632 3229
 *     ...
 *
 * Each line is a layer: name, -1, then the cycles, the collective and its bytes for the forward
 * pass, the input gradient and the weight gradient, and the update delay (not modelled). Cycles are
 * of a 1 GHz clock; bytes are those that an NPU holds. With HYBRID_CUSTOMIZED each line ends with
 * the word for the division of its layer.
 *
 *   word                            forward and input gradient                   weight gradient
 *   DATA, MICRO, HYBRID_DLRM n      none                                         all NPUs
 *   MODEL                           all NPUs                                     none
 *   HYBRID_DATA_MODEL               the first dimension                         the others
 *   HYBRID_MODEL_DATA               all but the first                           the first
 *   HYBRID_TRANSFORMER              the first dimensions, of                    the others
 *                                   `model_parallel_NPU_group: n` NPUs
 *   ..._FWD_IN_BCKWD                as HYBRID_TRANSFORMER; `checkpoints: n a b ...` and
 *                                   `checkpoint_initiates: n a b ...` name layers (below)
 *
 * The two words of transformers may be followed by the keys of SimAI, in any order. SimAI's NPUs
 * belong to one stage of the pipeline, and its rows are their work for all micro-batches:
 *
 *   ep: n             NPUs of an expert parallel group: the next dimensions after the model's.
 *                     ALLTOALL_EP and similar run on these.  ALLGATHER_DP_EP and similar run on
 *                     the remaining dimensions
 *   all_gpus: n, pp: n                                        NPUs in all; stages
 *   vpp: n, ga: n, pp_comm n                                  virtual stages, micro-batches, bytes
 *                                                             between stages
 *
 * With these keys, the bytes of an ALLGATHER are the sum over all members. In other tables they are
 * what an NPU contributes. AICB's tables, however, have the sum without these keys. BROADCAST is
 * read as NONE.
 *
 * With HYBRID_DLRM the first layer's collectives are of all NPUs, and layer n is the last of the
 * bottom. With FWD_IN_BCKWD nothing is kept of the layers in checkpoint_initiates. The backward
 * pass repeats the forward pass there, from the nearest earlier checkpoint.
 */
#ifndef LAYER_TABLE_H
#define LAYER_TABLE_H

#include <stdbool.h>
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
extern const char *const table_names[TABLE_WORDS + 1]; /* "HYBRID_DLRM"; NULL */

/* The NPUs that a collective of a transformer uses. */
typedef enum table_share {
    SHARE_OF_PASS,    /* as for the pass */
    SHARE_EXPERT,     /* _EP */
    SHARE_EXPERT_DATA /* _DP_EP */
} table_share;

typedef struct table_collective {
    ace_kind kind;
    table_share share;
    uint64_t bytes; /* 0: none */
    size_t column;  /* column of its name */
} table_collective;

typedef struct table_layer {
    char name[64];
    table_word word; /* how the layer is divided */
    uint64_t cycles[PASSES];
    table_collective collective[PASSES];
    uint64_t update;        /* delay, not modelled */
    bool checkpoint, again; /* FWD_IN_BCKWD */
    size_t line;
} table_layer;

typedef struct layer_table {
    table_word word;
    unsigned last_bottom; /* HYBRID_DLRM */
    unsigned model_npus;  /* HYBRID_TRANSFORMER; below, 1 if the table does not give it */
    unsigned expert_npus, stages, virtual_stages, micro_batches;
    unsigned all_npus; /* 0: the table does not give it */
    double stage_bytes;
    bool total;          /* bytes of all-gathers are the sum over all members */
    unsigned broadcasts; /* number of those read as NONE */
    table_layer *layer;
    unsigned count;
} layer_table;

/* Reads a table. any: accepts all words and collectives; otherwise only data parallelism, whose
 * weight gradients are all-reduced. Returns EXIT_OK, or EXIT_USAGE after a message with file, line
 * and column. */
int layer_table_read(const char *file, bool any, layer_table *t);
/* Returns whether the table has a collective that data-parallel training does not have. */
bool layer_table_is_parallel(const layer_table *t);

/* ---- what a table means on a network: layer_table_passes.c ---------------------------------- */

/* Dimensions of a network, and the ones that form a transformer's groups. */
typedef struct table_network {
    unsigned dims;
    const unsigned *members;
    unsigned model, expert; /* a bit for each dimension */
} table_network;
/* Checks that the word defines the NPUs of each collective. layer_table_read() calls it. Returns
 * EXIT_OK, or EXIT_USAGE after a message with the position in the file. */
int layer_table_check(const char *file, const layer_table *t);
/* Finds the groups of a transformer. Returns EXIT_OK, or EXIT_USAGE after a message if no
 * dimensions have their sizes. */
int layer_table_settle(const char *file, const layer_table *t, table_network *n);
/* Returns the dimensions of a pass's collective, one bit each; 0: the layer has none. */
unsigned layer_table_dims(const layer_table *t, const table_network *n, unsigned layer, pass p);
/* Returns the number of NPUs along these dimensions. */
unsigned layer_table_members(const table_network *n, unsigned dims);
/* Returns the bytes that each NPU contributes to the collective; for an all-gather, its shard. */
uint64_t layer_table_bytes(const layer_table *t, const table_collective *c, unsigned members);
/* Reports on standard error what in the table does not affect timing. */
void layer_table_report(const char *file, const layer_table *t, const table_network *n);

/* Callbacks for the steps of a pass, in their order. */
typedef struct table_visitor {
    void *self;
    /* A layer computes, after all previous computations and the collectives that were awaited
     * since. */
    void (*compute)(void *self, unsigned layer, pass p);
    /* Its collective begins after the last computation. again: in a repeated forward pass. */
    void (*begin)(void *self, unsigned layer, pass p, bool again);
    /* The next computation waits for this collective; with PASS_WEIGHT, for the one of the previous
     * iteration. It is also called for layers without such a collective. */
    void (*await)(void *self, unsigned layer, pass p, bool again);
    void (*backward)(void *self); /* the backward pass begins; or NULL */
} table_visitor;
/*
 * Walks once over the layers, forward and backward:
 *
 *   forward          compute, then its collective; the next layer waits for it
 *   backward         input gradient, then its collective; the previous layer waits for it.  Then
 *                    weight gradient and its collective; the next iteration waits for it.  A
 *                    layer whose input gradient has no collective computes its weight gradient
 *                    first.  The first layer has an input gradient only if it has a collective
 *   HYBRID_DLRM      the first layer's all-to-all is awaited after the bottom in the forward
 *                    pass.  In the backward pass it begins there, and the first layer waits
 *   FWD_IN_BCKWD     the forward pass is repeated from the checkpoint on, before a layer of
 *                    checkpoint_initiates
 */
void layer_table_walk(const layer_table *t, const table_visitor *v);

/* ---- writing ----------------------------------------------------------------------------------
 * */

/* Write a table of data parallelism, as text and as a workload in YAML (layers.h). */
void layer_table_write(FILE *to, const layer_table *t);
void layer_table_write_yaml(FILE *to, const layer_table *t);
void layer_table_free(layer_table *t);

#endif
