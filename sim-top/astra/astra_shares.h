/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_shares.h -- a value of each NPU, as a person writes it: 10us of all, or 0:10us,4-7:1ms
 */
#ifndef ASTRA_SHARES_H
#define ASTRA_SHARES_H

#include <stdbool.h>

typedef bool astra_share(const char *s, double *v);
astra_share astra_share_scale; /* above 0, 10^6 at most */
astra_share astra_share_delay; /* 10, 10ns, 10us, 10ms, 10s: ns, 0 to 10^11 */

/* *to: of each NPU, the caller's to free; `initial` of those that the text does not name.  False:
 * it is no such text.  True, with *to NULL: no memory, after a message. */
bool astra_shares_read(const char *text, unsigned npus, double initial, astra_share *parse,
                       double **to);
/* The NPUs of "3" or "4-7"; false: it is neither, or there are none such. */
bool astra_shares_range(const char *text, unsigned npus, unsigned *first, unsigned *last);

#endif
