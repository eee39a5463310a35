/* SPDX-License-Identifier: Apache-2.0 */
/* accelerator_list.h -- the field `accelerator`: one file, or FILE:0-31;FILE:rest */
#ifndef ACCELERATOR_LIST_H
#define ACCELERATOR_LIST_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ACCELERATOR_FILE = 256 };

bool accelerators_several(const char *text);
/* Copies the name of file i of the text, from 0. Returns false if it has fewer. */
bool accelerators_file(const char *text, unsigned i, char to[ACCELERATOR_FILE]);

#ifdef __cplusplus
}
#endif

#endif
