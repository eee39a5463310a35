/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compat_mail.h -- messages that nobody has asked for, and receives whose message has not come
 *
 * Messages of one channel are paired in order: the n-th that comes is for the n-th receive.  A pair
 * is forgotten as soon as both halves are there.  So the memory is that of what is open at a time,
 * however long the traces are.
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

/* A message of a channel has come.  MAIL_PAIRED: it is for the receive that has waited longest, of
 * *place. */
compat_mail_answer compat_mail_come(compat_mail *m, const graph_channel *c, uint32_t *place);
/* A receive at `place` of the receiver begins.  MAIL_PAIRED: its message was there, and is taken.
 */
compat_mail_answer compat_mail_ask(compat_mail *m, const graph_channel *c, uint32_t place);
void compat_mail_free(compat_mail *m);

#ifdef __cplusplus
}
#endif

#endif
