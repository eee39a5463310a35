/* SPDX-License-Identifier: Apache-2.0 */
/* ace_error.c -- messages of ace_err */
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
