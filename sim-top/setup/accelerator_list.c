/* SPDX-License-Identifier: Apache-2.0 */
/* accelerator_list.c -- the names in the text of the field `accelerator` */
#include "accelerator_list.h"

#include <stdio.h>
#include <string.h>

bool accelerators_several(const char *text) { return strpbrk(text, ":;") != NULL; }

bool accelerators_file(const char *text, unsigned i, char to[ACCELERATOR_FILE]) {
    for (; i && *text; i--) {
        text += strcspn(text, ";");
        text += *text == ';';
    }
    snprintf(to, ACCELERATOR_FILE, "%.*s", (int)strcspn(text, ":;"), text);
    return *to != 0;
}
