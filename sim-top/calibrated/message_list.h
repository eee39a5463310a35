/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message_list.h -- what a command of messages (ACE_MESSAGES) is to the calibrated node: rows on
 * links, and mail
 *
 *     message_list_make(&command, &config, &m);
 *     ... the exchange works off m.rows and m.link, then each of m.mail goes its way ...
 *     message_list_free(&m);
 *
 * Messages are sent by all nodes that do the same, each as far as the others.  So what others' rows
 * take of this node's links on their way is what its own rows take of links of others: a row counts
 * here on each link that it crosses.  A node that sends several hops far while all others are at
 * rest is slower here than it is.
 */
#ifndef MESSAGE_LIST_H
#define MESSAGE_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_types.h"

/* One way of a message: its last row is sent. */
typedef struct flow_mail {
    uint64_t cycle; /* in which it is there */
    uint64_t rows;  /* with the trailer */
    uint32_t label; /* of the arrival */
    uint32_t hops;  /* as in a route: of each dimension 7 bits, and one that says down */
} flow_mail;

typedef struct message_list {
    uint64_t rows;            /* of all messages */
    uint64_t link[ACE_LINKS]; /* links that they cross, in rows */
    flow_mail *mail;
    unsigned mails;
} message_list;

/* ACE_OK, ACE_EINVAL or ACE_ENOMEM; free in either case. */
int message_list_make(const ace_command *c, const ace_config *cfg, message_list *m);
void message_list_free(message_list *m);
/* Cycles of the busiest links, of which a row takes cost[], while the sends of the list take turns:
 * so many as are under way at a time send a row each, in the order of the list, and who has sent
 * all makes room for the next. */
double message_list_turns(const message_list *m, const ace_config *cfg,
                          const double cost[ACE_LINKS]);

/* What the messages do on a ring. */
typedef struct message_ring {
    unsigned groups;   /* of nodes that send to none of the others: 2 where all go an even number of
                          hops */
    uint64_t entering; /* rows of a node, upwards */
    bool turning;      /* some go on along another dimension */
} message_ring;
message_ring message_list_ring(const message_list *m, const ace_config *cfg, unsigned d);
/* Links of a dimension that a message crosses. */
unsigned message_steps(const flow_mail *m, const ace_config *cfg, unsigned dimension);

#endif
