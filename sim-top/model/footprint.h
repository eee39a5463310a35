/* SPDX-License-Identifier: Apache-2.0 */
/*
 * footprint.h -- what training holds in the memory of a rank, term by term
 *
 *     footprint f;
 *     if (footprint_make(&model, &strategy, stage, &f) != EXIT_OK) ...
 *     for (unsigned i = 0; i < f.terms; i++) ... f.term[i].name, .formula, .bytes
 *
 * Training is 16-bit with Adam: 2 bytes a parameter, g bytes a gradient, and 12 bytes for the FP32
 * master copy and moments. In FP32 and TF32 a parameter has 4 bytes and no master copy. Activations
 * are those that a backward pass needs (Korthikanti et al., 2022), for all micro-batches that the
 * schedule holds at a time. FP32 gradients (grad4) that replicas do not divide have in addition
 * a dummy for each shape of weights, as in Megatron-LM with Transformer Engine. Workspace of
 * kernels and buffers of communication are not counted, and neither is what a layer's backward pass
 * makes.
 *
 * Symbols: b s h a k q f L W as in model.h; t p d c e v m as in strategy.h; P parameters; N = d c.
 * u is t with sequence parallelism and 1 without.
 */
#ifndef FOOTPRINT_H
#define FOOTPRINT_H

#include "model.h"
#include "strategy.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum footprint_class {
    FOOTPRINT_PARAMETERS,
    FOOTPRINT_GRADIENTS,
    FOOTPRINT_OPTIMIZER,
    FOOTPRINT_ACTIVATIONS,
    FOOTPRINT_CLASSES
} footprint_class;
extern const char *const footprint_names[FOOTPRINT_CLASSES];

typedef struct footprint_term {
    footprint_class class_;
    const char *name, *formula; /* the formula in the symbols above, for elements of 16 bits */
    double bytes;
    bool wide; /* its elements have 32 bits: twice the formula */
} footprint_term;

enum { FOOTPRINT_TERMS = 64 };

typedef struct footprint {
    uint64_t stage;
    double parameters; /* on the rank, including experts */
    double expert_parameters;
    /* of the stage; held: layers times micro-batches whose activations the stage holds */
    double layers, held;
    double sum[FOOTPRINT_CLASSES];
    double peak; /* of all parts */
    footprint_term term[FOOTPRINT_TERMS];
    unsigned terms;
} footprint;

/* Computes the memory of a rank of stage 0 <= stage < pp, or of the fullest rank of a DLRM. The
 * strategy fits the model. Returns EXIT_OK, or another status after a message. */
int footprint_make(const training_model *m, const strategy *s, uint64_t stage, footprint *f);
/* Does the same with other lists than the strategy's schedule has. lists NULL: the schedule's. */
int footprint_make_of(const training_model *m, const strategy *s, const pipeline *lists,
                      uint64_t stage, footprint *f);

/* Returns the bytes that one layer keeps of a micro-batch on a rank for its backward pass. Nothing
 * is recomputed except what the strategy's `selective` and `fused` leave out. A footprint has
 * the same terms. */
double footprint_layer_activations(const training_model *m, model_layer l, const strategy *s,
                                   footprint_term *term, unsigned *terms);

/* Returns the parameters of the rank that gets most when a DLRM's tables are dealt to `ranks`
 * ranks. */
double footprint_dealt_tables(const model_dlrm *d, uint64_t ranks);

#ifdef __cplusplus
}
#endif

#endif
