/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exchange_counts.h -- how many bytes each member sends to each member in an all-to-all-v
 *
 *   --counts FILE   CSV of bytes: line i has the bytes that member i sends to members 0, 1, ...
 *                   or CSV of the tokens that the experts of a MoE layer get:
 *
 *                       # comments, such as source and licence
 *                       expert,tokens          or  expert,0,1,2,3
 *                       0,204013               or  0,51000,51009,50001,52003
 *
 *                   Experts are numbered from 0.  The column `tokens` has the tokens of all members
 *                   together; all members then send alike.  Column i has the tokens of member i.
 *                   A member sends an expert's tokens to the member that has the expert, which
 *                   --experts decides.  An average member sends --size: its tokens x the experts
 *                   of a token x the bytes of a token.
 *   --transpose     member i sends to member j what the counts say for j to i.  The experts'
 *                   results go back to the tokens' members like this.
 *   --skew S        like the all-to-all of a DLRM, whose embedding tables differ in size: a member
 *                   sends the same to all, but members send different amounts.  With an even
 *                   division each member would send --size over all members.  A share S of this
 *                   is distributed again, in proportion to the square of a random number.  A third
 *                   of the members then send about a tenth of the mean, and the largest send three
 *                   times the mean.
 */
#ifndef EXCHANGE_COUNTS_H
#define EXCHANGE_COUNTS_H

#include <inttypes.h>
#include <stdbool.h>

#include "machine.h"

/* Returns whether the file of --counts exists and has tokens of experts. */
bool exchange_counts_experts(const char *name);
/* Makes members x members counts, which the caller frees. Returns EXIT_OK, or EXIT_USAGE or
 * EXIT_CHECK after a message. */
int exchange_counts_make(const machine *m, uint64_t members, uint64_t **counts);

#endif
