/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event_store.h -- cycles of events that were measured, in a database that processes share
 *
 *     event_store_open("search.sqlite", &s);
 *     event_store_look(s, key, &there, &cycles);   if it is not there, after measuring:
 *     event_store_keep(s, key, cycles);
 *     event_store_close(s);
 *
 * An event takes the same cycles in every process. So any process may store it first, and a process
 * that dies leaves nothing behind. The table `events` of SQLite may share a file with the tables of
 * a sweep (sweep_file.h).
 */
#ifndef EVENT_STORE_H
#define EVENT_STORE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { EVENT_KEY = 128 }; /* bytes, with the final 0 */

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
