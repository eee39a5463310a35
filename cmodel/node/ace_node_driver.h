/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_node_driver.h -- the driver, which adds wires, memory and a command queue to a core
 *
 * The struct is for ace_node_driver.c, and for ace_recurrence.c, which compares its state.
 */
#ifndef ACE_NODE_DRIVER_H
#define ACE_NODE_DRIVER_H

#include "ace_composition.h"
#include "ace_core.h"
#include "ace_node_faults.h"
#include "ace_wire.h"

enum {
    ACE_DRIVER_BURSTS = 256,
    ACE_DRIVER_COMPLETIONS = 1024,
    ACE_DRIVER_SUBMITTED = 1024,
    ACE_DRIVER_BLOCK = 256,
    ACE_DRIVER_LISTS = 8,            /* lists kept in memory: the exchange may still read five */
    ACE_DRIVER_LIST_BYTES = 1 << 20, /* distance of two lists in memory */
    ACE_DRIVER_TAG = UINT16_MAX      /* the tag of a step that is not the last */
};

typedef struct ace_burst {
    uint64_t address;
    unsigned beats;
} ace_burst;

/* A list of transfers, in memory of the driver's own. */
typedef struct ace_driver_list {
    uint32_t *words;
    uint32_t bytes;
} ace_driver_list;

typedef struct ace_driver {
    ace_node base;
    ace_core *core;
    ace_node_setup setup;
    uint64_t now;
    int error;
    unsigned stall; /* percent */
    uint64_t stall_seed;
    /* commands not yet taken */
    ace_command command[ACE_DRIVER_SUBMITTED];
    uint64_t command_cycle[ACE_DRIVER_SUBMITTED];
    ace_composition *made[ACE_DRIVER_SUBMITTED]; /* the steps of each; NULL: a single step */
    unsigned command_head, command_count;
    unsigned step;    /* of the first command */
    bool awaits;      /* the first command waits for the completion of its previous step */
    bool alone;       /* a command must complete before the next is handed over */
    unsigned pending; /* commands and steps handed over and not complete */
    ace_driver_list list[ACE_DRIVER_LISTS];
    unsigned lists; /* handed over */
    ace_completion completion[ACE_DRIVER_COMPLETIONS];
    unsigned completion_head, completion_count;
    ace_arrival *arrived; /* messages, in order; those before `heard` were taken */
    unsigned heard, arrivals, arrival_room;
    /* memory */
    ace_burst reads[ACE_DRIVER_BURSTS], writes[ACE_DRIVER_BURSTS];
    unsigned read_head, read_count, write_head, write_count, answers;
    uint64_t fail_read, fail_write, answered; /* tests: what gets fail_resp; answers given */
    uint8_t fail_resp;
    ace_upsets upsets;                /* of the scratchpad; none: all 0 */
    uint64_t rows_read, rows_written; /* beats of the AXI data channels */
    uint32_t read_row[ACE_ROW_BYTES / 4];
    ace_pins_in in; /* of the present cycle */
    /* A block of cycles is no longer than the shortest wire.  All flits that arrive in it are on
     * the wires when it begins, and are then sorted by cycle. */
    uint64_t reach; /* longest block */
    uint64_t first; /* cycle of the block */
    uint64_t last;  /* cycle of its last arrival */
    uint64_t taken[ACE_LINKS];
    ace_rx_pins arrival[ACE_DRIVER_BLOCK]; /* by cycle of the block; empty outside blocks */
    const uint32_t *arrival_row[ACE_DRIVER_BLOCK][ACE_LINKS];
    uint64_t arrival_route[ACE_DRIVER_BLOCK][ACE_LINKS];
    bool routes; /* a route other than 0 has arrived; until then arrival_route is all 0 */
    ace_node_class class_;
} ace_driver;

/* Like ace_node_run(), but stops in the cycle in which *count becomes `stop`. */
void ace_driver_run(ace_driver *d, uint64_t until, const uint32_t *count, uint32_t stop);

#endif
