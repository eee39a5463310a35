/* SPDX-License-Identifier: Apache-2.0 */
/* spans.c -- a list of spans that doubles its memory when it is full */
#include "spans.h"

#include <stdlib.h>

bool spans_add(spans *s, span v) {
    if (s->count == s->room) {
        const size_t room = s->room ? 2 * s->room : 64;
        span *at = realloc(s->at, room * sizeof *at);
        if (!at) return false;
        s->at = at;
        s->room = room;
    }
    s->at[s->count++] = v;
    return true;
}
