/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model.h -- a model that is trained, by its sizes: a transformer or a DLRM
 *
 *     training_model m;
 *     if (model_read("models/gpt3-175b.yaml", &m) != EXIT_OK) ...
 *     double all = model_parameters(&m);
 *
 * A transformer is a row of layers.  Those of an encoder-decoder are its encoder's first, then its
 * decoder's, which have a second attention, to the encoder's output.
 *
 * Rules that hold for every call
 *   Counts   Of parameters and elements, as doubles that hold whole numbers: the models of today
 *            have fewer than 2^53.
 *   Names    Sizes have the names that their papers and frameworks use; which symbol of the usual
 *            formulas one is stands beside it.
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

/* Mixture of experts; count 0: there are none. */
typedef struct model_experts {
    uint64_t count;        /* E */
    uint64_t top;          /* experts a token passes */
    uint64_t ffn;          /* of an expert */
    uint64_t shared_ffn;   /* of all that each token passes, together; 0: none */
    uint64_t dense_layers; /* the first ones have an MLP of `ffn` instead */
    double capacity;       /* factor to which an expert's tokens are padded; 0: no padding */
    bool bias;             /* the router's, of one number an expert */
} model_experts;

/* Latent attention (DeepSeek-V2); key_value_rank 0: queries, keys and values as usual. */
typedef struct model_latent {
    uint64_t query_rank, key_value_rank;
    uint64_t rotary_size; /* of a head, beside head_size; one for all heads of the keys */
    uint64_t value_size;  /* of a head */
} model_latent;

enum { MLP_MOST = 16, TABLES_MOST = 1024 };

typedef struct model_mlp {
    uint64_t size[MLP_MOST]; /* inputs, then the outputs of each layer */
    unsigned sizes;
} model_mlp;

typedef struct model_dlrm {
    model_mlp bottom, top;
    uint64_t tables, width;     /* T, D */
    uint64_t lookups;           /* F: rows a lookup pools */
    uint64_t rows[TABLES_MOST]; /* of each table; with rows_given == 1 the first is of all */
    unsigned rows_given;
    model_interaction interaction;
} model_dlrm;

typedef struct training_model {
    char name[64];
    model_kind kind;
    uint64_t layers;         /* L; of an encoder-decoder its encoder's */
    uint64_t decoder_layers; /* of an encoder-decoder, else 0 */
    uint64_t hidden;         /* h */
    uint64_t heads;          /* a */
    uint64_t kv_heads;       /* k */
    uint64_t head_size;      /* q */
    uint64_t ffn;            /* f */
    bool gated;              /* the MLP has a third matrix: G = 3 */
    uint64_t sequence;       /* s */
    uint64_t vocabulary;     /* W */
    model_positions positions;
    uint64_t position_buckets; /* of relative ones */
    uint64_t token_types;      /* rows of one more embedding; 0: none */
    bool pooler;               /* a square linear layer behind the first token */
    bool tied;                 /* the embedding is the output layer, too */
    bool biases;               /* of attention and MLP */
    bool dropout;              /* its masks are kept for the backward pass */
    model_norm norm;
    bool sinks; /* each head learns a score of no token, which takes its share of a softmax */
    bool query_key_norm; /* queries and keys of a head have a norm each, of head_size */
    model_experts experts;
    model_latent latent;
    model_dlrm dlrm;
} training_model;

/* A layer of a transformer. */
typedef struct model_layer {
    bool cross; /* a second attention, to the encoder's output */
    bool moe;   /* experts in place of the MLP */
} model_layer;

/* Of a name or path as data_path_find() takes it.  EXIT_OK, or EXIT_USAGE after a message with
 * file, line and column. */
int model_read(const char *name, training_model *m);
/* The JSON Schema of such a file; the caller deletes it. */
struct cJSON *model_schema(void);

/* FNV-1a over all of its sizes, and not its name. */
uint64_t model_digest(const training_model *m);

uint64_t model_layers(const training_model *m); /* of encoder and decoder */
model_layer model_layer_at(const training_model *m, uint64_t i);
double model_gates(const training_model *m); /* G: matrices of an MLP */
/* Of queries and keys, and of values, of a head. */
double model_key_size(const training_model *m);
double model_value_size(const training_model *m);

/* ---- parameters ---------------------------------------------------------------------------- */

/* Of one layer, by how tensor and expert parallelism divide them. */
typedef struct layer_parameters {
    double attention;       /* matrices and biases that tensor parallelism cuts */
    double attention_whole; /* that each of its ranks has: output biases, latent down-projections */
    double mlp, mlp_whole;  /* likewise; the shared experts' among them */
    double norms;           /* whole */
    double router;          /* whole */
    double experts; /* all of them; expert parallelism divides them, tensor parallelism not */
} layer_parameters;

layer_parameters model_layer_parameters(const training_model *m, model_layer l);
double layer_parameters_sum(const layer_parameters *p);

/* What stands in front of the layers and behind them. */
typedef struct end_parameters {
    double embedding; /* W h, cut by tensor parallelism */
    double
        positions; /* learned, of token types, relative ones; the norm of an encoder's embedding */
    double norm;   /* behind the last layer */
    double head;   /* W h where it is not tied */
    double pooler;
} end_parameters;
end_parameters model_end_parameters(const training_model *m);

/* A line of a table of parameters: `count` times `each`. */
typedef struct model_part {
    const char *name, *formula;
    double each, count;
} model_part;
enum { MODEL_PARTS = 24 };
/* How many lines; they sum up to all parameters. */
unsigned model_parts(const training_model *m, model_part to[MODEL_PARTS]);
double model_parameters(const training_model *m);
/* Of those the ones that a token passes: top of the experts. */
double model_active_parameters(const training_model *m);

double mlp_parameters(const model_mlp *l, bool biases);
double dlrm_rows(const model_dlrm *d);
/* Of table i: given, or an even share. */
double dlrm_table_rows(const model_dlrm *d, uint64_t i);

#ifdef __cplusplus
}
#endif

#endif
