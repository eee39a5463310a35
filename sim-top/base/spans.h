/* SPDX-License-Identifier: Apache-2.0 */
/* spans.h -- a list of an NPU's collectives with their times, in the order in which they ended */
#ifndef SPANS_H
#define SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct span {
    const char *what; /* "all-reduce", ... */
    const char *name; /* name of the layer, or "" */
    uint64_t from, to;
} span;
typedef struct spans {
    span *at;
    size_t count, room;
} spans;
bool spans_add(spans *s, span v);

#ifdef __cplusplus
}
#endif

#endif
