/* SPDX-License-Identifier: Apache-2.0 */
/*
 * footprint.h -- what training holds in the memory of a rank, term by term
 *
 *     footprint f;
 *     if (footprint_make(&model, &strategy, stage, &f) != EXIT_OK) ...
 *     for (unsigned i = 0; i < f.terms; i++) ... f.term[i].name, .formula, .bytes
 *
 * 16-bit training with Adam: 2 bytes a parameter, g of its gradient, 12 of FP32 master and moments.
 * Activations are those a backward pass needs (Korthikanti et al., 2022), of all micro-batches that
 * the schedule holds at a time.  Workspace of kernels and buffers of communication are not counted:
 * the peak is of allocated bytes, and real ones are 0.4 to 5 GiB above it.
 *
 * Symbols: b s h a k q f L W as in model.h, t p d c e v m as in strategy.h, N = d c,
 * u = t with sequence parallelism and 1 without, P parameters.
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
    const char *name, *formula; /* the formula as its symbols */
    double bytes;
} footprint_term;

enum { FOOTPRINT_TERMS = 64 };

typedef struct footprint {
    uint64_t stage;
    double parameters; /* on the rank, experts among them */
    double expert_parameters;
    double layers, held; /* of the stage; layers times micro-batches whose activations it holds */
    double sum[FOOTPRINT_CLASSES];
    double peak; /* of them all */
    footprint_term term[FOOTPRINT_TERMS];
    unsigned terms;
} footprint;

/* Of a rank of stage 0 <= stage < pp (DLRM: the fullest rank).  The strategy fits the model.
 * EXIT_OK, or another status after a message. */
int footprint_make(const training_model *m, const strategy *s, uint64_t stage, footprint *f);
/* With lists that are not those of the strategy's schedule; NULL: with those. */
int footprint_make_of(const training_model *m, const strategy *s, const pipeline *lists,
                      uint64_t stage, footprint *f);

/* What one layer keeps of a micro-batch on a rank for its backward pass, nothing recomputed but
 * what the strategy's `selective` and `fused` leave out; terms as of a footprint. */
double footprint_layer_activations(const training_model *m, model_layer l, const strategy *s,
                                   footprint_term *term, unsigned *terms);

/* Of a DLRM whose tables are dealt to `ranks`, the fullest first: parameters of the rank with
 * most. */
double footprint_dealt_tables(const model_dlrm *d, uint64_t ranks);

#ifdef __cplusplus
}
#endif

#endif
