/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_shares.h -- parses a value for each NPU, as in 10us for all, or 0:10us,4-7:1ms
 */
#ifndef ASTRA_SHARES_H
#define ASTRA_SHARES_H

#include <stdbool.h>

typedef bool astra_share(const char *s, double *v);
astra_share astra_share_scale; /* above 0, at most 10^6 */
astra_share astra_share_delay; /* 10, 10ns, 10us, 10ms or 10s; gives ns, 0 to 10^11 */

/* Sets *to to a value for each NPU, which the caller frees. NPUs that the text does not name get
 * `initial`. Returns false if the text is malformed. Returns true with *to NULL when there is no
 * memory, after a message. */
bool astra_shares_read(const char *text, unsigned npus, double initial, astra_share *parse,
                       double **to);
/* Parses "3" or "4-7". Returns false if the text is malformed, or there are no such NPUs. */
bool astra_shares_range(const char *text, unsigned npus, unsigned *first, unsigned *last);

#endif
