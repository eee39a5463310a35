/* SPDX-License-Identifier: Apache-2.0 */
/* layers.h -- the key `layers` of a workload: the path of a layer table, or layers by shape, or by
 * given times as such a table has them (kind: given) */
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
    layer_table given; /* those of given times, in place of shapes */
    unsigned given_room;
    shape now; /* being read; or */
    table_layer now_given;
    bool is_given;
    yaml_key keys[MODEL_KEYS + 1]; /* of its kind */
} model;

/* What the key reads with; m stays where it is. */
yaml_items layers_items(model *m);
/* The layers of w, whose minibatch and element are known.  EXIT_OK, or EXIT_USAGE after a
 * message. */
int layers_build(const model *m, workload *w);
void layers_free(model *m);

#endif
