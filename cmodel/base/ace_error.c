/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_error.c -- texts of error numbers and of the uses of rows, expanded from two lists
 *
 * The lists ACE_ERR_MAP and ACE_ROW_USE_MAP also make the enumerations, so no number lacks a text.
 */
#include "ace_core.h"
#include "ace_types.h"

const char *ace_strerror(int err) {
    switch (err) {
#define X(name, value, text) \
    case value: return text;
        ACE_ERR_MAP(X)
#undef X
    default: return "unknown error";
    }
}

const char *ace_row_use_text(unsigned use) {
#define X(name, text) text,
    static const char *const texts[] = { ACE_ROW_USE_MAP(X) };
#undef X
    return use < ACE_ROW_USES ? texts[use] : "?";
}
