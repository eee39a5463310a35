/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message_list.h -- a command of messages (ACE_MESSAGES) for the calibrated node: rows on links,
 * and mail
 *
 *     message_list_make(&command, &config, &m);
 *     ... the exchange works off m.rows and m.link, then each of m.mail travels its route ...
 *     message_list_free(&m);
 *
 * The model assumes that all nodes send the same messages, equally far. Then the rows of other
 * nodes use this node's links as much as its own rows use links of others. So a row counts here on
 * each link that it crosses. A node that sends several hops far while all others are idle is too
 * slow in this model.
 */
#ifndef MESSAGE_LIST_H
#define MESSAGE_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_types.h"

/* One route of a message, after its last row was sent. */
typedef struct flow_mail {
    uint64_t cycle; /* in which the message arrives */
    uint64_t rows;  /* rows, including the trailer */
    uint32_t label; /* label of the arrival */
    uint32_t hops;  /* as in a route: 7 bits for each dimension, and one that means down */
} flow_mail;

typedef struct message_list {
    uint64_t rows;            /* of all messages */
    uint64_t link[ACE_LINKS]; /* rows on each link */
    flow_mail *mail;
    unsigned mails;
} message_list;

/* Returns ACE_OK, ACE_EINVAL or ACE_ENOMEM. The caller frees the list in either case. */
int message_list_make(const ace_command *c, const ace_config *cfg, message_list *m);
void message_list_free(message_list *m);
/* Returns the cycles of the busiest links when the sends of the list are served round-robin. A row
 * takes cost[] on each link. As many sends as may be under way send a row each, in the order of the
 * list. A send that has finished makes room for the next. */
double message_list_cycles(const message_list *m, const ace_config *cfg,
                           const double cost[ACE_LINKS]);

/* How the messages use a ring. */
typedef struct message_ring {
    /* of nodes that send only within the group: 2 if all go an even number of hops */
    unsigned groups;
    uint64_t entering; /* rows of a node that enter upwards */
    bool turns_corner; /* some continue along another dimension */
} message_ring;
message_ring message_list_ring(const message_list *m, const ace_config *cfg, unsigned d);
/* Returns how many links of a dimension a message crosses. */
unsigned message_steps(const flow_mail *m, const ace_config *cfg, unsigned dimension);

#endif
