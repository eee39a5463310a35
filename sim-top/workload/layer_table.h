/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layer_table.h -- layer tables of ASTRA-sim 1.0, as they are written
 *
 *     DATA                                                   how the layers are divided
 *     2                                                      layers
 *     conv1 -1 13003 NONE 0 12864 NONE 0 32291 ALLREDUCE 37632 3229
 *     ...
 *
 * A line a layer: name, -1, then cycles, collective and its bytes of the forward pass, the input
 * gradient and the weight gradient, and the update delay (not modelled).  Cycles are of a 1 GHz
 * clock; bytes are what an NPU holds.  With HYBRID_CUSTOMIZED each line ends with how its own layer
 * is divided.
 *
 *   word                            collectives of forward and input gradient   of the weight
 *                                   gradient
 *   DATA, MICRO, HYBRID_DLRM n      none                                        all NPUs
 *   MODEL                           all NPUs                                    none
 *   HYBRID_DATA_MODEL               the first dimension                         the others
 *   HYBRID_MODEL_DATA               all but the first                           the first
 *   HYBRID_TRANSFORMER              the first dimensions, of                    the others
 *                                   `model_parallel_NPU_group: n` NPUs
 *   ..._FWD_IN_BCKWD                likewise; `checkpoints: n a b ...` and `checkpoint_initiates: n
 *                                   a b ...` name layers (below)
 *
 * The two words of transformers may have the keys of SimAI behind them, in any order.  Its NPUs are
 * those of a stage of the pipeline, and its rows their work for all micro-batches:
 *
 *   ep: n             NPUs of an expert parallel group: the next dimensions behind the model's.
 *                     ALLTOALL_EP and the like are of those, ALLGATHER_DP_EP and the like of the
 *                     dimensions that are left
 *   all_gpus: n, pp: n                                        NPUs in all; stages
 *   vpp: n, ga: n, pp_comm n                                  virtual stages, micro-batches, bytes
 *                                                             between stages
 *
 * Bytes of an ALLGATHER are with them those of all members together; in other tables what an NPU
 * brings.  But AICB's tables have the sum without such keys.  BROADCAST is read as NONE.
 *
 * With HYBRID_DLRM the first layer's collectives are of all NPUs, and layer n is the last of the
 * bottom. The backward pass comes to a layer of checkpoint_initiates with nothing kept of it: it
 * goes forward again from the nearest checkpoint before it.
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
/* Is a collective there that only other than data parallel training has? */
bool layer_table_is_parallel(const layer_table *t);

/* ---- what a table means on a network: layer_table_passes.c ---------------------------------- */

/* Dimensions of a network, and which of them are a transformer's groups. */
typedef struct table_network {
    unsigned dims;
    const unsigned *members;
    unsigned model, expert; /* a bit for each dimension */
} table_network;
/* Is each collective one that the word has NPUs for?  layer_table_read() looks.  EXIT_OK, or
 * EXIT_USAGE after a message with the place in the file. */
int layer_table_check(const char *file, const layer_table *t);
/* Finds the groups of a transformer.  EXIT_OK, or EXIT_USAGE after a message: no dimensions are
 * such. */
int layer_table_settle(const char *file, const layer_table *t, table_network *n);
/* The dimensions of a pass's collective, a bit each; 0: the layer has none. */
unsigned layer_table_dims(const layer_table *t, const table_network *n, unsigned layer, pass p);
/* The NPUs along these. */
unsigned layer_table_members(const table_network *n, unsigned dims);
/* What each of them brings to the collective: its bytes, of an all-gather its shard. */
uint64_t layer_table_bytes(const layer_table *t, const table_collective *c, unsigned members);
/* Says on standard error what of the table makes no cycle. */
void layer_table_tell(const char *file, const layer_table *t, const table_network *n);

/* Who is called with the steps of a pass, one after another. */
typedef struct table_visitor {
    void *self;
    /* A layer computes, behind all that computed before it and what has been awaited since. */
    void (*compute)(void *self, unsigned layer, pass p);
    /* Its collective begins behind what computed last; `again`: of a forward pass that is
     * repeated. */
    void (*begin)(void *self, unsigned layer, pass p, bool again);
    /* What computes next waits for that collective; of PASS_WEIGHT for the one of the pass
     * before.  A layer that has no such collective is named, too. */
    void (*await)(void *self, unsigned layer, pass p, bool again);
    void (*backward)(void *self); /* the way back begins; or NULL */
} table_visitor;
/* One pass over the layers, forward and back:
 *
 *   forward          compute, then its collective, which the next layer waits for
 *   back             input gradient, then its collective, which the layer before it waits for;
 *                    weight gradient, then its collective, which the next pass waits for.  A layer
 *                    whose input gradient has no collective computes its weight gradient first; the
 *                    first layer has no input gradient unless it has a collective
 *   HYBRID_DLRM      the first layer's all-to-all is awaited behind the bottom, forward; back it
 *                    begins there and the first layer waits for it
 *   FWD_IN_BCKWD     the forward pass again, from the checkpoint on, before a layer of
 *                    checkpoint_initiates */
void layer_table_walk(const layer_table *t, const table_visitor *v);

/* ---- writing ----------------------------------------------------------------------------------
 * */

/* A table of data parallelism, as text and as a workload in YAML (layers.h). */
void layer_table_write(FILE *to, const layer_table *t);
void layer_table_write_yaml(FILE *to, const layer_table *t);
void layer_table_free(layer_table *t);

#endif
