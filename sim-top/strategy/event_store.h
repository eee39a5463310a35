/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event_store.h -- cycles of events that were measured, in a database that processes share
 *
 *     event_store_open("search.sqlite", &s);
 *     event_store_look(s, key, &there, &cycles);   or, where it is not there, once it is measured:
 *     event_store_keep(s, key, cycles);
 *     event_store_close(s);
 *
 * An event takes the same wherever it is measured, so that it does not matter who was first, and a
 * process that dies leaves nothing behind.  The table `events` of SQLite stands beside those of a
 * sweep (sweep_file.h).
 */
#ifndef EVENT_STORE_H
#define EVENT_STORE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { EVENT_KEY = 128 }; /* bytes, with the 0 behind it */

typedef struct event_store event_store;
/* Each returns EXIT_OK, or EXIT_USAGE (a file that is no database) or EXIT_CHECK after a message.
 */
int event_store_open(const char *path, event_store **s);
int event_store_look(event_store *s, const char *key, bool *there, uint64_t *cycles);
int event_store_keep(event_store *s, const char *key, uint64_t cycles);
void event_store_close(event_store *s); /* NULL is allowed */

#ifdef __cplusplus
}
#endif

#endif
