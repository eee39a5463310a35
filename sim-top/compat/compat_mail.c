/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compat_mail.c -- a hash table of open halves of messages
 *
 * All items of a channel are of one sort: messages that came, or receives that wait. Messages that
 * came are one item with a count. Each receive is an item of its own, after the older ones of its
 * list.
 */
#include "compat_mail.h"

#include <stdlib.h>

struct compat_mail_item {
    graph_channel channel;
    uint64_t came;  /* number of messages; 0: this is a receive */
    uint32_t index; /* the receive's node */
    compat_mail_item *next;
};

static size_t bucket_of(const compat_mail *m, const graph_channel *c) {
    return (size_t)graph_channel_hash(c) & (m->buckets - 1);
}

static bool is_of(const compat_mail_item *i, const graph_channel *c) {
    return i->channel.from == c->from && i->channel.to == c->to && i->channel.tag == c->tag &&
           i->channel.bytes == c->bytes;
}

/* Returns the link to the oldest item of a channel, or to the end of its list. */
static compat_mail_item **find(const compat_mail *m, const graph_channel *c) {
    compat_mail_item **at = &m->bucket[bucket_of(m, c)];

    while (*at && !is_of(*at, c)) at = &(*at)->next;
    return at;
}

static compat_mail_item **end_of(compat_mail_item **at) {
    while (*at) at = &(*at)->next;
    return at;
}

static bool grow(compat_mail *m) {
    const size_t buckets = m->buckets ? 2 * m->buckets : 16;
    compat_mail more = { calloc(buckets, sizeof *more.bucket), m->count, buckets };

    if (!more.bucket) return false;
    for (size_t b = 0; b < m->buckets; b++)
        for (compat_mail_item *i = m->bucket[b], *next; i; i = next) {
            next = i->next;
            i->next = NULL;
            *end_of(&more.bucket[bucket_of(&more, &i->channel)]) = i;
        }
    free(m->bucket);
    *m = more;
    return true;
}

static compat_mail_answer keep(compat_mail *m, compat_mail_item item) {
    compat_mail_item *i;

    if (m->count == m->buckets && !grow(m)) return MAIL_NO_MEMORY;
    i = malloc(sizeof *i);
    if (!i) return MAIL_NO_MEMORY;
    *i = item;
    *end_of(find(m, &item.channel)) = i;
    m->count++;
    return MAIL_KEPT;
}

static void forget(compat_mail *m, compat_mail_item **at) {
    compat_mail_item *const i = *at;

    *at = i->next;
    free(i);
    m->count--;
}

compat_mail_answer compat_mail_deliver(compat_mail *m, const graph_channel *c, uint32_t *index) {
    compat_mail_item **at = m->buckets ? find(m, c) : NULL;

    if (!at || !*at) return keep(m, (compat_mail_item){ .channel = *c, .came = 1 });
    if ((*at)->came) {
        (*at)->came++;
        return MAIL_KEPT;
    }
    *index = (*at)->index;
    forget(m, at);
    return MAIL_PAIRED;
}

compat_mail_answer compat_mail_receive(compat_mail *m, const graph_channel *c, uint32_t index) {
    compat_mail_item **at = m->buckets ? find(m, c) : NULL;

    if (!at || !*at || !(*at)->came)
        return keep(m, (compat_mail_item){ .channel = *c, .index = index });
    if (!--(*at)->came) forget(m, at);
    return MAIL_PAIRED;
}

void compat_mail_free(compat_mail *m) {
    for (size_t b = 0; b < m->buckets; b++)
        for (compat_mail_item **at = &m->bucket[b]; *at;) forget(m, at);
    free(m->bucket);
    *m = (compat_mail){ 0 };
}
