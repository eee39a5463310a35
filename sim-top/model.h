/* SPDX-License-Identifier: Apache-2.0 */
/* model.h -- the key `layers` of a workload: the path of a layer table, or layers by shape */
#ifndef MODEL_H
#define MODEL_H

#include "acesim.h"
#include "conf.h"

enum { MODEL_KEYS = 24 };

typedef struct model_layer {
    shape shape;
    size_t line, column;
} model_layer;

typedef struct model {
    const char *file;
    char table[1024]; /* path, or "" */
    model_layer *at;
    unsigned count, room;
    shape now;                     /* being read */
    conf_key keys[MODEL_KEYS + 1]; /* of its kind */
} model;

/* What the key reads with; m stays where it is. */
conf_items model_items(model *m);
/* The layers of w, whose minibatch and element are known.  EXIT_OK, or EXIT_USAGE after a
 * message. */
int model_build(const model *m, workload *w);
void model_free(model *m);

#endif
