/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compat_mail.h -- messages without a receive yet, and receives whose message has not arrived
 *
 * Messages of one channel are paired in order: the n-th message belongs to the n-th receive. A pair
 * is deleted as soon as both halves are there. So the memory depends on how many are open at a
 * time, and not on the length of the traces.
 */
#ifndef COMPAT_MAIL_H
#define COMPAT_MAIL_H

#include "graph_messages.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct compat_mail_item compat_mail_item;
typedef struct compat_mail {
    compat_mail_item **bucket; /* lists, the oldest item first */
    size_t count, buckets;     /* buckets: 0, or a power of two */
} compat_mail;

typedef enum compat_mail_answer {
    MAIL_KEPT, /* the other half is not there yet */
    MAIL_PAIRED,
    MAIL_NO_MEMORY
} compat_mail_answer;

/* Adds a message that has arrived. MAIL_PAIRED: it belongs to the oldest waiting receive, at
 * *index. */
compat_mail_answer compat_mail_deliver(compat_mail *m, const graph_channel *c, uint32_t *index);
/* Adds a receive of the node at `index`. MAIL_PAIRED: its message had arrived, and is removed. */
compat_mail_answer compat_mail_receive(compat_mail *m, const graph_channel *c, uint32_t index);
void compat_mail_free(compat_mail *m);

#ifdef __cplusplus
}
#endif

#endif
