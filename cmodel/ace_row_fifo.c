/* SPDX-License-Identifier: Apache-2.0 */
#include "ace_row_fifo.h"

#include <stdlib.h>

int ace_row_fifo_init(ace_row_fifo *f, unsigned depth, bool payload) {
    memset(f, 0, sizeof *f);
    if (depth < ACE_ROW_FIFO_DEPTH_MIN || depth > ACE_ROW_FIFO_DEPTH_MAX) return ACE_EINVAL;
    f->depth = depth;
    if (payload) {
        f->rows = calloc(depth, sizeof *f->rows);
        if (!f->rows) return ACE_ENOMEM;
    }
    return ACE_OK;
}

void ace_row_fifo_free(ace_row_fifo *f) {
    free(f->rows);
    f->rows = NULL;
}

int ace_row_fifo_create(unsigned depth, bool payload, ace_row_fifo **fifo) {
    ace_row_fifo *f = malloc(sizeof *f);
    if (!f) return ACE_ENOMEM;
    const int err = ace_row_fifo_init(f, depth, payload);
    if (err)
        free(f);
    else
        *fifo = f;
    return err;
}

void ace_row_fifo_destroy(ace_row_fifo *f) {
    if (!f) return;
    ace_row_fifo_free(f);
    free(f);
}
