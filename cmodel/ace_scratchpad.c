/* SPDX-License-Identifier: Apache-2.0 */
#include "ace_scratchpad.h"

#include <stdlib.h>

int ace_scratchpad_create(unsigned bank_rows, bool payload, ace_scratchpad *s) {
    s->bank_rows = bank_rows;
    s->rows = payload ? calloc((size_t)bank_rows * ACE_BANKS, sizeof *s->rows) : NULL;
    return payload && !s->rows ? ACE_ENOMEM : ACE_OK;
}

void ace_scratchpad_destroy(ace_scratchpad *s) {
    free(s->rows);
    s->rows = NULL;
}
