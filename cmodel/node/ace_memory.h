/* SPDX-License-Identifier: Apache-2.0 */
/* ace_memory.h -- memory: the bits behind the AXI pins */
#ifndef ACE_MEMORY_H
#define ACE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "ace_state.h"
#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where lists of transfers lie that a node makes for itself: they take no room in its memory. */
#define ACE_LISTS_ADDRESS ((UINT64_C(1) << 48) - (UINT64_C(1) << 32))

/* Sparse byte memory, zero where never written.  One node's, one thread's. */
typedef struct ace_memory ace_memory;
ace_memory *ace_memory_create(void);
void ace_memory_destroy(ace_memory *m);
void ace_memory_read(const ace_memory *m, uint64_t address, void *to, size_t bytes);
int ace_memory_write(ace_memory *m, uint64_t address, const void *from, size_t bytes);
void ace_memory_state(ace_memory *m, ace_state *s); /* what was there before is forgotten */

#ifdef __cplusplus
}
#endif
#endif
