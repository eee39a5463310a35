/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model.h -- a model that is trained, by its sizes: a transformer or a DLRM
 *
 *     training_model m;
 *     if (model_read("models/gpt3-175b.yaml", &m) != EXIT_OK) ...
 *     double all = model_parameters(&m);
 *
 * A transformer is a row of layers. An encoder-decoder has its encoder's layers first, then its
 * decoder's. Each decoder layer has a second attention, to the encoder's output. A hybrid decoder
 * has layers of one block each: attention, an MLP, or Mamba-2.
 *
 * Rules that hold for every call
 *   Counts   Parameters and elements are counted in doubles that hold whole numbers: the models
 *            of today have fewer than 2^53.
 *   Names    Sizes have the names that their papers and frameworks use. The comment of a size
 *            gives its symbol in the usual formulas.
 */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum model_kind {
    MODEL_DECODER,
    MODEL_ENCODER,
    MODEL_ENCODER_DECODER,
    MODEL_DLRM,
    MODEL_KINDS
} model_kind;
typedef enum model_positions {
    POSITIONS_LEARNED,  /* a table of sequence x hidden */
    POSITIONS_ROTARY,   /* no parameters */
    POSITIONS_RELATIVE, /* T5: buckets x heads, once for each row of layers */
    POSITIONS_NONE
} model_positions;
typedef enum model_norm { NORM_LAYER, NORM_RMS } model_norm; /* 2 h and h parameters */
typedef enum model_interaction { INTERACTION_DOT, INTERACTION_OTHER } model_interaction;

extern const char *const model_kind_names[];

/* Mixture of experts. count 0: there are none. */
typedef struct model_experts {
    uint64_t count;        /* E */
    uint64_t top;          /* experts that a token passes */
    uint64_t ffn;          /* width of an expert's MLP */
    uint64_t shared_ffn;   /* width of the experts that each token passes, together; 0: none */
    uint64_t dense_layers; /* the first layers, which have an MLP of width `ffn` instead */
    uint64_t every;        /* of so many layers behind these, the last has experts; 0: as 1 */
    double capacity;       /* factor to which an expert's tokens are padded; 0: no padding */
    bool bias;             /* the router has one number an expert */
} model_experts;

/* Latent attention (DeepSeek-V2). key_value_rank 0: the model has ordinary attention. */
typedef struct model_latent {
    uint64_t query_rank, key_value_rank;
    uint64_t rotary_size; /* of a head, in addition to head_size; the keys of all heads share one */
    uint64_t value_size;  /* of a head */
} model_latent;

/* Mamba-2 (Dao and Gu, "Transformers are SSMs", 2024). heads 0: the model has no such layers. */
typedef struct model_mamba {
    uint64_t heads, head_size; /* the inner width is their product */
    uint64_t state;            /* N: of a head, for each of its elements */
    uint64_t groups;           /* of heads that share B and C */
    uint64_t kernel;           /* of the convolution over tokens */
    uint64_t chunk;            /* tokens whose products are one matrix product */
} model_mamba;

enum { MLP_MOST = 16, TABLES_MOST = 1024, PATTERN_MOST = 256 };

typedef struct model_mlp {
    uint64_t size[MLP_MOST]; /* the inputs, then the outputs of each layer */
    unsigned sizes;
} model_mlp;

typedef struct model_dlrm {
    model_mlp bottom, top;
    uint64_t tables, width; /* T, D */
    uint64_t lookups;       /* F: rows that a lookup pools */
    /* of each table; with rows_given == 1, the first holds for all tables */
    uint64_t rows[TABLES_MOST];
    unsigned rows_given;
    model_interaction interaction;
} model_dlrm;

typedef struct training_model {
    char name[64];
    model_kind kind;
    uint64_t layers;         /* L; of an encoder-decoder, the encoder's */
    uint64_t decoder_layers; /* of an encoder-decoder; otherwise 0 */
    uint64_t hidden;         /* h */
    uint64_t heads;          /* a */
    uint64_t kv_heads;       /* k */
    uint64_t head_size;      /* q */
    uint64_t ffn;            /* f */
    bool gated;              /* the MLP has a third matrix: G = 3 */
    uint64_t sequence;       /* s */
    uint64_t vocabulary;     /* W */
    model_positions positions;
    uint64_t position_buckets; /* of relative positions */
    uint64_t token_types;      /* rows of one more embedding; 0: none */
    bool pooler;               /* a square linear layer after the first token */
    bool tied;                 /* the embedding is also the output layer */
    bool biases;               /* of attention and MLP */
    bool dropout;              /* dropout masks are kept for the backward pass */
    model_norm norm;
    /* each head has a trained score of no token, which takes a share of the softmax */
    bool sinks;
    bool post_norms; /* a second norm, behind each block */
    /* each head normalizes its queries and its keys, over head_size elements */
    bool query_key_norm;
    model_experts experts;
    model_latent latent;
    model_mamba mamba;
    /* of a hybrid, a letter for each layer: M Mamba-2, * attention, - MLP; otherwise "" */
    char pattern[PATTERN_MOST];
    model_dlrm dlrm;
} training_model;

/* The one block that a hybrid's layer has; 0: attention, then an MLP or experts. */
typedef enum model_block {
    LAYER_OF_TWO_BLOCKS,
    LAYER_OF_ATTENTION,
    LAYER_OF_MLP,
    LAYER_OF_MAMBA
} model_block;

/* A layer of a transformer. */
typedef struct model_layer {
    bool cross; /* a second attention, to the encoder's output */
    bool moe;   /* experts instead of the MLP */
    model_block only;
} model_layer;

/* Reads a model by name or path, as data_path_find() takes it. Returns EXIT_OK, or EXIT_USAGE after
 * a message with file, line and column. */
int model_read(const char *name, training_model *m);
/* Returns the JSON Schema of a model file. The caller deletes it. */
struct cJSON *model_schema(void);

/* Returns an FNV-1a digest of all sizes; the name is not part of it. */
uint64_t model_digest(const training_model *m);

uint64_t model_layers(const training_model *m); /* of encoder and decoder */
model_layer model_layer_at(const training_model *m, uint64_t i);
bool model_layer_mixes(model_layer l);   /* it has attention or Mamba-2 */
bool model_layer_has_mlp(model_layer l); /* it has an MLP or experts */
/* Returns the elements of a token after the first product of Mamba-2: two times the inner width, B
 * and C of each group, and a step of each head. */
double model_mamba_width(const model_mamba *m);
double model_gates(const training_model *m); /* G: matrices of an MLP */
/* Return the elements of a query or key, and of a value, of a head. */
double model_key_size(const training_model *m);
double model_value_size(const training_model *m);

/* ---- parameters ---------------------------------------------------------------------------- */

/* Parameters of one layer, grouped by how tensor and expert parallelism divide them. */
typedef struct layer_parameters {
    double attention; /* matrices and biases that tensor parallelism divides */
    /* copied on each of its ranks: output biases, latent down-projections */
    double attention_whole;
    double mlp, mlp_whole; /* divided and copied, in the same way; includes the shared experts */
    double norms;          /* copied */
    double router;         /* copied */
    /* of all experts, which expert parallelism divides: matrices and their biases, which experts'
     * own tensor parallelism divides, too, and output biases, which it copies */
    double experts, experts_whole;
} layer_parameters;

layer_parameters model_layer_parameters(const training_model *m, model_layer l);
double layer_parameters_sum(const layer_parameters *p);

/* Parameters before the first layer and after the last one. */
typedef struct end_parameters {
    double embedding; /* W h, divided by tensor parallelism */
    double
        /* learned or relative ones, token types, and the norm of an encoder's embedding */
        positions;
    double norm; /* after the last layer */
    double head; /* W h if it is not tied */
    double pooler;
} end_parameters;
end_parameters model_end_parameters(const training_model *m);

/* A line of a table of parameters: `count` times `each`. */
typedef struct model_part {
    const char *name, *formula;
    double each, count;
} model_part;
enum { MODEL_PARTS = 24 };
/* Lists all parameters and returns the number of lines. */
unsigned model_parts(const training_model *m, model_part to[MODEL_PARTS]);
double model_parameters(const training_model *m);
/* Returns the parameters that a token passes, with only `top` of the experts. */
double model_active_parameters(const training_model *m);

double mlp_parameters(const model_mlp *l, bool biases);
double dlrm_rows(const model_dlrm *d);
/* Returns the rows of table i, which are given or an even share. */
double dlrm_table_rows(const model_dlrm *d, uint64_t i);

#ifdef __cplusplus
}
#endif

#endif
