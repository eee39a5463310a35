/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layers.h -- reads the key `layers` of a workload
 *
 * It has the path of a layer table, layers by shape, or layers with given times as in a table
 * (kind: given).
 */
#ifndef LAYERS_H
#define LAYERS_H

#include "layer_table.h"
#include "operations.h"
#include "workload.h"
#include "yaml_file.h"

enum { MODEL_KEYS = 24 };

typedef struct layers_layer {
    shape shape;
    size_t line, column;
} layers_layer;

typedef struct model {
    const char *file;
    char table[1024]; /* path, or "" */
    layers_layer *at;
    unsigned count, room;
    layer_table given; /* layers with given times, instead of shapes */
    unsigned given_room;
    shape now; /* the layer that is being read; or */
    table_layer now_given;
    bool is_given;
    yaml_key keys[MODEL_KEYS + 1]; /* for its kind */
} model;

/* Returns the reader of the key; m must not move. */
yaml_items layers_items(model *m);
/* Builds the layers of w, whose minibatch and element are known. Returns EXIT_OK, or EXIT_USAGE
 * after a message. */
int layers_build(const model *m, workload *w);
void layers_free(model *m);

#endif
